"""Bots and search, shared by all games."""
