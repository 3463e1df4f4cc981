"""The options of the rules: one frozen value a game, with the presets that the editions stand for.

Owns names, defaults, allowed values and texts of the options. Each option is decided in exactly
one place of the model, which cites the rule ids given here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec

from carcassonne.errors import RulesError
from carcassonne.files import convert

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DEFAULT_PRESET", "PRESETS", "Rules", "option_help", "parse_options"]

DEFAULT_PRESET: Final = "first_edition"
PRESETS: Final[dict[str, dict[str, Any]]] = {
    "first_edition": {},
    "new_edition": {"tiny_city_points": 4, "bazaar_builder_order": "auction_then_builder"},
}
"""What each preset changes against the defaults (which are the first edition's)."""

_Points = Annotated[int, msgspec.Meta(ge=0, le=999)]
_Pieces = Annotated[int, msgspec.Meta(ge=0, le=99)]


class Rules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of a game. `Rules()` is the preset `first_edition`.

    Attributes
    ----------
    tiny_city_points : int
        What a completed city of two tiles pays (R-BASE-26). With 4 it scores as any other city.
    tiny_city_pennant_points : int
        What a pennant in such a city adds when `tiny_city_points` is not 4 (R-BASE-27).
    farm_points_per_city, castle_farm_points : int
        What a farm gets for each adjoining completed city and castle (R-BASE-22, R-CASTLE-33).
    inns_enabled : bool
        Whether inns and cathedrals count (R-BRIDGE-26).
    bridges_per_player, castles_per_player : int or None
        Pieces at the start; None: 3 each for up to 4 players, 2 each for 5 or 6, and none
        without the expansion's tiles (R-BRIDGE-1, R-CASTLE-1). 0 switches the part off.
    bridge_max_per_tile : int
        1, or 2 for a bridge on each axis (R-BRIDGE-18).
    bridge_adjacent_mode : str
        `any_adjacent`, or `placed_only`: a free bridge only on the tile just placed (R-BRIDGE-22).
    bridge_requires_road_contact : bool
        Whether a bridge must continue a road (R-BRIDGE-23).
    bridge_decline_discards : bool
        Whether a player may decline a tile that fits only with a bridge (R-BRIDGE-11).
    road_count_mode : str
        `distinct_tiles` or `segments` (R-BASE-13, R-BRIDGE-27).
    castle_chooser : str
        `owner` or `active_player_only` (R-CASTLE-4).
    castle_follower_rule : str
        `single_follower` or `sole_majority` (R-CASTLE-5).
    castle_same_turn : bool
        Whether a castle can be paid by the tile that created it (R-CASTLE-22, R-CASTLE-28).
    castle_multi_choice : str
        `player`, or `max`: the best payout is taken without asking (R-CASTLE-21).
    bazaar_mode : str
        `auction`, `draft` (R-BAZAAR-27) or `off`.
    bazaar_skip_if_short : bool
        Whether there is no auction with fewer tiles than players (R-BAZAAR-5).
    bazaar_allow_negative : bool
        Whether players may bid more than they have (R-BAZAAR-18).
    bazaar_on_set_aside : bool
        Whether a market tile that cannot be placed still opens an auction (R-BAZAAR-3).
    farmers : bool
        Whether meeples may stand on fields.
    bazaar_max_bid : int or None
        The highest bid that is allowed, None for no limit.
    bazaar_builder_order : str
        `builder_then_auction` or `auction_then_builder`; matters with builders (R-BAZAAR-24).
    bazaar_nested : str
        `ignore` or `delay`; matters with builders (R-BAZAAR-23).
    bazaar_unplaceable : str
        `redraw` or `lose_turn`: an auctioned tile that fits nowhere (R-BAZAAR-26).
    """

    tiny_city_points: _Points = 2
    tiny_city_pennant_points: _Points = 1
    farm_points_per_city: _Points = 3
    castle_farm_points: _Points = 4
    inns_enabled: bool = False
    bridges_per_player: _Pieces | None = None
    castles_per_player: _Pieces | None = None
    bridge_max_per_tile: Annotated[int, msgspec.Meta(ge=1, le=2)] = 1
    bridge_adjacent_mode: Literal["any_adjacent", "placed_only"] = "any_adjacent"
    bridge_requires_road_contact: bool = False
    bridge_decline_discards: bool = True
    road_count_mode: Literal["distinct_tiles", "segments"] = "distinct_tiles"
    castle_chooser: Literal["owner", "active_player_only"] = "owner"
    castle_follower_rule: Literal["single_follower", "sole_majority"] = "single_follower"
    castle_same_turn: bool = False
    castle_multi_choice: Literal["player", "max"] = "player"
    bazaar_mode: Literal["auction", "draft", "off"] = "auction"
    bazaar_skip_if_short: bool = True
    bazaar_allow_negative: bool = True
    bazaar_on_set_aside: bool = False
    farmers: bool = True
    bazaar_max_bid: Annotated[int, msgspec.Meta(ge=0, le=9999)] | None = None
    bazaar_builder_order: Literal["builder_then_auction", "auction_then_builder"] = (
        "builder_then_auction"
    )
    bazaar_nested: Literal["ignore", "delay"] = "ignore"
    bazaar_unplaceable: Literal["redraw", "lose_turn"] = "redraw"

    def __post_init__(self) -> None:
        for field in msgspec.structs.fields(type(self)):
            value = getattr(self, field.name)
            try:
                convert(value, field.type)
            except msgspec.ValidationError as error:
                raise RulesError(
                    f"option {field.name}: {value!r} won't do: {error} ({option_help(field.name)})"
                ) from None

    @classmethod
    def preset(cls, name: str = DEFAULT_PRESET, /, **options: object) -> Rules:
        """The rules of a preset, with single options changed.

        Raises
        ------
        RulesError
            Unknown preset or option, or a value that the option can't take.
        """
        return cls.from_data({**_preset_options(name), **options})

    @classmethod
    def from_data(cls, data: Mapping[str, object]) -> Rules:
        """Build rules from plain data; `preset` may name the preset to start from.

        Raises
        ------
        RulesError
            Naming the option and what it can be.
        """
        values: dict[str, Any] = dict(data)
        if "preset" in values:
            values = {**_preset_options(values.pop("preset")), **values}
        for name in values:
            if name not in cls.__struct_fields__:
                from difflib import get_close_matches  # noqa: PLC0415 - for a refusal only

                close = get_close_matches(str(name), cls.__struct_fields__, 1)
                hint = f"; did you mean {close[0]}?" if close else ""
                raise RulesError(f"option {name!r} is unknown{hint}")
        return cls(**values)

    def to_data(self) -> dict[str, Any]:
        """Every option by name, as plain data."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data

    def supply(self, players: int, *, expansion_8: bool) -> tuple[int, int]:
        """Bridges and castles of each player at the start (R-BRIDGE-1, R-CASTLE-1)."""
        usual = (3 if players <= 4 else 2) if expansion_8 else 0
        bridges, castles = self.bridges_per_player, self.castles_per_player
        return (
            usual if bridges is None else bridges,
            usual if castles is None else castles,
        )


def _preset_options(name: object) -> dict[str, Any]:
    if not isinstance(name, str) or name not in PRESETS:
        raise RulesError(f"preset {name!r} is unknown: it is one of {', '.join(PRESETS)}")
    return PRESETS[name]


def option_help(name: str) -> str:
    """What an option can be, in a few words."""
    info = next(f for f in msgspec.structs.fields(Rules) if f.name == name)
    schema = msgspec.json.schema(info.type)
    parts = []
    for choice in schema.get("anyOf", [schema]):
        if "enum" in choice:
            parts.append(" or ".join(choice["enum"]))
        elif choice.get("type") == "boolean":
            parts.append("true or false")
        elif choice.get("type") == "null":
            parts.append("none")
        else:
            parts.append(f"a number from {choice['minimum']} to {choice['maximum']}")
    return ", or ".join(parts)


def parse_options(texts: tuple[str, ...] | list[str]) -> dict[str, object]:
    """Read `name=value` texts of a command line.

    Raises
    ------
    RulesError
        A text without `=`. Names and values are checked when rules are made of them.
    """
    words: dict[str, object] = {"true": True, "false": False, "none": None}
    options: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise RulesError(f"option {text!r} must be written name=value")
        number = value.removeprefix("-")
        options[name.strip()] = (
            int(value)
            if number.isascii() and number.isdigit() and len(number) < 10
            else words.get(value.lower(), value)
        )
    return options
