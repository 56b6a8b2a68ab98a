"""One match among bots: legal, recorded, provable, and the same deal in every rotation."""

from __future__ import annotations

from copy import copy
from random import Random

import pytest

from croupier.arena.plan import Arena, Contestant
from croupier.arena.play import play_bots
from croupier.arena.schedule import due
from croupier.core import record
from croupier.core.contract import Bot, View
from croupier.games import game, names
from tests.arena.arenas import SHORT, arena, bots


def short(name: str) -> Arena:
    return arena(game=name, seats=game(name).seats[-1], options=SHORT[name], deals=1)


@pytest.mark.parametrize("name", names())
def test_a_match_ends_with_a_record_that_replays_and_proves_its_deals(name: str) -> None:
    wanted = short(name)
    found = game(name)
    results = [play_bots(wanted, play, found) for play in due(wanted, [])]
    draws = []
    for result in results:
        written = record.read(result.record)
        state = record.replay(written, found)
        assert state.over()
        assert tuple(state.scores()) == result.scores
        assert tuple(state.payoffs()) == result.payoffs
        assert written.players == list(result.play.seats)
        assert {finding.kind for finding in record.verify(written, found)} == {"given"}
        draws.append(next(entry for entry in written.entries if isinstance(entry, record.Drawn)))
    assert len(set(draws)) == 1  # the same deal for all rotations


def test_the_same_play_is_the_same_match() -> None:
    wanted = short("coinche")
    play = due(wanted, [])[0]
    once, again = (play_bots(wanted, play, game("coinche")) for _ in range(2))
    assert once.record == again.record


def test_records_can_be_left_out() -> None:
    wanted = arena(records=False, deals=1)
    assert play_bots(wanted, due(wanted, [])[0], game("coinche")).record == ""


class Raises(Bot):
    def choose(self, view: View, rng: Random) -> int:
        raise RuntimeError("no idea")


class Cheats(Bot):
    def choose(self, view: View, rng: Random) -> int:
        return next(action for action in range(1000) if action not in view.legal)


@pytest.mark.parametrize(("bot", "kind"), [(Raises(), "crash"), (Cheats(), "illegal")])
def test_a_bot_that_fails_loses_its_match(bot: Bot, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = copy(game("coinche"))  # the bots of a game are cached
    monkeypatch.setattr(found, "bots", lambda: {"random": bot, "other": bot})
    wanted = arena(contestants=(*bots("a"), Contestant("b", "other")), deals=1)
    result = play_bots(wanted, due(wanted, [])[0], found)
    assert result.verdict is not None
    assert result.verdict.kind == kind
    assert result.payoffs == ()
    record.read(result.record)
