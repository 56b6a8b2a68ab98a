"""Tournaments: entering, rounds and standings."""
