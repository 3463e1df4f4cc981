"""How the levels of factors are called in tables and sentences."""

from __future__ import annotations

from typing import Final

__all__ = ["counted", "instead", "label_of", "name_list", "phrase_of"]

_WHOLE: Final = {
    ("bazaar_mode", "auction"): "the auction",
    ("bazaar_mode", "draft"): "the draft",
    ("bazaar_mode", "off"): "no bazaars",
    ("bazaar_max_bid", None): "bids without a limit",
    ("farmers", True): "farmers",
    ("farmers", False): "no farmers",
    ("bridges_per_player", 0): "no bridges",
    ("castles_per_player", 0): "no castles",
    ("bridges_per_player", 1): "1 bridge each",
    ("castles_per_player", 1): "1 castle each",
    ("bridges_per_player", None): "the usual bridges",
    ("castles_per_player", None): "the usual castles",
}
_WITH_VALUE: Final = {
    "tiny_city_points": "cities of two tiles at {} points",
    "farm_points_per_city": "farms at {} points a city",
    "castle_farm_points": "farms at {} points a castle",
    "bridges_per_player": "{} bridges each",
    "castles_per_player": "{} castles each",
    "bazaar_max_bid": "bids up to {}",
    "castle_chooser": "castles chosen by the {}",
    "players": "{} players",
    "bots": "the bots {}",
    "tile_sets": "the tiles of {}",
    "preset": "the rules of {}",
}


def name_list(names: tuple[str, ...] | list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""


def counted(number: int, what: str) -> str:
    """`1 game`, `1,200 games`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def label_of(value: object) -> str:
    """A value in a table."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is None:
        return "none"
    if isinstance(value, list | tuple):
        return "+".join(str(part) for part in value)
    return str(value)


def phrase_of(factor: str, value: object) -> str:
    """A level in a sentence, after `with`."""
    known = _WHOLE.get((factor, value)) if isinstance(value, str | int | None) else None
    if known is not None and isinstance(value, bool) == (factor == "farmers"):
        return known
    label = label_of(value)
    if factor in _WITH_VALUE:
        words = name_list([str(v) for v in value]) if isinstance(value, list | tuple) else label
        return _WITH_VALUE[factor].format(words.replace("_", " "))
    if factor.startswith("tile_counts."):
        return f"{label} of tile {factor.partition('.')[2]}"
    return f"{factor.replace('_', ' ')} {label.replace('_', ' ')}"


def instead(phrase: str, base: str) -> str:
    """A level set against another: `4 instead of 2 players`, `the draft instead of the auction`."""
    words, others = phrase.split(), base.split()
    apart = [(a, b) for a, b in zip(words, others, strict=False) if a != b]
    if len(words) == len(others) and len(apart) == 1:
        a, b = apart[0]
        if a.isdigit() and b.isdigit():
            place = words.index(a)
            return " ".join([*words[: place + 1], "instead of", b, *words[place + 1 :]])
    return f"{phrase} instead of {base}"
