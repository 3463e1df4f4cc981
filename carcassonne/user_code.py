"""Python files of a user's own, such as bots and measures; loading them runs them."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from carcassonne.files import read_text

if TYPE_CHECKING:
    from types import ModuleType

    from carcassonne.errors import CarcassonneError

__all__ = ["line_of", "load_module", "what_failed"]


def what_failed(error: BaseException) -> str:
    """An exception in one line."""
    return traceback.format_exception_only(error)[-1].strip()


def line_of(error: BaseException, file: str) -> int | None:
    """The line of a file, named as its code names it, at which an exception left it last."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename == file:
            return frame.lineno
    return None


def load_module(path: str | Path, kind: str, refusal: type[CarcassonneError]) -> ModuleType:
    """Run a Python file and return the module that it defines.

    Parameters
    ----------
    kind
        What the file is to hold, for messages: `bots`.
    refusal
        The error that is raised.

    Raises
    ------
    CarcassonneError
        Of the type `refusal`, naming the file, and the line where it failed.
    """
    where = Path(path)
    read_text(where, refusal)
    label = f"carcassonne_{kind}_{where.stem}"
    spec = importlib.util.spec_from_file_location(label, where)
    if spec is None or spec.loader is None:
        raise refusal(f"{where}: is no Python file; {kind} of your own are in a file named *.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[label] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        line = line_of(error, spec.origin or "") or getattr(error, "lineno", None)
        at = f", line {line}" if line else ""
        raise refusal(f"{where}{at}: {what_failed(error)}") from error
    return module
