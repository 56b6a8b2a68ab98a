"""The desk: where the connections of a protocol wait that are at no table yet, or no more.

One `Desk` a game and server, without I/O: it knows who is there, finds or opens tables for them and sends
them in. Its conversations answer one request after the other, in the order they came, also when an answer
has to wait for the table or the disk.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from croupier.core.contract import WATCHER, Game
from croupier.core.options import BadOptions
from croupier.wire.accounts import Register
from croupier.wire.lines import LineReader, Overlong
from croupier.wire.talk import (
    Accepted,
    Act,
    Conversation,
    Depart,
    Enter,
    Face,
    Hang,
    Join,
    Keep,
    Leave,
    Note,
    Open,
    Output,
    Prove,
    Refused,
    Rename,
    Say,
    Seated,
    Start,
)

CROWD: Final = 256
"""So many requests may wait on one connection; then it is not read from."""


class House(Protocol):
    """What a desk may see of the house."""

    def tables(self) -> Sequence[Face]:
        """Return the running tables of the desk's game, oldest first."""
        ...

    @property
    def register(self) -> Register:
        """Return who has which account."""
        ...

    def bots(self) -> Sequence[str]:
        """Return the names of every bot of the desk's game, weakest first."""
        ...

    def filler(self) -> str:
        """Return the bot that takes a seat where nobody says which."""
        ...


class Desk:
    """What all conversations of one game's protocol share."""

    def __init__(
        self,
        game: Game,
        house: House,
        kept: Mapping[str, str],
        defaults: Mapping[str, object] | None = None,
    ) -> None:
        """*kept* is what `Keep` has stored before, by name.

        *defaults* are options of the rules and of tables for what this desk opens by itself, and perhaps a
        ``seed`` and which ``bots`` fill seats; BadOptions says what is wrong with them.
        """
        self.game = game
        self.house = house
        self.register = house.register
        self.defaults = dict(defaults or {})
        seed = self.defaults.pop("seed", None)
        self.seed = None if seed is None else str(seed)
        self.filler = self.strength(self.defaults.pop("bots", house.filler()))
        own = game.table_options.options
        for name in self.defaults:
            if name not in own and name not in game.options.options:
                known = ", ".join([*game.options.options, *own, "seed", "bots"])
                raise BadOptions(f"option {name}: unknown, expected one of {known}")
        self.options = game.options.read({n: v for n, v in self.defaults.items() if n not in own})
        self.table_options = game.table_options.read({n: v for n, v in self.defaults.items() if n in own})

    def strength(self, name: object) -> str:
        """Return *name* if a bot is called so, or raise BadOptions."""
        known = self.house.bots()
        if not isinstance(name, str) or name not in known:
            raise BadOptions(f"option bots: {str(name)[:40]!r}, expected one of {', '.join(known)}")
        return name

    per_address = 0
    """So many connections one address may have at this desk; 0 is any number."""

    def conversation(self, token: str = "", line: bool = False) -> DeskConversation:
        """Return the wire of a new connection: *token* came with its address, if there was one; *line* where
        a protocol has a port of its own for terminals."""
        raise NotImplementedError

    def holder(self, key: str) -> str | None:
        """Return the digest of the token that a name is held with here, which nobody else may then have;
        *key* is the name as `accounts.fold` makes it."""
        return None

    def used(self) -> set[str]:
        """Return the names of what is kept and was of use since this was asked last."""
        return set()

    def drop(self, name: str) -> bool:
        """Forget what was kept under *name*, for it has been of no use for long; False if it is needed."""
        return False

    def opened(self, mark: object, table: Face | None, words: str, now: float) -> list[Output]:
        """The table that was asked for with *mark* is there, or (None) cannot be: *words* say why.

        What is to be done is done by conversations (`Via`).
        """
        return []

    def wake(self) -> float | None:
        """Return when `tick` is due, if it is."""
        return None

    def tick(self, now: float) -> list[Output]:
        """Do what was due at `wake`; conversations do it (`Via`)."""
        return []


