"""Forwarded connections between nodes, without I/O and time.

The node that accepted a connection (its *edge*) opens it at the node that serves it. Every frame of a
connection has a number, counted from 0 in each direction. The bus may lose a message: a frame with a wrong
number, or a beat with a count that does not match, ends the connection on both sides. So a stream has no
silent gap. A frame that arrives twice is ignored. Every node beats to those with which it shares connections;
a node that is silent for `SILENT` seconds loses them. After a shorter silence the next beat names all of
them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from struct import Struct
from typing import Final, Protocol

from croupier.cluster.messages import BEAT, OPEN, RESET, Frame

BEAT_SECONDS: Final = 1.0
SHORT_SILENCE: Final = 1.3
SILENT: Final = 3.0
ALL_BEATS: Final = 10
"""One in this many beats names all connections, so that one whose end was lost is noticed."""
LOST: Final = "a message between two nodes was lost"

_COUNT: Final = Struct("!?QI")


class User(Protocol):
    """What uses one end of a forwarded connection."""

    def received(self, kind: int, payload: bytes) -> None:
        """Process a frame of the other end."""
        ...

    def lost(self, reason: str) -> None:
        """Note that the connection has ended because of the bus or the other node."""
        ...


class Stream:
    """One end of a forwarded connection."""

    def __init__(self, links: Links, peer: int, number: int, edge: bool) -> None:
        self._links = links
        self.peer = peer
        """The other node."""
        self.number = number
        self.edge = edge
        """True at the node that accepted the connection."""
        self.user: User | None = None
        self.sent = 0
        self.heard = 0
        self.active = True
        """True if something was sent since the last beat."""

    def send(self, kind: int, payload: bytes = b"") -> None:
        """Send a frame to the other end; do nothing after the end."""
        if self._links.has(self):
            frame = Frame(kind, self.number, self.sent, payload)
            self.sent += 1
            self.active = True
            self._links.post(self.peer, frame)

    def end(self) -> None:
        """Forget the connection: the last frame has been sent or received."""
        self._links.forget(self)


class Links:
    """All forwarded connections of one node."""

    def __init__(
        self,
        post: Callable[[int, Frame], None],
        accept: Callable[[Stream, bytes], User | None],
    ) -> None:
        """*post* sends a frame to a node. *accept* returns the user of a connection that another node opens
        with a payload, or None to refuse it."""
        self.post = post
        self._accept = accept
        self._streams: dict[tuple[int, int, bool], Stream] = {}
        self._opened = 0
        self._last_open: dict[int, int] = {}
        """By node: the highest number of the connections that it has opened here."""
        self._heard: dict[int, float] = {}
        """By node: when it was last heard of."""
        self._shared: Counter[int] = Counter()
        """By node: the number of connections."""
        self._beats = 0

    def __len__(self) -> int:
        return len(self._streams)

    def has(self, stream: Stream) -> bool:
        return self._streams.get((stream.peer, stream.number, stream.edge)) is stream

    def forget(self, stream: Stream) -> None:
        if self.has(stream):
            del self._streams[stream.peer, stream.number, stream.edge]
            self._shared[stream.peer] -= 1

    def open(self, peer: int, payload: bytes, user: User, now: float) -> Stream:
        """Open a connection at *peer*."""
        self._opened += 1
        stream = Stream(self, peer, self._opened, edge=True)
        self._add(stream, user, now)
        stream.send(OPEN, payload)
        return stream

    def _add(self, stream: Stream, user: User | None, now: float) -> None:
        if not self._shared[stream.peer]:
            self._heard[stream.peer] = now
        self._shared[stream.peer] += 1
        stream.user = user
        self._streams[stream.peer, stream.number, stream.edge] = stream

    def receive(self, sender: int, frame: Frame, now: float) -> None:
        """Process a frame of the node *sender*."""
        if now - self._heard.get(sender, now) > SHORT_SILENCE:
            self._name_all(sender)
        self._heard[sender] = now
        if frame.kind == BEAT:
            self._compare(sender, frame.payload)
        elif frame.kind == RESET:
            edge = frame.payload == b"\1"
            self._break(self._streams.get((sender, frame.connection, edge)), "the other node has dropped it")
        elif frame.kind == OPEN:
            self._opened_by(sender, frame, now)
        else:
            self._pass_on(sender, frame)

    def _opened_by(self, sender: int, frame: Frame, now: float) -> None:
        if frame.connection <= self._last_open.get(sender, 0):
            return  # a copy
        self._last_open[sender] = frame.connection
        stream = Stream(self, sender, frame.connection, edge=False)
        stream.heard = 1
        self._add(stream, None, now)
        stream.user = self._accept(stream, frame.payload)
        if stream.user is None:
            self.forget(stream)
            self._reset(sender, frame.connection, edge=False)

    def _pass_on(self, sender: int, frame: Frame) -> None:
        # The kinds of the two directions differ, so that a number that both nodes use is not ambiguous.
        edge = frame.kind >= FROM_OWNER
        stream = self._streams.get((sender, frame.connection, edge))
        if stream is None:
            self._reset(sender, frame.connection, edge)
        elif frame.number == stream.heard:
            stream.heard += 1
            if stream.user is not None:
                stream.user.received(frame.kind, frame.payload)
        elif frame.number > stream.heard:
            self._end_both(stream, LOST)

    def _end_both(self, stream: Stream, reason: str) -> None:
        self._reset(stream.peer, stream.number, stream.edge)
        self._break(stream, reason)

    def _reset(self, peer: int, number: int, edge: bool) -> None:
        self.post(peer, Frame(RESET, number, 0, b"\0" if edge else b"\1"))

    def _break(self, stream: Stream | None, reason: str) -> None:
        if stream is None or not self.has(stream):
            return
        self.forget(stream)
        if stream.user is not None:
            stream.user.lost(reason)

    # Beats.

    def tick(self, now: float) -> None:
        """Beat, and end the connections of nodes that are silent; call this every `BEAT_SECONDS`."""
        for peer in [
            peer for peer, many in self._shared.items() if many and now - self._heard[peer] > SILENT
        ]:
            self.drop(peer, "the other node does not answer")
        self._beats += 1
        counts: dict[int, list[bytes]] = {peer: [] for peer, many in self._shared.items() if many}
        for stream in self._streams.values():
            if stream.active or self._beats % ALL_BEATS == 0:
                stream.active = False
                counts[stream.peer].append(_COUNT.pack(not stream.edge, stream.number, stream.sent))
        for peer, found in counts.items():
            self.post(peer, Frame(BEAT, 0, 0, b"".join(found)))

    def _name_all(self, peer: int) -> None:
        """Name all connections with *peer* in the next beat: frames sent during a silence may be lost."""
        for stream in self._streams.values():
            if stream.peer == peer:
                stream.active = True

    def drop(self, peer: int, reason: str) -> None:
        """End all connections with the node *peer*, on both sides if it can be reached."""
        for stream in [stream for stream in self._streams.values() if stream.peer == peer]:
            self._end_both(stream, reason)

    def drop_all(self, reason: str) -> None:
        """End all connections."""
        for peer in list(self._shared):
            self.drop(peer, reason)

    def _compare(self, sender: int, payload: bytes) -> None:
        for edge, number, sent in _COUNT.iter_unpack(payload[: len(payload) // _COUNT.size * _COUNT.size]):
            stream = self._streams.get((sender, number, edge))
            if stream is None:
                self._reset(sender, number, edge)
            elif sent > stream.heard:
                self._end_both(stream, LOST)


FROM_OWNER: Final = 6
"""Kinds from this number on are sent by the node that serves a connection to its edge."""
