"""The precision at which an experiment may stop early: `±0.5 points of margin`."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from carcassonne.bots.parameters import hint
from carcassonne.playtest.design import DesignError
from carcassonne.playtest.phrases import name_list

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carcassonne.playtest.rows import Measure

__all__ = ["Target", "parse_until"]

_FORM: Final = re.compile(
    r"(?:±|\+-|\+/-)?\s*(?P<number>[0-9]+(?:\.[0-9]+)?)\s*(?P<unit>%|[A-Za-z][A-Za-z ]*?)"
    r"(?:\s+of\s+(?P<name>.+))?",
)
_PER_CENT: Final = ("%", "pp", "percent", "per cent", "percentage points", "percentage point")
_HUNDRED: Final = 100
_MAIN_GROUP: Final = "scores"
_MOST_NAMES: Final = 5


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
                f"until {self.text!r}: there is no measure {self.name!r}{_guess(word, names)}"
            )
        fitting = tuple(i for i in found if i in of_unit)
        if not fitting:
            first = measures[found[0]]
            unit = "%" if first.unit == "share" else first.unit
            raise DesignError(f"until {self.text!r}: {first.name} is measured in {unit}")
        return fitting

    def told(self, measures: Sequence[Measure]) -> str:
        """The precision in words, with the measures that it means: `±1 points of score`."""
        is_share = self.unit == "share"
        number = f"{self.half_width * (_HUNDRED if is_share else 1):.10g}"
        names = [measures[i].name for i in self.pick(measures)]
        if len(names) > _MOST_NAMES:
            names[_MOST_NAMES - 1 :] = [f"{len(names) - _MOST_NAMES + 1} more measures"]
        return f"±{number} {'%' if is_share else self.unit} of {name_list(names)}"

    def _has_unit(self, measure: Measure) -> bool:
        return measure.unit.rstrip("s") == self.unit.rstrip("s")


def _guess(word: str, names: Sequence[str]) -> str:
    """What may have been meant: a name, one with such a word in it, or the choice of all."""
    whole = hint(word, names)
    if whole:
        return whole
    for part in re.findall(r"[^_]+", word):
        words = {piece: name for name in reversed(names) for piece in name.lower().split("_")}
        close = difflib.get_close_matches(part.rstrip("s"), words, 1, 0.75)
        if close:
            return f" (did you mean {words[close[0]]}?)"
    return f"; measures are {', '.join(names)}"


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
