"""Section 15 of the spec: one deal of four telnet clients, letter for letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.games.coinche import GAME
from croupier.games.coinche.tests.clients import DECKS, house, table
from croupier.testing import transcripts
from croupier.testing.house import Client

DEAL = Path(__file__).parent / "transcripts" / "deal.txt"


class Terminal:
    """A client that sends each line as a frame, or as telnet does."""

    def __init__(self, client: Client, telnet: bool) -> None:
        self._client = client
        self._telnet = telnet

    @property
    def frames(self) -> list[str]:
        return self._client.frames

    def send(self, message: object) -> None:
        if self._telnet:
            self._client.feed(b"\xff\xfd\x03" + str(message).encode() + b"\r\0")
        else:
            self._client.send(message)

    def drop(self) -> None:
        self._client.drop()


class Stage:
    """A table with the transcript's hands that shows each whole trick for a second."""

    def __init__(self, telnet: bool) -> None:
        self._house = house()
        self._telnet = telnet
        self._house.stacked = [[GAME.parse_draw(card) for card in deck] for deck in DECKS]
        table(self._house, draws=(), trick_pause=1000)

    def connect(self, name: str) -> Terminal:
        return Terminal(self._house.connect(), self._telnet)

    def advance(self, seconds: float) -> None:
        self._house.advance(seconds)

    def closed_with(self, party: transcripts.Party) -> int | None:
        return None


@pytest.mark.parametrize("telnet", [False, True])
def test_the_deal_of_the_specification(telnet: bool) -> None:
    parties = transcripts.play(transcripts.read(DEAL), Stage(telnet))
    assert sorted(parties) == ["anna", "bobby", "carol", "david"]
    assert all(len(party.frames) >= 130 for party in parties.values())
