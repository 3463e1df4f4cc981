"""Files: reading text with clear errors, and writing so that nothing is lost.

A file is written beside its target first, then renamed over it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from carcassonne.errors import CarcassonneError

__all__ = ["convert", "parse_toml", "read_text", "replace", "write_bytes", "write_text"]

_LARGEST = 64 * 1024 * 1024


_Form = TypeVar("_Form")


def convert(data: object, form: type[_Form]) -> _Form:
    """Give plain data a form.

    Raises
    ------
    msgspec.ValidationError
        The data doesn't have that form; also where a text in it is no real text.
    """
    try:
        return msgspec.convert(data, form)
    except UnicodeEncodeError:
        raise msgspec.ValidationError("a text holds half a character (a lone surrogate)") from None


def read_text(path: str | Path, error: type[CarcassonneError]) -> str:
    """Read a whole text file.

    Raises
    ------
    error
        The file can't be read, is larger than 64 MiB or no UTF-8 text; the file is named.
    """
    try:
        file = Path(path)
        if file.exists() and not file.is_file():
            raise error(f"{path}: is no ordinary file")
        if file.is_file() and file.stat().st_size > _LARGEST:
            raise error(f"{path}: is larger than {_LARGEST // 1024**2} MiB")
        return file.read_bytes().decode("utf-8")
    except OSError as problem:
        raise error(f"{path}: can't be read: {problem.strerror or problem}") from None
    except UnicodeDecodeError as problem:
        raise error(f"{path}: is no UTF-8 text (byte {problem.start})") from None
    except CarcassonneError:
        raise
    except ValueError as problem:
        raise error(f"{path}: can't be read: {problem}") from None


def parse_toml(text: str, where: str, error: type[CarcassonneError]) -> dict[str, Any]:
    """Read TOML text.

    Raises
    ------
    error
        The text is no TOML; `where` and the line are named.
    """
    import tomllib  # noqa: PLC0415 - most imports of this module read nothing

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise error(f"{where}: is no TOML: {problem}") from None
    except RecursionError:
        raise error(f"{where}: is nested too deeply") from None
    except ValueError:
        raise error(f"{where}: is no TOML: a number or date is out of range") from None


def write_text(path: str | Path, text: str) -> None:
    """Write a text file whole or not at all.

    Raises
    ------
    CarcassonneError
        The file can't be written; whatever stood there is untouched.
    """
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: str | Path, data: bytes) -> None:
    """Write a file whole or not at all.

    Raises
    ------
    CarcassonneError
        The file can't be written; whatever stood there is untouched.
    """
    import tempfile  # noqa: PLC0415 - most imports of this module write nothing

    target = Path(path).resolve() if Path(path).is_symlink() else Path(path)
    if target.exists() and not target.is_file():
        raise CarcassonneError(f"{path}: is no ordinary file, so nothing is written there")
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(
            prefix=f".{target.name}.", suffix=".part", dir=target.parent
        )
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        replace(temporary, target)
    except OSError as error:
        raise CarcassonneError(f"{target}: can't be written: {error.strerror or error}") from None
    finally:
        if temporary:
            Path(temporary).unlink(missing_ok=True)


def replace(finished: str | Path, target: Path) -> None:
    """Give a file that was written beside its target the target's name and permissions.

    Raises
    ------
    OSError
        It can't be done; both files are as they were.
    """
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    Path(finished).chmod(mode)
    Path(finished).replace(target)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
