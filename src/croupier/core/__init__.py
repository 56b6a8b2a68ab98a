"""The rules contract and code shared by all layers; imports no other package of Croupier."""
