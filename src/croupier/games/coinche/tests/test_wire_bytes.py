"""Any bytes, cut anywhere: the same answers, one per line, and no secret is revealed (11, 14)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.games.coinche.parsing import Command, card_of, level_of, read
from croupier.games.coinche.tests.clients import act, codes, four, hinted, house, named, table
from croupier.games.coinche.vocabulary import CARD_WORDS, CARDS, LEVELS, hands_of
from croupier.testing.house import Client
from croupier.testing.strategies import cuts, examples
from fuzz import coinche_wire

LINES = [
    b"NAME anna\r\n", b"name Zoe1\n", b"NAME ab\n", b"NAME\r\0", b"NAME carol\n",
    b"MSG hello  world\n", b"MSG\n", b"PASS\n", b"pass\r\n", b"CONTRACT 80 Hearts\n", b"CONTRACT 85 x\n",
    b"CONTRACT capot sa\r\0", b"CONTRACT\n", b"COINCHE\n", b"SURCOINCHE\n", b"PLAY 7 Hearts\n", b"PLAY T c\n",
    b"PLAY\n", b"LAST\n", b"HAND\n", b"STATE\n", b"HELP\n", b"FLY\n", b"\n", b"  \t\r\n", b"\xc3\x28\n",
    b"\xff\xfb\x01", b"\xff\xfa\x18\x00x\xff\xf0", b"\xff\xff\n", b"x" * 600 + b"\n", b"y" * 511 + b"\r\n",
    b"\r", b"\0", b"PA\x00SS\n",
]  # fmt: skip

streams = st.lists(st.sampled_from(LINES) | st.binary(max_size=12), max_size=25).map(b"".join)


def player() -> Client:
    """Return a connection whose name makes a table full."""
    place = house()
    table(place)
    for name in ("bobby", "carol", "david"):
        named(place, name)
    return place.connect()


@examples(40)
@given(streams.flatmap(lambda stream: st.tuples(st.just(stream), cuts(stream))))
def test_answers_do_not_depend_on_how_the_bytes_are_cut(given_: tuple[bytes, Sequence[bytes]]) -> None:
    stream, pieces = given_
    whole, cut = player(), player()
    whole.feed(stream)
    for piece in pieces:
        cut.feed(piece)
    assert cut.frames == whole.frames
    assert cut.connected == whole.connected


@examples(40)
@given(st.lists(st.sampled_from([line for line in LINES if line.endswith(b"\n")]), max_size=40))
def test_every_line_has_one_reply(lines: list[bytes]) -> None:
    client = player()
    client.feed(b"".join(lines))
    replies = [line for line in client.frames if line[0] in "245"]
    assert len(replies) == len([line for line in lines if line.strip()])


@examples(100)
@given(st.binary(max_size=700) | st.text(max_size=300))
def test_no_frame_raises(data: bytes | str) -> None:
    command = read(data)
    client = player()
    client.take()
    client.send(data)
    answer = client.take()
    assert (command is None) == (not answer) or isinstance(command, Command)
    assert all(len(line.encode()) <= 1022 and "\n" not in line and "\r" not in line for line in answer)


@examples(40)
@given(st.integers(0, 255), st.integers(0, 255), streams)
def test_the_fuzz_target(first: int, second: int, stream: bytes) -> None:
    coinche_wire.check(bytes([first, second]) + stream)


def test_the_fuzz_target_works_in_every_state() -> None:
    moments = [coinche_wire.player([start]).frames[-1][:3] for start in coinche_wire.STARTS]
    assert moments == ["100", "326", "320", "334"]
    coinche_wire.check(b"")


@pytest.mark.parametrize("card", range(32))
def test_every_card_is_read_as_it_is_written(card: int) -> None:
    rank, suit = CARD_WORDS[card].split()
    for words in ((rank, suit), (rank.lower(), suit.upper()), (rank, suit[0]), (rank, suit[:-1])):
        assert card_of(words) == card


def test_every_level_is_read_as_it_is_written() -> None:
    assert [level_of(level) for level in LEVELS] == list(range(11))


@pytest.mark.parametrize("seed", range(12))
def test_no_byte_depends_on_cards_that_a_player_may_not_know(seed: int) -> None:
    """Two other hands exchange cards: until one of these is played, the observer gets the same bytes."""
    rng = Random(seed)
    deck = list(range(32))
    rng.shuffle(deck)
    observer = rng.randrange(4)
    one, other = rng.sample([seat for seat in range(4) if seat != observer], 2)
    hands = hands_of(deck, 3)
    first, second = rng.choice(hands[one]), rng.choice(hands[other])
    twin = [second if card == first else first if card == second else card for card in deck]
    worlds = [_watched(cards, observer, Random(seed)) for cards in (deck, twin)]
    differs = next(at for at, (mine, theirs) in enumerate(zip(*worlds, strict=False)) if mine != theirs)
    told = {worlds[0][differs][:5], worlds[1][differs][:5]}
    assert told <= {f"331 {one + 1}", f"331 {other + 1}"}, (worlds[0][differs], worlds[1][differs])


def _watched(deck: list[int], observer: int, rng: Random) -> list[str]:
    """Return all lines to *observer* in a deal of *deck*; it sends all kinds of commands at every step."""
    place = house()
    table(place, draws=(tuple(CARDS[card] for card in deck),), card_pause=100)
    clients = four(place)
    client = clients[observer]
    for _ in range(40):
        tries = ("COINCHE", "SURCOINCHE", "CONTRACT 90 TA", f"PLAY {rng.choice(CARD_WORDS)}")
        for line in ("STATE", "HAND", "LAST", "PLAY 2 x", *(() if hinted(client) else tries)):
            client.send(line)
        act(clients)
        client.send(f"PLAY {rng.choice(CARD_WORDS)}")  # the card just played is told after a pause
        place.advance(1)
    assert 331 in codes(client.frames)
    return client.frames
