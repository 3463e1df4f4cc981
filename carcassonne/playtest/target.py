"""The precision at which an experiment may stop early: `±0.5 points of margin`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from carcassonne.bots.parameters import hint
from carcassonne.playtest.design import DesignError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carcassonne.playtest.rows import Measure

__all__ = ["Target", "parse_until"]

_FORM: Final = re.compile(
    r"(?:±|\+-|\+/-)?\s*(?P<number>[0-9]+(?:\.[0-9]+)?)\s*(?P<unit>%|[A-Za-z][A-Za-z ]*?)"
    r"(?:\s+of\s+(?P<name>.+))?",
)
_PER_CENT: Final = ("%", "pp", "percent", "per cent", "percentage points", "percentage point")
_MAIN_GROUP: Final = "scores"


class Target(NamedTuple):
    """How far to each side a 95 % interval may reach.

    Attributes
    ----------
    half_width : float
        In the measure's unit; of shares, a share of 1.
    unit : str
        A unit of measures; per cent are the unit `share`.
    name : str
        What is to be so precise; empty: everything of the unit in the group `scores`, or
        everything of the unit if there is nothing in that group.
    text : str
        As it was written.
    """

    half_width: float
    unit: str
    name: str
    text: str

    def pick(self, measures: Sequence[Measure]) -> tuple[int, ...]:
        """The numbers of the measures that are meant.

        Raises
        ------
        DesignError
            No measure has that unit or name.
        """
        of_unit = [i for i, measure in enumerate(measures) if self._has_unit(measure)]
        if not self.name:
            main = [i for i in of_unit if measures[i].group == _MAIN_GROUP]
            if not of_unit:
                units = ", ".join(dict.fromkeys(measure.unit for measure in measures))
                raise DesignError(
                    f"until {self.text!r}: nothing is measured in {self.unit}; units are {units} "
                    "(shares are written with %)"
                )
            return tuple(main or of_unit)
        word = re.sub(r"\s+", "_", self.name.lower())
        names = [measure.name for measure in measures]
        exact = [i for i, name in enumerate(names) if name.lower() == word]
        found = exact or [i for i, name in enumerate(names) if word in name.lower()]
        if not found:
            raise DesignError(
                f"until {self.text!r}: there is no measure {self.name!r}{hint(word, names)}; "
                f"measures are {', '.join(names)}"
            )
        fitting = tuple(i for i in found if i in of_unit)
        if not fitting:
            first = measures[found[0]]
            unit = "%" if first.unit == "share" else first.unit
            raise DesignError(f"until {self.text!r}: {first.name} is measured in {unit}")
        return fitting

    def _has_unit(self, measure: Measure) -> bool:
        return measure.unit.rstrip("s") == self.unit.rstrip("s")


def parse_until(text: str) -> Target:
    """Read a precision, such as `±0.5 points`, `+-1 %` or `±0.5 points of margin`.

    Raises
    ------
    DesignError
        The text has another form, or the number is 0.
    """
    found = _FORM.fullmatch(text.strip())
    number = float(found["number"]) if found else 0.0
    if found is None or not 0 < number < 1e9:
        raise DesignError(
            f"until {text!r} must be a number above 0 and a unit, as in '±0.5 points', '±1 %' or "
            "'±0.5 points of margin'"
        )
    unit = found["unit"].lower()
    name = (found["name"] or "").strip()
    if unit in _PER_CENT:
        return Target(number / 100, "share", name, text)
    return Target(number, unit, name, text)
