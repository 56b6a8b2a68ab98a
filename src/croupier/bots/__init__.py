"""Players that are programs: what they share beyond one game."""
