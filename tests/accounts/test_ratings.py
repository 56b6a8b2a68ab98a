"""Ratings from matches, accounts at a table, and what the journal contains about them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from croupier.accounts.ratings import Ratings, after
from croupier.accounts.rows import Rating
from croupier.accounts.store import AccountStore
from croupier.games import game as find_game
from croupier.store.api import MatchRow, PlayerRow, TableRow
from croupier.store.sqlite import SqliteStore
from croupier.table import journal
from croupier.table.setup import setup_of
from croupier.testing.house import VirtualTable
from croupier.wire.house import HouseConversation
from croupier.wire.identity import Account
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import token_digest

HEARTS = find_game("hearts")
COINCHE = find_game("coinche")
ANNA = Account("Anna", "id of anna")


def test_winners_go_up_and_the_uncertainty_decreases_with_matches() -> None:
    known: dict[str, Rating] = {}
    widths = []
    for _ in range(20):
        known |= after(HEARTS, ["anna", "bot a", "bot b", ""], [1, 2, 3, 4], known)
        widths.append(known["anna"].sigma)
    assert known["anna"].mu > known["bot a"].mu > known["bot b"].mu
    assert widths == sorted(widths, reverse=True)
    assert known["anna"].matches == 20
    assert set(known) == {"anna", "bot a", "bot b"}, "a guest has no rating"


def test_equal_places_change_ratings_equally() -> None:
    found = after(HEARTS, ["a", "b", "c", "d"], [1, 1, 3, 3], {})
    assert found["a"] == found["b"]
    assert found["c"] == found["d"]
    assert found["a"].mu > found["c"].mu


def test_a_bot_in_three_seats_has_one_rating() -> None:
    found = after(HEARTS, ["anna", "bot a", "bot a", "bot a"], [4, 1, 2, 3], {})
    assert found["bot a"].matches == 1
    assert found["bot a"].mu > found["anna"].mu


def test_partners_win_together() -> None:
    assert COINCHE.sides(4) == [[0, 2], [1, 3]]
    found = after(COINCHE, ["anna", "bea", "carla", "dora"], [1, 3, 1, 3], {})
    assert found["anna"] == found["carla"]
    assert found["anna"].mu > found["bea"].mu == found["dora"].mu
    # A win with a strong partner changes the rating less.
    strong = after(COINCHE, ["anna", "bea", "carla", "dora"], [1, 3, 1, 3], {"carla": Rating(45.0, 1.0, 99)})
    assert strong["anna"].mu < found["anna"].mu


def test_a_solo_match_is_not_rated() -> None:
    assert after(find_game("sagrada"), ["anna"], [1], {}) == {}


def test_the_same_matches_give_the_same_ratings() -> None:
    def fold() -> dict[str, Rating]:
        known: dict[str, Rating] = {}
        for places in ([1, 2, 3, 4], [4, 3, 2, 1], [2, 1, 2, 4]):
            known |= after(HEARTS, ["a", "b", "c", "bot x"], places, known)
        return known

    assert fold() == fold()


async def played(store: SqliteStore, table: str, game: str, who: str, when: str, config: str = "") -> None:
    """Store an unrated match at a new table; each letter of *who* is the name of a player."""
    await store.open_table(TableRow(table, game, config or '{"seats": []}', when))
    match = MatchRow(f"{table}-1", table, game, "[]", "{}", when, when, "[]", 0, 0)
    rows = [
        PlayerRow(match.id, seat, f"{one} of {table}", game, when, seat + 1) for seat, one in enumerate(who)
    ]
    await store.append(table, 0, ["{}"], [match], rows)


@pytest_asyncio.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = await SqliteStore.open(tmp_path / "games.db")
    yield store
    await store.close()


async def test_one_match_that_cannot_be_rated_does_not_stop_the_others(store: SqliteStore) -> None:
    people = AccountStore(store)
    await played(store, "t1", "chess", "abcd", "2026-01")
    await played(store, "t2", "hearts", "abcd", "2026-02")
    ratings = Ratings(store, people, lambda: "2027", delay=0.0)
    ratings.update()
    await ratings.done()
    assert await people.unrated() == []
    assert len(await people.best("hearts")) == 4
    assert await people.best("chess") == []
    await ratings.stop()


async def test_a_match_with_cards_in_its_options_is_not_rated(store: SqliteStore) -> None:
    people = AccountStore(store)
    await played(store, "t1", "sagrada", "ab", "2026", '{"seats": [], "options": {"deal": "{}"}}')
    ratings = Ratings(store, people, lambda: "2027", delay=0.0)
    ratings.update()
    await ratings.done()
    assert await people.unrated() == []
    assert await people.best("sagrada") == []


@pytest.mark.parametrize(
    "given", ['"seed": "7"', '"draws": [["2C", "3C"]]', '"opening": ["a draw"]', '"opening": ["draw 2C"]']
)
async def test_a_match_with_predictable_cards_is_not_rated(store: SqliteStore, given: str) -> None:
    people = AccountStore(store)
    await played(store, "t1", "hearts", "abcd", "2026")
    await played(store, "t2", "hearts", "abcd", "2026", f'{{"seats": [], {given}}}')
    ratings = Ratings(store, people, lambda: "2027", delay=0.0)
    ratings.update()
    await ratings.done()
    assert await people.unrated() == []
    assert sorted(who for who, _ in await people.best("hearts")) == [f"{who} of t1" for who in "abcd"]
    (listed,) = await people.results("a of t2")
    assert (listed.place, listed.mu) == (1, None), "it still is a result"


async def test_a_profile_omits_matches_of_private_tables(store: SqliteStore) -> None:
    people = AccountStore(store)
    await played(store, "t1", "hearts", "a", "2026", '{"seats":[],"private":true}')
    await played(store, "t2", "hearts", "a", "2026", '{"seats":["\\"private\\":true"]}')
    assert await people.results("a of t1") == []
    assert await people.tally("a of t1") == []
    assert len(await people.results("a of t2")) == 1
    assert len(await people.tally("a of t2")) == 1


async def test_ratings_that_are_stopped_leave_the_rest(store: SqliteStore) -> None:
    people = AccountStore(store)
    await played(store, "t1", "hearts", "ab", "2026")
    ratings = Ratings(store, people, lambda: "2027", delay=0.0)
    await ratings.stop()
    ratings.update()
    await asyncio.sleep(0)
    await ratings.stop()
    assert len(await people.unrated()) == 2


# At a table.


def made(*seats: str, accounts: bool = True) -> VirtualTable:
    options = HEARTS.table_options.read({"command_interval": 0, "round_interval": 0, "deal_interval": 0})
    spec = TableSpec(seats, {"deals": 1, "match_games": 1}, options, seed="1")
    table = VirtualTable(setup_of("t1", HEARTS, spec))
    if accounts:
        table.identities.admit(ANNA)
        table.identities.open_session(token_digest("session"), ANNA)
    return table


def play(table: VirtualTable, token: str = "session") -> None:
    client = table.connect(HouseConversation)
    client.send({"type": "join", "name": "Anna", "token": token})
    for _ in range(100):
        asked = [frame for frame in client.read() if frame["type"] == "ask"]
        if not asked:
            break
        legal = asked[-1]["legal"]
        many = 3 if legal[0].startswith("pass") else 1
        client.send({"type": "act", "turn": asked[-1]["turn"], "actions": legal[:many]})


def entry(table: VirtualTable, kind: type[journal.Entry]) -> journal.AnyEntry:
    return next(entry for entry in table.journal if isinstance(entry, kind))


def test_the_journal_contains_the_accounts_and_their_places() -> None:
    table = made("open", "bot dummy", "bot random", "bot dummy")
    play(table)
    began, ended = entry(table, journal.Began), entry(table, journal.Ended)
    assert isinstance(began, journal.Began)
    assert isinstance(ended, journal.Ended)
    assert began.who == [ANNA.id, "bot dummy", "bot random", "bot dummy"]
    assert ended.scores is not None
    assert ended.places == [1 + sum(other > own for other in ended.scores) for own in ended.scores]
    assert journal.decode(journal.encode(began)) == began


def test_the_journal_of_a_guest_has_no_account() -> None:
    table = made("open", "bot dummy", "bot dummy", "bot dummy", accounts=False)
    play(table, "session")
    assert "who" not in journal.encode(entry(table, journal.Began))
    assert "places" not in journal.encode(entry(table, journal.Ended))


def test_the_name_of_an_account_is_refused_without_its_session() -> None:
    table = made("open", "bot dummy", "bot dummy", "bot dummy", accounts=True)
    play(table, "")
    assert not any(isinstance(entry, journal.Sat) for entry in table.journal)


def test_the_attribution_survives_the_deletion_of_the_account() -> None:
    table = made("open", "bot dummy", "bot dummy", "bot dummy")
    client = table.connect(HouseConversation)
    client.send({"type": "join", "name": "x", "token": "session"})
    table.call(table.table.identities.dismiss, ANNA)
    began = entry(table, journal.Began)
    assert isinstance(began, journal.Began)
    assert began.who[0] == ANNA.id
    assert table.table.places[0].name == "Anna"
