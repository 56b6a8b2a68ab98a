"""Test kit for authors of games, wires and bots."""
