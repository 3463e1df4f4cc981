"""Playtests: games played by programs to learn something about the rules or the engine.

`carcassonne.playtest.fuzz` plays games of random kinds under the invariants of
`carcassonne.playtest.invariants`; `carcassonne.playtest.shrink` makes a game that breaks one
short.
"""
