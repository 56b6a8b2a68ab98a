"""Clients of the Taroky protocol in memory, for its tests: logged in, in a room, at a table."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from croupier.games.taroky import GAME
from croupier.games.taroky.parsing import COMMAND_PHASES
from croupier.games.taroky.reader import parse
from croupier.games.taroky.vocabulary import CARD, CARDS, DISCARD, OFFERED, PHASES, TALON
from croupier.games.taroky.wire import TarokyLobby
from croupier.testing.house import Client, VirtualHouse
from croupier.testing.rooms import call, gather, house_of, start

NAMES = ("ann", "bea", "cyr", "dan")
QUICK = {"botPlayTime": 0, "botThinkTime": 0, "dealPause": 0, "secretPause": 0}
COMMAND_OF: dict[str, str] = {PHASES[phase]: name for name, phase in COMMAND_PHASES.items()}


def new_house(seed: str = "taroky") -> VirtualHouse:
    """Return a server with the lobby of Taroky; its wall clock stands still."""
    return house_of(GAME, TarokyLobby, seed)


def game(client: Client, name: str, **fields: object) -> dict[str, Any]:
    """Send a command of the game and return its answer."""
    return call(client, f"game.taroky.{name}", **fields)


def error(client: Client, name: str, **fields: object) -> str:
    """Send a command of the game that is refused, and return the code."""
    answer = game(client, name, **fields)
    assert answer["command"] == f"game.taroky.{name}"
    assert answer["error_description"]
    code = answer["error"]
    assert isinstance(code, str)
    return code


def events(client: Client) -> list[dict[str, Any]]:
    """Return the unread events of the game, their names shortened."""
    found = [frame for frame in client.read() if str(frame.get("event")).startswith("game.taroky.")]
    return [{**frame, "event": frame["event"].removeprefix("game.taroky.")} for frame in found]


def room_of(house: VirtualHouse, many: int = 4, profile: str = "full", **rules: Any) -> list[Client]:
    """Return *many* clients in a room, the owner first."""
    return gather(house, NAMES[:many], profile, name="At Ann's", rules={**QUICK, **rules})


def deal_of(notation: str) -> str:
    """Return the deal of *notation* alone, without any calls."""
    return "/".join(notation.split("/")[:9]) + "/"


def at_table(
    house: VirtualHouse, many: int = 4, notation: str = "", profile: str = "full", **rules: Any
) -> list[Client]:
    """Return *many* clients who have just been dealt their cards, those of *notation* if one is given."""
    clients = room_of(house, many, profile, **rules)
    if notation:
        answer = game(clients[0], "load", notation=notation)
        assert answer.get("response") == "game.taroky.load", answer
    start(clients)
    return clients


def commands(notation: str) -> list[tuple[int, str, dict[str, Any]]]:
    """Return what players (from 0) send so that the hand is played as in *notation*."""
    read = parse(notation)
    state = GAME.new(GAME.options.read({**read.options(), "chips": ""}), 4)
    state.apply_draw(read.draw())
    out: list[tuple[int, str, dict[str, Any]]] = []
    for seat, action in read.actions():
        phase = int(state.phase)
        name = COMMAND_OF[PHASES[phase]]
        fields = answer_fields(phase, OFFERED in (state.gift2, state.gift3), action)
        if phase == DISCARD and out and out[-1][:2] == (seat, name):
            out[-1][2]["cards"] += fields["cards"]
        else:
            out.append((seat, name, fields))
        state.apply(seat, action)
    return out


def answer_fields(phase: int, offered: bool, action: int) -> dict[str, Any]:
    """Return *action* as the members of its command."""
    if action >= CARD:
        card = CARDS[action - CARD]
        return {"cards": [card]} if phase == DISCARD else {"card": card}
    if action > 1:
        return {"card": f"T{action + 13}"}
    if phase == TALON:
        return {"action": (("reject", "accept") if offered else ("pass", "draw"))[action]}
    member = {"prever": "prever", "prever_talon": "keep", "moneycards": "declare"}.get(PHASES[phase], "call")
    return {member: action == 1}


class Player:
    """A player who answers every question with a legal action, chosen by *rng*."""

    def __init__(self, client: Client, rng: Random, calls: float = 0.3) -> None:
        self.client = client
        self.rng = rng
        self.calls = calls
        self.heard: list[dict[str, Any]] = []

    def listen(self) -> list[dict[str, Any]]:
        found = events(self.client)
        self.heard += found
        return found

    def state(self) -> dict[str, Any]:
        """Ask for the state; the answer does not count as an event."""
        self.listen()
        answer = game(self.client, "state")
        self.listen()
        return answer

    def answer(self) -> bool:
        """Answer, if something is asked."""
        state = self.state()
        if not state.get("your_turn"):
            return False
        self.send(state, self.choose(state))
        return True

    def choose(self, state: dict[str, Any]) -> dict[str, Any]:
        valid: list[dict[str, Any]] = state["valid"]
        if len(valid) == 2 and state["phase"] not in ("discard", "partner", "play"):
            return valid[self.rng.random() < self.calls]
        return self.rng.choice(valid)

    def send(self, state: dict[str, Any], fields: dict[str, Any]) -> None:
        name = COMMAND_OF[state["phase"]]
        answer = game(self.client, name, **fields)
        assert answer == {"response": f"game.taroky.{name}"}, (answer, state)


def play_on(house: VirtualHouse, players: list[Player], until: Callable[[], bool]) -> None:
    """Let *players* answer all questions until *until*."""
    for _ in range(20_000):
        if until():
            for player in players:
                player.listen()
            return
        answered = [player.answer() for player in players]
        house.advance(0.1 if any(answered) else 1.0)  # stay below the limit of messages per second
    raise AssertionError("it does not end")


def until(notation: str, phase: str, **rules: Any) -> tuple[VirtualHouse, list[Client]]:
    """Return four clients who play *notation* and have come to *phase*."""
    house = new_house()
    clients = at_table(house, notation=deal_of(notation), **{"hands": 1, **rules})
    for seat, name, fields in commands(notation):
        if house.tables()[0].view(0).facts()["phase"] == phase:
            break
        assert game(clients[seat], name, **fields)["response"] == f"game.taroky.{name}"
        house.advance(5.0 if "secretPause" in rules else 0.0)
    for client in clients:
        client.take()
    return house, clients


def kinds(client: Client) -> list[str]:
    return [str(event["event"]) for event in events(client)]
