"""Tables and programs for the tests of the Hearts wire."""

from __future__ import annotations

from typing import Any

import msgspec

from croupier.games.hearts import GAME
from croupier.games.hearts.wire import HeartsConversation
from croupier.table.setup import Setup, setup_of
from croupier.testing.house import Client, VirtualTable
from croupier.wire.table_spec import TableSpec

NAMES = ["ann", "bob", "cyd", "dan"]
QUICK = {"command_interval": 0, "round_interval": 0, "deal_interval": 0, "game_interval": 0}
OWNER_ONLY = {"cards", "pickedCards", "receivedCards", "candidateCards"}
REQUESTS = {"pass_cards", "expose_cards", "your_turn"}

Frame = dict[str, Any]
KEYS = [
    *["playerNumber", "playerName", "gameScore", "errorCount", "timeoutCount", "dealScore", "scoreCards"],
    *["cards", "cardsCount", "pickedCards", "receivedCards", "receivedFrom", "exposedCards"],
    *["shootingTheMoon", "serverRandom", "initialCards", "roundCard", "candidateCards", "status", "isHuman"],
]


def setup(rules: Frame | None = None, options: Frame | None = None, **how: Any) -> Setup:
    """Return the specification of a table for four programs, without pauses unless *options* set some."""
    spec = TableSpec(
        **{
            "seats": ["open"] * 4,
            "options": rules or {},
            "table_options": {**QUICK, **(options or {})},
            "seed": "1",
            **how,
        }
    )
    return setup_of("default", GAME, spec)


class Program:
    """One client. It answers only when the test calls `answer`."""

    def __init__(
        self,
        wired: VirtualTable,
        name: str = "",
        number: object = None,
        token: str = "t",
        address: str = "here",
    ) -> None:
        """Connect from *address*, and join if there is a name."""
        self.client: Client = wired.connect(HeartsConversation, address)
        self._frames: list[Frame] = []
        if name:
            self.join(name, number, token)

    def join(self, name: object, number: object = None, token: object = "t") -> None:
        members = {"playerName": name, "playerNumber": number, "token": token}
        self.say("join", {key: value for key, value in members.items() if value is not None})

    def say(self, event: str, data: object) -> None:
        self.client.send({"eventName": event, "data": data})

    @property
    def frames(self) -> list[Frame]:
        """Return all frames it was sent, decoded."""
        self._frames += [msgspec.json.decode(frame) for frame in self.client.frames[len(self._frames) :]]
        return self._frames

    @property
    def events(self) -> list[str]:
        return [str(frame["eventName"]) for frame in self.frames]

    @property
    def last(self) -> Frame:
        return self.frames[-1]

    def find(self, event: str) -> Frame:
        """Return the data of the last frame with this name."""
        data: Frame = next(frame["data"] for frame in reversed(self.frames) if frame["eventName"] == event)
        return data

    def me(self, event: str) -> Frame:
        """Return the client's own entry in the last frame with this name."""
        name = self.client.conversation.info.places[self.client.conversation.seat].name
        found: Frame = next(p for p in self.find(event)["players"] if p["playerName"] == name)
        return found

    @property
    def asked(self) -> Frame | None:
        """Return the request that is open."""
        conversation = self.client.conversation
        if conversation.seat < 0 or conversation.info.asked(conversation.seat) is None:
            return None
        return next(frame for frame in reversed(self.frames) if frame["eventName"] in REQUESTS)

    def answer(self, pick: int = 0, expose: bool = False) -> bool:
        """Answer the open request correctly, if there is one."""
        request = self.asked
        if request is None:
            return False
        self.say(*right_answer(request, pick, expose))
        return True


def right_answer(request: Frame, pick: int = 0, expose: bool = False) -> tuple[str, Frame]:
    """Return a correct answer to *request*."""
    data = request["data"]
    choices = data["self"]["candidateCards"]
    deal = data["dealNumber"]
    match request["eventName"]:
        case "pass_cards":
            start = pick % (len(choices) - 2)
            return "pass_my_cards", {"dealNumber": deal, "cards": choices[start : start + 3]}
        case "expose_cards":
            return "expose_my_cards", {"dealNumber": deal, "cards": choices if expose else []}
        case _:
            card = choices[pick % len(choices)]
            return "pick_card", {"dealNumber": deal, "roundNumber": data["roundNumber"], "turnCard": card}


def four(wired: VirtualTable) -> list[Program]:
    """Let ann, bob, cyd and dan join."""
    return [Program(wired, name, number) for number, name in enumerate(NAMES, 1)]


def play_on(programs: list[Program], until: str | None = None, steps: int = 2000) -> None:
    """Answer every request until the first program is sent a frame *until*, or as long as any is open."""
    before = len(programs[0].frames)
    for step in range(steps):
        for program in programs:
            if until is not None and until in programs[0].events[before:]:
                return
            program.answer(step)
        if not any(program.asked for program in programs):
            return
    raise AssertionError("the game does not end")


def asked(programs: list[Program]) -> Program:
    """Return a program that has an open request."""
    return next(program for program in programs if program.asked)


def to_play(programs: list[Program]) -> Program:
    """Play until the first turn and return the program whose turn it is."""
    play_on(programs, "new_round")
    program = asked(programs)
    assert program.last["eventName"] == "your_turn"
    return program


def counts(program: Program) -> tuple[int, int, int]:
    place = program.client.conversation.info.places[program.client.conversation.seat]
    return place.errors, place.timeouts, 2 if place.late else 0


def table(rules: Frame | None = None, options: Frame | None = None) -> tuple[VirtualTable, list[Program]]:
    wired = VirtualTable(setup(rules, options))
    return wired, four(wired)
