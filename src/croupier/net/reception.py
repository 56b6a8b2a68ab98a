"""The desk of one game, its connections, and what they want of the house."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from croupier.bots.strengths import filler, names
from croupier.core.contract import WATCHER, Game
from croupier.core.options import BadOptions
from croupier.games import desk as make_desk
from croupier.net.clerk import Clerk, Declined
from croupier.net.link import Carrier, Link
from croupier.net.outbox import CLOSE_SECONDS
from croupier.store.api import StoreError
from croupier.table.hall import Hall, HallFull, config_of
from croupier.wire.accounts import Register
from croupier.wire.desk import DeskConversation
from croupier.wire.talk import (
    Conversation,
    Depart,
    Enter,
    Face,
    Hang,
    Join,
    Keep,
    Note,
    Open,
    Output,
    Prove,
    Refused,
    Via,
)

log = logging.getLogger(__name__)

KEPT: Final = timedelta(days=365)
"""How long a desk remembers somebody who does not come back."""


class DeskLink(Link):
    """A connection that comes in at a desk and goes to tables and back."""

    def __init__(
        self, conversation: DeskConversation, carrier: Carrier, reception: Reception, address: str
    ) -> None:
        super().__init__(conversation, carrier)
        self.desk_side = conversation
        self._reception = reception
        self._timer: asyncio.TimerHandle | None = None
        self._relief = asyncio.Event()
        self._lost = False
        reception.admit(self, address)

    def begin(self, welcome: bool = True) -> None:
        """Greet; or turn away, if there is no room or this address has too many connections already."""
        if welcome and not self._reception.crowded(self):
            self.greet()
        else:
            self.carry_out(self.desk_side.turned_away())

    def feed(self, data: bytes) -> None:
        """Take in bytes of a stream."""
        self.carry_out(self.desk_side.feed(data, self._loop.time()))

    async def room(self) -> None:
        """Let the others have a turn, and wait until the conversation can take more."""
        await asyncio.sleep(0)
        while self.desk_side.crowded and not self.hung and not self._lost:
            self._relief.clear()
            await self._relief.wait()

    async def settle(self) -> None:
        """The peer says no more: wait until all it has said is answered, but not for ever."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                while not (self.desk_side.settled or self.hung or self._lost):
                    self._relief.clear()
                    await self._relief.wait()

    def resume(self) -> None:
        super().resume()
        self._relief.set()

    def lose(self) -> None:
        if self._lost:
            return
        self._lost = True
        self._disarm()
        self._relief.set()
        super().lose()
        self._reception.dismiss(self)

    def _note(self, note: Note, now: float) -> None:
        super()._note(note, now)
        self._relief.set()
        self._arm()

    def hang(self, hang: Hang) -> None:
        super().hang(hang)
        self._relief.set()

    def replaced(self) -> None:
        super().replaced()
        self._be_at_desk()

    def ousted(self, hang: Hang) -> None:
        self.runner = None
        self._be_at_desk()
        if hang.code != 1000:
            self.close(hang.reason)
            return
        self.desk_side.free()
        self.carry_out(self.desk_side.ousted(hang.reason, self._loop.time()))
        self.resume()

    def close(self, reason: str) -> None:
        """Say goodbye."""
        if not self.hung:
            self.carry_out(self.desk_side.closing(reason))

    def _be_at_desk(self) -> None:
        self.desk_side.seat = WATCHER
        self.desk_side.table = None

    def carry_out(self, outputs: Iterable[Output]) -> None:
        super().carry_out(outputs)
        self._arm()
        self._reception.arm()

    def _ask_house(self, output: Open | Enter | Depart | Keep | Prove | Via) -> None:
        if isinstance(output, Depart):
            runner, self.runner = self.runner, None
            if runner is not None:
                runner.detach(self)
            self._be_at_desk()
        else:
            self._reception.serve(self, output)

    # Time.

    def _arm(self) -> None:
        self._disarm()
        when = self.desk_side.wake()
        if when is not None and not self.hung and not self._lost:
            self._timer = self._loop.call_at(when, self._tick)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _tick(self) -> None:
        self._timer = None
        self.carry_out(self.desk_side.tick(self._loop.time()))
        self.resume()


