"""The one notice that the core runs uncompiled, for every command that uses it."""

from __future__ import annotations

import os
from functools import cache

import click

__all__ = ["core_form"]


@cache
def core_form() -> str:
    """The form in which the core runs; where it is uncompiled, say so once on standard error."""
    from carcassonne.core import COMPILED, FORM  # noqa: PLC0415 - the engine loads only to run

    if not COMPILED:
        why = (
            "CARCASSONNE_PURE is set"
            if os.environ.get("CARCASSONNE_PURE", "") not in ("", "0")
            else "it was not compiled when this was installed; that takes a C compiler"
        )
        click.echo(f"note: the core runs uncompiled, many times slower ({why})", err=True)
    return FORM
