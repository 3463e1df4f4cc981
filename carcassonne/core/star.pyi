from collections.abc import Callable, Mapping
from typing import Final, final

from carcassonne.core.engine import Engine
from carcassonne.core.tables import Tables

BOUND: Final[float]

@final
class Star:
    nodes: int
    stopped: bool
    value: float
    def __init__(
        self,
        tables: Tables,
        engine: Engine,
        probes: int = 3,
        prune: bool = True,
        weights: Mapping[str, float] | None = None,
    ) -> None: ...
    def search(
        self,
        depth: int,
        first: int,
        most: int = 0,
        clock: Callable[[], float] | None = None,
        until: float = 0.0,
    ) -> int | None: ...
    def choose(self) -> int: ...
