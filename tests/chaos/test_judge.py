"""The comparison of journals with what players were told, at tables with several matches."""

from __future__ import annotations

from random import Random

import pytest

import chaos.judge
from chaos.judge import Stored, judge
from chaos.players import CoinchePlayer
from croupier.games import game
from croupier.table import journal

COINCHE = game("coinche")


def began(second: int, *players: str) -> journal.Began:
    return journal.Began("m", list(players), f"2026-01-01T00:00:{second:02}Z")


def told(name: str, *cards: str) -> CoinchePlayer:
    """Return a player whose decisions were all acknowledged."""
    player = CoinchePlayer(name, Random(0))
    player.acknowledged = [(card,) for card in cards]
    player.decisions = len(cards)
    return player


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> list[Stored]:
    """Two tables: the players of the second one continue at the first one, in other seats."""
    monkeypatch.setattr(chaos.judge, "_events", lambda match: [])
    first: list[journal.AnyEntry] = [
        *(began(1, "anna", "ben"), journal.Acted(0, ["A"]), journal.Acted(1, ["B"])),
        *(began(9, "cleo", "anna"), journal.Acted(0, ["D"]), journal.Acted(1, ["E"])),
    ]
    second: list[journal.AnyEntry] = [began(5, "cleo", "dirk"), journal.Acted(0, ["C"])]
    return [Stored(COINCHE, {}, first), Stored(COINCHE, {}, second)]


def test_each_match_of_a_table_may_have_other_players(tables: list[Stored]) -> None:
    found = judge(tables, [told("anna", "A", "E"), told("ben", "B"), told("cleo", "C", "D"), told("dirk")])
    assert (found.acknowledged, found.lost, found.twice, found.torn) == (5, 0, 0, 0)


def test_a_decision_that_is_not_stored_is_lost_and_one_too_many_is_twice(tables: list[Stored]) -> None:
    assert judge(tables, [told("cleo", "C", "X", "D")]).lost == 1
    assert judge(tables, [told("cleo", "D", "C")]).lost == 1, "in another order"
    assert judge(tables, [told("anna", "A")]).twice == 1
