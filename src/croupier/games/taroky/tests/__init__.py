"""Tests of Taroky."""
