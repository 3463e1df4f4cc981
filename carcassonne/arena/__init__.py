"""Tournaments between bots: schedules, results, ratings and standings."""
