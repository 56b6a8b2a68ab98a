"""Training of the networks behind the strength `master`; needs ``croupier[train]``. See docs/training.md."""
