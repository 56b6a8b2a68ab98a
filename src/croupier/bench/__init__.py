"""How fast it is, measured beside something everybody knows: what `croupier bench` runs."""
