"""Croupier: a server for table games, with rules that programs can search and people can read."""

__version__ = "0.2.0"
