"""Programs that play Hearts without a strategy, over the Trend protocol and over the house protocol."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

import msgspec

from benchmarks.pace import Turns
from benchmarks.tally import Tally

Send: TypeAlias = Callable[[bytes], None]

_encode = msgspec.json.Encoder().encode


class Player(Protocol):
    """The player of one connection."""

    send: Send
    """Set when the connection is open."""

    def received(self, data: bytes) -> None: ...


def unconnected(data: bytes) -> None:
    """Placeholder for a player's `send`."""
    raise AssertionError("sent before the connection was open")


class Program:
    """A client that plays any legal card; with *turns* at the time when the move is due, otherwise
    immediately.
    """

    def __init__(self, tally: Tally, number: int, turns: Turns | None) -> None:
        """*number* counts the table's programs from 1."""
        self.send: Send = unconnected
        self._tally = tally
        self._number = number
        self._turns = turns
        self._since = 0.0

    def join(self) -> None:
        """Take a seat."""
        raise NotImplementedError

    def received(self, data: bytes) -> None:
        raise NotImplementedError

    def _move(self, frame: bytes) -> None:
        def go(since: float) -> None:
            self._tally.moves += 1
            self._tally.sent += len(frame)
            self._since = since
            self.send(frame)

        if self._turns is None:
            go(time.perf_counter())
        else:
            self._turns.asked(go)

    def _heard_of_it(self) -> None:
        if self._since:
            self._tally.moved(self._since)
            self._since = 0.0


# The Trend protocol.

TURN_END: Final = b'{"eventName":"turn_end"'
YOUR_TURN: Final = b'{"eventName":"your_turn"'
PASS_CARDS: Final = b'{"eventName":"pass_cards"'
EXPOSE_CARDS: Final = b'{"eventName":"expose_cards"'
GAME_END: Final = b'{"eventName":"game_end"'


class _Me(msgspec.Struct):
    cards: list[str] = msgspec.field(name="candidateCards")


class _Question(msgspec.Struct):
    deal: int = msgspec.field(name="dealNumber")
    round: int = msgspec.field(name="roundNumber")
    me: _Me = msgspec.field(name="self")


class _Asked(msgspec.Struct):
    data: _Question


class _Score(msgspec.Struct):
    errors: int = msgspec.field(name="errorCount")
    late: int = msgspec.field(name="timeoutCount")
    name: str = msgspec.field(name="playerName")


class _Scores(msgspec.Struct):
    players: list[_Score]


class _Ended(msgspec.Struct):
    data: _Scores


_asked = msgspec.json.Decoder(_Asked)
_ended = msgspec.json.Decoder(_Ended)


class TrendProgram(Program):
    """A program of the Trend protocol."""

    def join(self) -> None:
        name = f"program{self._number}"
        self.send(_trend("join", {"playerName": name, "playerNumber": self._number, "token": "t"}))

    def received(self, data: bytes) -> None:
        self._tally.frames += 1
        self._tally.bytes += len(data)
        if data.startswith(TURN_END):
            self._heard_of_it()
        elif data.startswith(YOUR_TURN):
            asked = _asked.decode(data).data
            card = asked.me.cards[self._tally.moves % len(asked.me.cards)]
            where: dict[str, object] = {"dealNumber": asked.deal, "roundNumber": asked.round}
            self._move(_trend("pick_card", {**where, "turnCard": card}))
        elif data.startswith(PASS_CARDS):
            asked = _asked.decode(data).data
            self.send(_trend("pass_my_cards", {"dealNumber": asked.deal, "cards": asked.me.cards[:3]}))
        elif data.startswith(EXPOSE_CARDS):
            self.send(_trend("expose_my_cards", {"dealNumber": _asked.decode(data).data.deal, "cards": []}))
        elif data.startswith(GAME_END):
            mine = f"program{self._number}"
            scores = [score for score in _ended.decode(data).data.players if score.name == mine]
            self._tally.errors += sum(score.errors + score.late for score in scores)
            self._tally.leave()


def _trend(name: str, data: dict[str, object]) -> bytes:
    return _encode({"eventName": name, "data": data})


# The house protocol.

EVENT: Final = b'{"type":"event"'
ASK: Final = b'{"type":"ask"'
REFUSED: Final = b'{"type":"refused"'
MATCH_ENDED: Final = b'"kind":"match_ended"'


class _Ask(msgspec.Struct):
    turn: int
    legal: list[str]


_ask = msgspec.json.Decoder(_Ask)


class HouseProgram(Program):
    """A program for the house protocol, which gets a view with each question but none with an event."""

    def join(self) -> None:
        who = {"name": f"program{self._number}", "token": f"token{self._number}"}
        self.send(_encode({"type": "join", **who, "seat": self._number - 1}))

    def received(self, data: bytes) -> None:
        self._tally.frames += 1
        self._tally.bytes += len(data)
        if data.startswith(EVENT):
            self._tally.events += 1
            self._heard_of_it()
            if MATCH_ENDED in data:
                self._tally.leave()
        elif data.startswith(ASK):
            asked = _ask.decode(data)
            if asked.legal[0].startswith("play "):
                self._move(_act(asked.turn, [asked.legal[self._tally.moves % len(asked.legal)]]))
            elif asked.legal[0].startswith("pass "):
                self.send(_act(asked.turn, asked.legal[:3]))
            else:
                self.send(_act(asked.turn, asked.legal[-1:]))  # the ace of hearts stays hidden
        elif data.startswith(REFUSED):
            self._tally.errors += 1


def _act(turn: int, actions: list[str]) -> bytes:
    return _encode({"type": "act", "turn": turn, "actions": actions})


class Watcher:
    """A client of the house protocol that watches a table."""

    def __init__(self, tally: Tally) -> None:
        self.send: Send = unconnected
        self._tally = tally

    def received(self, data: bytes) -> None:
        self._tally.frames += 1
        self._tally.bytes += len(data)
