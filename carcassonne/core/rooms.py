"""Flat rooms for numbers that the compiled modules share: bytes for C, lists without it."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["double_room", "int_room", "int_table", "readable"]


def int_room(count: int, compiled: bool) -> Any:
    """Room for some ints, all zero."""
    return bytearray(4 * count + 16) if compiled else [0] * (count + 4)


def double_room(count: int, compiled: bool) -> Any:
    """Room for some floating point numbers, all zero."""
    return bytearray(8 * count + 16) if compiled else [0.0] * (count + 2)


def int_table(numbers: Sequence[int], compiled: bool) -> Any:
    """The numbers themselves, in the form that the caller reads."""
    return bytearray(array("i", numbers).tobytes()) if compiled else list(numbers)


def readable(room: Any) -> Any:
    """A room of ints as uncompiled code reads it, also if a compiled module made it."""
    return memoryview(room).cast("i") if isinstance(room, bytearray) else room
