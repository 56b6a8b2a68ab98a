"""Tests of Slovenian Tarock."""
