"""Tournaments: bots meet in games whose seats rotate over the same stacks.

`config` reads what is to be played, `schedule` says which games those are, `game` plays one,
`executor` spreads them over processes, `store` keeps them, and `run` ties all that together.
"""
