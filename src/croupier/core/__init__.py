"""The rules contract and what every layer shares; imports nothing of ours."""
