"""Hints: only from what the seat knows, with true reasons, and only if they are fair."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from random import Random
from typing import Any

import aiohttp
import pytest

from croupier.core.contract import Game, State, turns
from croupier.core.dice import Dice
from croupier.core.reasons import in_words
from croupier.core.words import Texts
from croupier.games import game as find_game
from croupier.games import names
from croupier.reviews import service
from croupier.reviews.hint import hint
from croupier.texts import house
from croupier.wire.table_spec import TableSpec
from tests.net.rig import QUICK, Rig, database, rig

TRICKS = [name for name in names() if type(find_game(name)).reasons is not Game.reasons]


def decisions(game: Game, seed: int) -> Iterator[tuple[State, int]]:
    """Yield the positions of a match of bots, each with the seat that is to act."""
    rng = Random(seed)
    bot = game.bots()["heuristic"]
    state = game.new(game.options.read({**game.short}), max(game.seats))
    for seat in turns(state, Dice(seed)):
        yield state, seat
        state.apply(seat, bot.choose(state.view(seat), rng))


@pytest.mark.parametrize("name", names())
def test_hidden_cards_make_no_difference_to_a_hint(name: str) -> None:
    game = find_game(name)
    compared = 0
    for state, seat in islice(decisions(game, 5), 4, 60, 9):
        other = game.sample(state.view(seat), Random(compared))
        assert hint(game, state, seat, "x", 3) == hint(game, other, seat, "x", 3)
        compared += 1
    assert compared > 3


@pytest.mark.parametrize("name", TRICKS)
def test_the_reasons_are_true_and_known_to_the_seat(name: str) -> None:
    game = find_game(name)
    vocabulary: Any = import_module(f"croupier.games.{name}.vocabulary")
    words = [word.lower() for word in getattr(vocabulary, "SUIT_WORDS", vocabulary.SUITS)]
    kinds: set[str] = set()
    for at, (state, seat) in enumerate(decisions(game, 11)):
        for reason in game.reasons(state.view(seat)):
            kinds.add(str(reason["kind"]))
            if reason["kind"] == "void":
                suit = words.index(str(reason["suit"]).replace("trumps", words[-1]))
                hand = state.hands[reason["seat"]]  # type: ignore[attr-defined]  # every trick game has it
                assert not hand & vocabulary.SUIT[suit]
        if at % 10 == 0:
            other = game.sample(state.view(seat), Random(at))
            assert game.reasons(other.view(seat)) == game.reasons(state.view(seat))
    assert {"stake", "void"} <= kinds


def test_reasons_in_words() -> None:
    reasons = [
        {"kind": "stake", "number": 14},
        {"kind": "trumps", "number": 3},
        {"kind": "void", "seat": 1, "suit": "hearts"},
        {"kind": "void", "seat": 2, "suit": "clubs"},
        {"kind": "void", "seat": 1, "suit": "clubs"},
    ]
    players = ["Ann", "Bob", "Cyd"]
    english = Texts(house("en"))
    assert in_words(reasons, players, english) == (
        "Why: this trick holds 14 points, 3 trumps are still out, Bob has no hearts left"
        " and Cyd and Bob have no clubs left."
    )
    one = [{"kind": "stake", "number": 1}, {"kind": "trumps", "number": 1}]
    assert in_words(one, players, english) == "Why: this trick holds 1 point and 1 trump is still out."
    assert in_words([], players, english) == ""
    slovenian = Texts(house("sl"), "sl")
    two = [{"kind": "stake", "number": 2}, {"kind": "trumps", "number": 5}]
    assert in_words(two, players, slovenian) == "Zakaj: v tem štihu sta 2 točki in zunaj je še 5 adutov."


async def seat_at(
    server: Rig, token: str, *others: str, name: str = "ann"
) -> tuple[str, aiohttp.ClientWebSocketResponse]:
    """Open a table, join it and wait for a question; return its id."""
    seats = ["open", *(others or ["bot random"] * 3)]
    wish = {
        "game": "hearts",
        "seats": seats,
        "options": {"pass_sequence": ["none"], "expose": False},
        "table_options": QUICK,
    }
    made = (await server.post("/api/tables", wish))[1]
    link = await server.connect(f"/house/{made['id']}")
    await link.send_json({"type": "join", "name": name, "token": token})
    return made["id"], link


async def asked(link: aiohttp.ClientWebSocketResponse) -> Any:
    while (told := await link.receive_json())["type"] != "ask":
        pass
    return told


@pytest.mark.slow
async def test_a_guest_who_plays_with_bots_gets_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "BUDGET", 8)
    async with rig() as server:
        table, link = await seat_at(server, "mine")
        question = await asked(link)
        status, told = await server.post(f"/api/tables/{table}/hint", {"token": "mine"})
        assert (status, told["actions"][0] in question["legal"]) == (200, True)
        assert told["events"][0]["kind"] == "played"
        assert told["simulations"] > 0
        for token in ("another", ""):
            status, told = await server.post(f"/api/tables/{table}/hint", {"token": token})
            assert (status, told["key"]) == (401, "bad_token")


async def test_there_are_no_hints_in_rated_matches_and_with_others() -> None:
    async with database() as store, rig(store=store) as server:
        secret = {"name": "Anna", "password": "a long secret"}
        token = (await server.post("/api/account", secret))[1]["token"]
        table, link = await seat_at(server, token)
        await asked(link)
        status, told = await server.post(f"/api/tables/{table}/hint", {"token": token})
        assert (status, told["key"]) == (409, "rated")
        table, link = await seat_at(server, "mine", "open", "bot random", "bot random")
        while (await link.receive_json())["type"] != "joined":
            pass
        status, told = await server.post(f"/api/tables/{table}/hint", {"token": "mine"})
        assert (status, told["key"]) == (409, "not_alone")
        assert (await server.post("/api/tables/nothing/hint", {"token": "mine"}))[0] == 404


@pytest.mark.slow
async def test_a_player_at_a_private_table_gets_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "BUDGET", 8)
    async with rig() as server:
        game = find_game("hearts")
        options = game.options.read({"pass_sequence": ["none"], "expose": False})
        seats = ["open", *["bot random"] * 3]
        spec = TableSpec(seats, options, game.table_options.read(QUICK), private=True, invitation="p123")
        table = (await server.house.tables.open(game, spec)).table.id
        link = await server.connect(f"/house/{table}?invitation=p123")
        await link.send_json({"type": "join", "name": "ann", "token": "mine"})
        await asked(link)
        status, told = await server.post(f"/api/tables/{table}/hint", {"token": "mine"})
        assert status == 200, told
