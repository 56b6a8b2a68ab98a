"""The options of the lobby of the dice game and of the tables it opens."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.core.contract import Game
from croupier.core.options import BadOptions, Value


class Settings:
    """The options of section 13 of the protocol, given or by default, for every game the lobby starts."""

    def __init__(self, game: Game, raw: Mapping[str, object] | None = None, seed: str | None = None) -> None:
        """*raw* has options of the rules and of tables by name; raise BadOptions if one is wrong."""
        given = dict(raw or {})
        rules = {name: given.pop(name) for name in game.options.options if name in given}
        self.rules: Mapping[str, Value] = game.options.read(rules)
        self.table: Mapping[str, Value] = game.table_options.read(given)
        self.seed = seed
        """The seed of all games; random if there is none."""
        self.least = self._whole("players_min")
        self.most = self._whole("players_max")
        if self.least > self.most:
            raise BadOptions(f"option players_min={self.least}: expected at most players_max, {self.most}")
        self.solo = bool(self.table["solo"])
        if self.solo:
            self.least = self.most = 1
        self.lobby_wait = float(self._whole("lobby_wait"))
        self.user_ttl = float(self._whole("user_ttl"))
        self.idle_time = float(self._whole("idle_time"))
        self.per_address = self._whole("per_address")

    def _whole(self, name: str) -> int:
        value = self.table[name]
        assert isinstance(value, int), name
        return value
