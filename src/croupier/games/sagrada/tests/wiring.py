"""The lobby of the dice game in memory: clients by name, over every kind of connection."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from croupier.games.sagrada import GAME
from croupier.games.sagrada.help import WELCOME
from croupier.games.sagrada.lobby import GlassLobby
from croupier.testing.house import Client, VirtualHouse
from croupier.testing.transcripts import Step, read
from croupier.wire.talk import token_digest

TRANSCRIPTS: Final = Path(__file__).parent / "transcripts"
TOKENS: Final = {"bob": "8sWk2HqYv0Nn4RtLb6Xe", "eve": "a1B2c3D4e5F6g7H8i9J0"}
"""The users that are already registered."""
WAYS: Final = ("frames", "seed", "line")


def new_house(raw: Mapping[str, object] | None = None, seed: str = "house") -> VirtualHouse:
    """Return a server in memory whose lobby has the options *raw*; new tokens are made in a fixed order."""
    kept = {f"user {nick}": f"{nick} {token_digest(token)}" for nick, token in TOKENS.items()}
    made = iter(range(10**6))

    def new_token() -> str:
        number = next(made)
        return "k3J9xQ0aLm27TzPw5cVd" if number == 0 else f"T{number:019d}"

    return VirtualHouse(
        GAME,
        lambda game, house, now_kept: GlassLobby(game, house, {**kept, **now_kept}, raw, new_token),
        seed,
    )


class Script:
    """A transcript: its options in comments like ``#: {"lobby_wait": 5}``, and its steps."""

    def __init__(self, path: Path) -> None:
        self.name = path.stem
        self.options: dict[str, object] = {}
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("#: "):
                self.options.update(json.loads(line[3:]))
        without = self.options.pop("without", [])
        assert isinstance(without, list)
        self.without: list[str] = without
        """The kinds of connection for which the transcript differs."""
        self.steps: list[Step] = read(path)


class Party:
    """A client of a transcript, over one kind of connection."""

    def __init__(self, house: VirtualHouse, way: str) -> None:
        self._house = house
        self._way = way
        self.client: Client = house.connect(line=way == "line")

    @property
    def frames(self) -> list[str]:
        if self.client.frames and self.client.frames[0].startswith(WELCOME):
            # The welcome is longer on the line port, and if the deal is fixed.
            self.client.frames[0] = WELCOME
        return self.client.frames

    def send(self, message: object) -> None:
        text = str(message)
        if self._way == "frames":
            self.client.send(text)
        elif self._way == "line":
            self.client.feed(text.replace("\t", "  ").encode() + b"\n")
        else:
            self.client.feed(text.encode() + b"\r")
            if self.client.conversation.wake() is not None:
                self._house.advance(0.05)  # the first CR waits this long for an LF

    def drop(self) -> None:
        self.client.drop()


class Stage:
    """Where transcripts are played."""

    def __init__(self, house: VirtualHouse, way: str) -> None:
        self._house = house
        self._way = way

    def connect(self, name: str) -> Party:
        return Party(self._house, self._way)

    def advance(self, seconds: float) -> None:
        self._house.advance(seconds)

    def closed_with(self, party: object) -> int | None:
        assert isinstance(party, Party)
        disconnected = party.client.disconnected
        return None if disconnected is None else disconnected.code


def log_in(house: VirtualHouse, nick: str, events: bool = False) -> Client:
    """Return a client with this nick."""
    client = house.connect()
    if events:
        client.send("events\ton")
    client.send(f"login\t{nick}")
    if nick in TOKENS:
        client.send(f"token\t{TOKENS[nick]}")
    return client


def say(client: Client, *lines: str) -> list[str]:
    """Return the replies to *lines*."""
    for line in lines:
        client.send(line)
    return client.take()
