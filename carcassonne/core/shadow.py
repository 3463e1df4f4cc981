"""A stand-in for the `cython` module where Cython is not installed: every mark means nothing.

`engine.py` is written in Cython's pure Python mode. Uncompiled, all that it needs of `cython` is
that decorators hand back what they decorate and that types can be named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

compiled: Final = False


def _same(thing: Any) -> Any:
    return thing


cclass = cfunc = ccall = inline = final = no_gc = _same


def exceptval(*_: object, **__: object) -> Callable[[Any], Any]:
    """A decorator that changes nothing."""
    return _same


boundscheck = wraparound = cdivision = initializedcheck = exceptval


def declare(_: object, value: Any = None, **__: object) -> Any:
    """The value itself."""
    return value


def cast(_: object, value: Any) -> Any:
    """The value itself."""
    return value


int = p_int = p_char = double = p_double = object  # noqa: A001
ulonglong = longlong = bint = void = Py_ssize_t = object
