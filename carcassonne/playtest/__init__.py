"""The playtest lab: what a rule, a tile or a bot does to the game, in thousands of games.

`design` says what is compared, `game` plays and measures, `run` is the loop, `results` and
`report` say what came out. `fuzz` plays games of random kinds under the invariants of
`invariants`; `shrink` makes a game that breaks one short.
"""
