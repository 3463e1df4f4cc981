"""The reference engine, written to be read next to the rulebook."""
