"""Says hello, and reads nothing after that."""

from __future__ import annotations

import sys
import time

from _good import say

sys.stdin.readline()
say({"name": "deaf", "version": "1"})
time.sleep(3600)
