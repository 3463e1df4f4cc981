"""The compiled engine: the model's rules on flat integers, for search bots and mass playouts.

`carcassonne.core.game.CoreGame` offers the model's verbs; `COMPILED` says whether the engine
runs as machine code, `FORM` says it in words. With the environment variable `CARCASSONNE_PURE=1`
the Python file runs even where a compiled form is installed.
"""

from __future__ import annotations

import os
import sys
from importlib import util
from pathlib import Path
from typing import Final

__all__ = ["COMPILED", "FORM"]


def _load_uncompiled(module_name: str) -> None:
    """Load a Python file itself under its name, so that later imports find it."""
    name = f"{__name__}.{module_name}"
    spec = util.spec_from_file_location(name, Path(__file__).with_name(f"{module_name}.py"))
    if spec is None or spec.loader is None:
        raise ImportError(name)
    module = util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)


if os.environ.get("CARCASSONNE_PURE", "") not in ("", "0"):
    for _name in ("engine", "judge", "search", "star"):
        _load_uncompiled(_name)

from carcassonne.core.engine import COMPILED  # noqa: E402 - after the choice of the form

FORM: Final = "compiled abi3" if COMPILED else "uncompiled"
