"""Writes a line at each event, and plays well besides."""

from __future__ import annotations

import json
import sys

from _good import answer, say

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"name": "mock"})
    elif message["type"] == "event":
        sys.stdout.write("noted\n")
        sys.stdout.flush()
    elif message["type"] == "decide":
        answer(message)
    elif message["type"] == "quit":
        break
