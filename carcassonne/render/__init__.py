"""Pictures of a game: as text, in words and as a log."""