class Reception:
    """Where connections of a protocol come in whose address names no table."""

    def __init__(
        self,
        hall: Hall,
        game: Game,
        kept: Mapping[str, str],
        defaults: Mapping[str, object],
        clerk: Clerk | None = None,
    ) -> None:
        """*defaults* are the options of what the desk opens by itself; BadOptions if they are wrong.

        *clerk* checks passwords; without one nobody's is right.
        """
        self._hall = hall
        self._clerk = clerk
        self._game = game
        self._links: dict[Conversation, DeskLink] = {}
        self._addresses: Counter[str] = Counter()
        self._address: dict[DeskLink, str] = {}
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.desk = make_desk(game.name, game, self, kept, defaults)
        if clerk is not None:
            clerk.rivals.append(self.desk.holder)

    @property
    def register(self) -> Register:
        return self._hall.register

    def tables(self) -> Sequence[Face]:
        """Return the running tables of the game, oldest first."""
        name = self._game.name
        return [runner.table for runner in self._hall.runners.values() if runner.table.game.name == name]

    def bots(self) -> Sequence[str]:
        """Return the bots of the game, weakest first."""
        return names(self._game)

    def filler(self) -> str:
        """Return the bot that takes a seat where nobody says which."""
        return filler(self._game)

    def crowded(self, link: DeskLink) -> bool:
        """Say whether the address of *link* has more connections than it may have."""
        return 0 < self.desk.per_address < self._addresses[self._address[link]]

    def admit(self, link: DeskLink, address: str) -> None:
        """Let a connection in."""
        self._links[link.conversation] = link
        self._address[link] = address
        self._addresses[address] += 1

    def dismiss(self, link: DeskLink) -> None:
        """The connection has ended: let the others know."""
        self._addresses[self._address.pop(link)] -= 1
        del self._links[link.conversation]
        self.direct(link.conversation.gone(self._loop.time()))

    def serve(self, link: DeskLink, output: Open | Enter | Keep | Prove | Via) -> None:
        """Do what the conversation of *link* wants of the house."""
        match output:
            case Via():
                self.direct([output])
            case Enter(table, claim, mark):
                self._enter(link, table, Join(claim, mark))
            case Open():
                self._begin(self._open(output))
            case Keep():
                self._begin(self._keep(link, output))
            case Prove():
                self._begin(self._prove(link, output))

    def direct(self, outputs: Iterable[Output]) -> None:
        """Do what the desk wants done, through its conversations."""
        for output in outputs:
            assert isinstance(output, Via), "a desk acts through its conversations"
            link = self._links.get(output.conversation)
            if link is not None:
                link.carry_out([output.output])
                link.resume()
        self.arm()

    def _enter(self, link: DeskLink, table: str, join: Join) -> None:
        runner = self._hall.runners.get(table)
        if runner is None:
            link.note(Refused(join, "no_table", f"table {table}: there is none"), self._loop.time())
            return
        link.desk_side.table = runner.table
        link.enter(runner)
        runner.post(link, join)

    async def _open(self, wanted: Open) -> None:
        words = ""
        table: Face | None = None
        try:
            table = (await self._hall.open(self._game, config_of(wanted.wish))).table
        except (BadOptions, HallFull, StoreError) as error:
            words = str(error)
        self.direct(self.desk.opened(wanted.mark, table, words, self._loop.time()))

    async def _keep(self, link: DeskLink, wanted: Keep) -> None:
        try:
            await self._hall.store.keep(self._game.name, wanted.name, wanted.data)
        except StoreError:
            log.exception("%s: what a connection asked to be kept is not", self._game.name)
            link.hang(Hang(1011, "the server cannot store anything now: come back"))
            return
        link.desk_side.kept(wanted.then)
        link.carry_out(wanted.then)
        link.resume()

    async def _prove(self, link: DeskLink, asked: Prove) -> None:
        token, words = "", "passwords are not checked here"
        if self._clerk is not None:
            try:
                _, token = await self._clerk.login(
                    asked.name, asked.password, "", self._address.get(link, "")
                )
            except Declined as declined:
                words = str(declined)
            except StoreError:
                log.exception("%s: a session cannot be stored", self._game.name)
                words = "the server cannot store anything now: come back"
        if link in self._address:  # it may have gone meanwhile
            link.carry_out(link.desk_side.after_proof(token, words, self._loop.time()))
            link.resume()

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Time and the end.

    def arm(self) -> None:
        """Have the desk woken when it wants to be."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        when = self.desk.wake()
        if when is not None:
            self._timer = self._loop.call_at(when, self._tick)

    def _tick(self) -> None:
        self._timer = None
        self.direct(self.desk.tick(self._loop.time()))

    async def note_use(self) -> None:
        """Write down what of the desk's was of use."""
        await self._hall.store.use(self._game.name, self.desk.used())

    async def forget_unused(self) -> None:
        """Forget the users who have not come for a year and sit nowhere."""
        await self.note_use()
        edge = (datetime.now(UTC) - KEPT).strftime("%Y-%m-%d")
        for name in await self._hall.store.unused(self._game.name, edge):
            if self.desk.drop(name):
                await self._hall.store.keep(self._game.name, name, None)

    def stop(self, reason: str) -> None:
        """Say goodbye to whoever is still here; the tables have said theirs."""
        if self._timer is not None:
            self._timer.cancel()
        for task in self._tasks:
            task.cancel()
        for link in list(self._links.values()):
            link.close(reason)
