"""How many tasks go to a worker at once.

How large a batch is follows from how long the last ones took, so that quick games cost no more for
being spread, and slow ones come back one by one.
"""

from __future__ import annotations

from typing import Final

__all__ = ["BATCH_SECONDS", "BatchSize"]

BATCH_SECONDS: Final = 0.4
"""How long a batch should take."""
_LARGEST: Final = 5000


class BatchSize:
    """Sets the size of batches by how long they take."""

    def __init__(self) -> None:
        self._size = 1.0

    def __call__(self) -> int:
        """Tasks for the next batch."""
        return int(self._size)

    def note(self, tasks: int, seconds: float) -> None:
        """A batch of so many tasks took so long."""
        fits = tasks * BATCH_SECONDS / max(seconds, 1e-6)
        self._size = max(1.0, min(fits, 4 * tasks, _LARGEST))
