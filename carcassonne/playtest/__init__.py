"""The playtest lab: experiments with the rules, their measures, statistics and reports."""
