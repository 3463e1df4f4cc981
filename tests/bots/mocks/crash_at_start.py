"""Fails before it says hello."""

raise SystemExit("no licence found")
