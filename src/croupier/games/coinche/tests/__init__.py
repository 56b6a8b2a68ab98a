"""Tests of Coinche."""
