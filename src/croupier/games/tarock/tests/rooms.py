"""Clients of the Tarock protocol in memory, for its tests: logged in, in a room, at a table."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from croupier.games.tarock import GAME
from croupier.games.tarock.tests.positions import TRANSCRIPT_HANDS, TRANSCRIPT_TALON, deck
from croupier.games.tarock.vocabulary import CARDS, names
from croupier.games.tarock.wire import TarockLobby
from croupier.testing.house import Client, VirtualHouse
from croupier.testing.rooms import Secrets, gather, house_of, start

NAMES = ("Ana", "Bor", "Cene", "Dana")


def new_house(secret: Secrets | None = None) -> VirtualHouse:
    """Return a server with the lobby of Tarock; its wall clock stands still."""
    return house_of(GAME, TarockLobby, secret=secret)


def transcript_deck() -> list[str]:
    return names(deck(TRANSCRIPT_HANDS, TRANSCRIPT_TALON))


def room_of(
    house: VirtualHouse, many: int = 4, profile: str = "full", options: Any = None, **rules: Any
) -> list[Client]:
    """Return *many* clients in a room, the owner first."""
    return gather(house, NAMES[:many], profile, name="Pri Ani", options=options, rules=rules)


def at_table(house: VirtualHouse, many: int = 4, profile: str = "full", **rules: Any) -> list[Client]:
    """Return *many* clients who have just been dealt the cards of the transcript, if no others are given."""
    if "deck" not in rules and "seed" not in rules:
        rules["deck"] = [transcript_deck()]
    clients = room_of(house, many, profile, **rules)
    start(clients)
    return clients


def events(client: Client, name: str) -> list[dict[str, Any]]:
    """Return the unread events with the name *name* (without game.tarock.)."""
    return [frame for frame in client.read() if frame.get("event") == f"game.tarock.{name}"]


class Player:
    """A player who answers every prompt with a legal action, chosen by *rng*."""

    def __init__(self, client: Client, rng: Random) -> None:
        self.client = client
        self.rng = rng
        self.id = -1
        self.hand: list[str] = []
        self.prompt: dict[str, Any] | None = None
        """The prompt that this player has not answered yet."""
        self.ended = False

    def listen(self) -> list[dict[str, Any]]:
        """Read the new messages and return them."""
        frames = self.client.read()
        for frame in frames:
            self._hear(frame)
        return frames

    def _hear(self, frame: dict[str, Any]) -> None:
        match str(frame.get("event")).removeprefix("game.tarock."):
            case "deal" | "sync":
                self.id, self.hand = frame["id"], list(frame["hand"])
            case "bid.next" | "announce.next" | "play.next":
                if frame["player_id"] == self.id and frame.get("card") in self.hand:
                    self.hand.remove(frame["card"])
                self.prompt = frame if frame["next_player"] == self.id else None
            case "callking.start" | "exchange.start":
                self.prompt = frame if frame["player_id"] == self.id else None
            case "bid.winner" | "score":
                self.prompt = None
            case "finished":
                self.ended = True

    def answer(self) -> dict[str, Any]:
        """Return a command that answers the prompt."""
        asked, self.prompt = self.prompt, None
        assert asked is not None
        match asked["event"].removeprefix("game.tarock."):
            case "bid.next":
                contract = "pass"
                if asked["valid_bids"] and (not asked["can_pass"] or self.rng.random() < 0.3):
                    contract = self.rng.choice(asked["valid_bids"][:6])
                return {"command": "game.tarock.bid", "contract": contract}
            case "callking.start":
                return {"command": "game.tarock.callking", "suit": self.rng.choice("CSHD")}
            case "exchange.start":
                return self._exchange(asked)
            case "announce.next":
                valid = [bonus for bonus in asked["valid_bonuses"] if self.rng.random() < 0.2]
                items = [item for item in asked.get("valid_kontras", []) if self.rng.random() < 0.2]
                return {"command": "game.tarock.announce", "bonuses": valid, "kontras": items}
        return {"command": "game.tarock.play", "card": self.rng.choice(asked["valid_cards"])}

    def _exchange(self, asked: dict[str, Any]) -> dict[str, Any]:
        picked = self.rng.randrange(len(asked["talon"]))
        whole = [*self.hand, *asked["talon"][picked]]
        free = [card for card in whole if card not in asked["invalid_by_set"][picked]]
        free.sort(key=lambda card: (card.startswith("T"), self.rng.random()))
        laid = free[: asked["count"]]
        self.hand = [card for card in whole if card not in laid]
        return {"command": "game.tarock.exchange", "picked": picked, "cards": laid}


def play_all(house: VirtualHouse, players: list[Player]) -> None:
    """Let *players* answer all prompts until the match has ended."""
    for _ in range(100_000):
        for player in players:
            player.listen()
        asked = next((player for player in players if player.prompt is not None), None)
        if asked is not None:
            asked.client.send(asked.answer())
        elif players[0].ended:
            return
        else:
            house.advance(3.0)
    raise AssertionError("the match does not end")


def code(answer: dict[str, Any]) -> str:
    assert "response" not in answer
    assert answer["error_description"]
    return str(answer["error"])


def disconnected(client: Client) -> int | None:
    """Return the code with which the server has ended the connection, if it has."""
    return client.disconnected.code if client.disconnected is not None else None


def create_with_deck(first: list[str]) -> str:
    """Return the command for a room whose deck begins with these cards and is otherwise valid."""
    return json.dumps(
        {"command": "lobby.room.create", "name": "x", "rules": {"deck": [[*first, *CARDS[2:]]]}}
    )
