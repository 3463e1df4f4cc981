"""Tournaments: bots meet in games whose seats rotate over the same stacks.

`config` reads what is to be played, `schedule` says which games those are, `game` plays one,
`store` keeps them, and `run` ties all that together. `standings` and the modules around it
(`elo`, `sprt`, `ratings`) say what the results are worth.
"""
