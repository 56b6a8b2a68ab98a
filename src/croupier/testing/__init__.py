"""For authors of games, wires and bots: what every game and every wire must survive."""
