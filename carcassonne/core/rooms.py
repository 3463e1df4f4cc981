"""Flat rooms for numbers that the compiled modules share: bytes for C, lists without it."""

from __future__ import annotations

from typing import Any

__all__ = ["double_room", "int_room", "readable"]


def int_room(count: int, compiled: bool) -> Any:
    """Room for some ints, all zero."""
    return bytearray(4 * count + 16) if compiled else [0] * (count + 4)


def double_room(count: int, compiled: bool) -> Any:
    """Room for some floating point numbers, all zero."""
    return bytearray(8 * count + 16) if compiled else [0.0] * (count + 2)


def readable(room: Any) -> Any:
    """A room of ints as uncompiled code reads it, also if a compiled module made it."""
    return memoryview(room).cast("i") if isinstance(room, bytearray) else room
