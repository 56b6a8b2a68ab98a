"""Tournaments of bots and programs: fair deals, limits and verdicts, ratings with intervals."""
