"""Writing files so that nothing is lost: beside the target first, then renamed over it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from carcassonne.errors import CarcassonneError

__all__ = ["write_text"]


def write_text(path: str | Path, text: str) -> None:
    """Write a text file whole or not at all.

    Raises
    ------
    CarcassonneError
        The file can't be written; whatever stood there is untouched.
    """
    target = Path(path)
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(
            prefix=f".{target.name}.", suffix=".part", dir=target.parent
        )
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
        Path(temporary).chmod(mode)
        Path(temporary).replace(target)
    except OSError as error:
        raise CarcassonneError(f"{target}: can't be written: {error.strerror or error}") from None
    finally:
        if temporary:
            Path(temporary).unlink(missing_ok=True)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