class DeskConversation(Conversation):
    """A connection that comes in at the desk and goes to tables and back.

    Subclasses write `answer`, `tell` and whatever of `Conversation` they need.
    """

    terminator = "\n"
    """What ends a line over TCP; over a WebSocket a frame is a line."""

    def __init__(self, reader: LineReader) -> None:
        """*reader* cuts lines out of what comes over TCP."""
        super().__init__()
        self.table: Face | None = None
        """Where it is now; set by the house."""
        self._reader = reader
        self._waiting: deque[str | bytes | Overlong] = deque()
        self._busy = False
        self._turned_away = False
        """A table has not let this connection in: it goes back to the desk."""

    def answer(self, data: str | bytes | Overlong, now: float) -> list[Output]:
        """Turn one message of the peer into requests and answers. Never raises."""
        raise NotImplementedError

    def tell(self, note: Note, now: float) -> list[str]:
        """Turn what the table notes into frames."""
        raise NotImplementedError

    def ousted(self, reason: str, now: float) -> list[Output]:
        """The table has closed; this connection is back at the desk."""
        return []

    def turned_away(self) -> list[Output]:
        """There is no room for this connection: say so."""
        return [Hang(1013, "too many connections from your address")]

    def closing(self, reason: str) -> list[Output]:
        """The server stops, or has to rebuild the table: say goodbye."""
        return [Hang(1001, reason)]

    def receive(self, data: str | bytes, now: float) -> list[Output]:
        self._waiting.append(data)
        return self.resume(now)

    def feed(self, data: bytes, now: float) -> list[Output]:
        """Take in bytes of a stream, however they are cut."""
        self._waiting.extend(self._reader.feed(data))
        return self.resume(now)

    def note(self, note: Note, now: float) -> list[str]:
        if isinstance(note, Accepted | Refused | Seated):
            self._busy = False
        elif self.seat == WATCHER:
            return []  # not at the table yet, or no more
        if isinstance(note, Refused) and isinstance(note.request, Join):
            self.table = None
            self._turned_away = True
        return self.tell(note, now)

    def proved(self, token: str, words: str, now: float) -> list[Output]:
        """*token* is that of a new session of the account that was asked for; without one *words* say why."""
        return []

    def after_proof(self, token: str, words: str, now: float) -> list[Output]:
        """Go on with what waited for `Prove`."""
        self._busy = False
        outputs = self.proved(token, words, now)
        self._busy = self._busy or any(isinstance(output, _ANSWERED_LATER) for output in outputs)
        return outputs

    def kept(self, then: tuple[Output, ...]) -> None:
        """What was to be kept is on disk, and *then* is being done."""
        self._busy = any(isinstance(output, _ANSWERED_LATER) for output in then)

    @property
    def crowded(self) -> bool:
        """Say whether no more should be read from the peer for now."""
        return len(self._waiting) >= CROWD

    @property
    def settled(self) -> bool:
        """Say whether everything that has come from the peer has its answer."""
        return not (self._busy or self._waiting or self.pending())

    def hold(self) -> None:
        """Let the messages that follow wait until `free`, or an answer of a table."""
        self._busy = True

    def free(self) -> None:
        """What the last request waited for has come, or never will."""
        self._busy = False

    def pending(self) -> bool:
        return self._turned_away or (bool(self._waiting) and not self._busy)

    def resume(self, now: float) -> list[Output]:
        outputs: list[Output] = []
        if self._turned_away:
            self._turned_away = False
            outputs.append(Depart())
        while self._waiting and not self._busy:
            answered = self.answer(self._waiting.popleft(), now)
            if any(isinstance(output, _ANSWERED_LATER) for output in answered):
                self._busy = True
            outputs += answered
        return outputs


_ANSWERED_LATER: Final = (Act, Enter, Join, Keep, Leave, Open, Prove, Rename, Say, Start)
