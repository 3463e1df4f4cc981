"""The version of the program, as `--version` prints it and what it writes says it."""

__all__ = ["VERSION"]

VERSION = "0.1.0"
