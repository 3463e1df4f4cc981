"""The playtest lab: what a rule, a tile or a bot does to the game, in thousands of games."""
