"""Accounts: names with passwords, sessions, results and ratings."""
