"""Alhambra with the Medina tiles: scoring rounds, and a game of purchases to play them in.

A module beside the Carcassonne engine, without ties to it. `medina` scores the Medinas of a
round, `buildings` the six ordinary kinds and a whole round in the right order, `market` is the
game of purchases, `buyers` plays it and counts how the penalties fall out, `data` reads the tiles.
"""

from __future__ import annotations

from carcassonne.alhambra.buildings import BuildingScore, RoundScore, score_buildings, score_round
from carcassonne.alhambra.buyers import BUYERS, Tally, play_game, played_games
from carcassonne.alhambra.data import Tile, TileSet, data_path, load_tiles
from carcassonne.alhambra.market import PurchaseGame
from carcassonne.alhambra.medina import (
    Item,
    MedinaError,
    MedinaOptions,
    MedinaScore,
    PlayerScore,
    score_medinas,
)

__all__ = [
    "BUYERS",
    "BuildingScore",
    "Item",
    "MedinaError",
    "MedinaOptions",
    "MedinaScore",
    "PlayerScore",
    "PurchaseGame",
    "RoundScore",
    "Tally",
    "Tile",
    "TileSet",
    "data_path",
    "load_tiles",
    "play_game",
    "played_games",
    "score_buildings",
    "score_medinas",
    "score_round",
]
