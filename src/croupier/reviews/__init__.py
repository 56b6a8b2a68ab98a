"""Reviews: what the best bot would have done at each decision of a finished match."""
