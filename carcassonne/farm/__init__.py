"""Many games spread over processes or machines, for tournaments and playtests alike."""
