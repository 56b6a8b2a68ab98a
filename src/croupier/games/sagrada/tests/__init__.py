"""Tests of the dice game."""
