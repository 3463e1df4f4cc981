"""Plays well, but doesn't leave when it is told to, nor when it is asked to terminate."""

import signal
import time

from _good import run

signal.signal(signal.SIGTERM, signal.SIG_IGN)
run(leave=lambda: time.sleep(3600))
time.sleep(3600)
