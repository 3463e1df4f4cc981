"""Limits what a process may use, then becomes the command: `launch.py MEMORY CPU COMMAND...`.

MEMORY is in bytes, CPU in seconds, 0 is no limit. It runs as a script of its own, since setting
limits between fork and exec is not safe in a program with threads.
"""

from __future__ import annotations

import os
import resource
import sys

__all__: list[str] = []


def _limit(which: int, soft: int, hard: int) -> None:
    """Set a limit, or keep the one that is lower already."""
    most = resource.getrlimit(which)[1]
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    resource.setrlimit(which, (soft, hard))


def _main() -> None:
    memory, cpu = int(sys.argv[1]), int(sys.argv[2])
    command = sys.argv[3:]
    try:
        _limit(resource.RLIMIT_CORE, 0, 0)
        if cpu:
            _limit(resource.RLIMIT_CPU, cpu, cpu + 1)
        if memory:
            _limit(resource.RLIMIT_AS, memory, memory)
        os.execvp(command[0], command)  # noqa: S606 - the point of this script
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{command[0]}: {error}\n")
        sys.exit(127)


if __name__ == "__main__":
    _main()
