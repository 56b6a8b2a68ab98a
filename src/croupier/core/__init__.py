"""The rules contract and code shared by all layers; imports nothing of ours."""
