"""Forwarded connections between two nodes, without a bus: frames are passed by hand."""

from __future__ import annotations

from croupier.cluster.links import ALL_BEATS, SILENT, Links, Stream
from croupier.cluster.messages import CLOSE, INPUT, OUTPUT, Frame

A, B = 1, 2


class End:
    """One end of a connection; remembers what it heard."""

    def __init__(self) -> None:
        self.heard: list[tuple[int, bytes]] = []
        self.reason = ""

    def received(self, kind: int, payload: bytes) -> None:
        self.heard.append((kind, payload))

    def lost(self, reason: str) -> None:
        self.reason = reason


class Pair:
    """Two nodes; what one posts waits until `carry`."""

    def __init__(self) -> None:
        self.waiting: list[tuple[int, int, Frame]] = []
        self.far = End()
        self.accepted: list[tuple[Stream, bytes]] = []
        self.refuse = False
        self.a = Links(lambda node, frame: self.waiting.append((A, node, frame)), self._accept)
        self.b = Links(lambda node, frame: self.waiting.append((B, node, frame)), self._accept)
        self.near = End()
        self.stream = self.a.open(B, b"table 7", self.near, 0.0)

    def _accept(self, stream: Stream, payload: bytes) -> End | None:
        self.accepted.append((stream, payload))
        return None if self.refuse else self.far

    def check_ended(self) -> None:
        """Check that the connection has ended on both sides."""
        assert self.far.reason
        assert self.near.reason
        assert [len(self.a), len(self.b)] == [0, 0]

    def carry(self, lose: int | None = None, times: int = 1) -> None:
        """Deliver everything that waits, except the frame number *lose*, each as often as *times*."""
        while self.waiting:
            waiting, self.waiting = self.waiting, []
            for place, (sender, receiver, frame) in enumerate(waiting):
                for _ in range(0 if place == lose else times):
                    (self.a if receiver == A else self.b).receive(sender, frame, 0.0)
            lose = None


def test_frames_arrive_in_both_directions() -> None:
    pair = Pair()
    pair.stream.send(INPUT, b"hello")
    pair.carry()
    (far, payload), *_ = pair.accepted
    far.send(OUTPUT, b"welcome")
    pair.carry()
    assert payload == b"table 7"
    assert pair.far.heard == [(INPUT, b"hello")]
    assert pair.near.heard == [(OUTPUT, b"welcome")]


def test_a_copy_is_ignored() -> None:
    pair = Pair()
    pair.stream.send(INPUT, b"once")
    pair.carry(times=2)
    assert len(pair.accepted) == 1
    assert pair.far.heard == [(INPUT, b"once")]


def test_a_gap_ends_the_connection_on_both_sides() -> None:
    pair = Pair()
    pair.stream.send(INPUT, b"lost")
    pair.stream.send(INPUT, b"heard")
    pair.carry(lose=1)
    assert pair.far.heard == []
    pair.check_ended()


def test_the_last_frame_is_missed_at_the_next_beat() -> None:
    pair = Pair()
    pair.carry()
    pair.stream.send(INPUT, b"lost")
    pair.carry(lose=0)
    assert not pair.far.reason
    pair.a.tick(1.0)
    pair.carry()
    pair.check_ended()


def test_a_lost_opening_is_noticed() -> None:
    pair = Pair()
    pair.carry(lose=0)
    pair.stream.send(INPUT, b"into the void")
    pair.carry()
    assert pair.near.reason


def test_a_connection_whose_end_was_lost_is_forgotten() -> None:
    pair = Pair()
    pair.carry()
    far, _ = pair.accepted[0]
    far.send(CLOSE)
    far.end()
    pair.carry(lose=0)
    for _ in range(ALL_BEATS):
        pair.a.tick(0.0)
    pair.carry()
    assert pair.near.reason
    assert not len(pair.a)


def test_what_was_lost_in_a_silence_is_noticed_after_it() -> None:
    pair = Pair()
    pair.a.tick(1.0)
    pair.waiting.clear()  # neither the opening nor the beat arrives
    pair.b.open(A, b"table 9", End(), 2.5)  # the first frame that arrives
    (opening,) = pair.waiting
    pair.waiting.clear()
    pair.a.receive(B, opening[2], 2.5)
    pair.a.tick(2.6)
    pair.carry()
    assert pair.near.reason


def test_a_refused_connection_ends() -> None:
    pair = Pair()
    pair.refuse = True
    pair.carry()
    assert pair.near.reason
    assert not len(pair.b)


def test_a_silent_node_loses_its_connections() -> None:
    pair = Pair()
    pair.a.tick(SILENT)
    assert not pair.near.reason
    pair.a.tick(SILENT + 0.1)
    assert pair.near.reason


def test_a_node_that_stops_ends_its_connections_at_the_other_node() -> None:
    pair = Pair()
    pair.carry()
    pair.a.drop_all("the node stops")
    pair.carry()
    pair.check_ended()


def test_an_earlier_silence_does_not_count() -> None:
    pair = Pair()
    pair.carry()
    pair.stream.end()
    pair.a.open(B, b"table 8", pair.near, 100.0)
    pair.a.tick(100.5)
    assert not pair.near.reason


def test_both_nodes_may_use_the_same_number() -> None:
    pair = Pair()
    back = End()
    other = pair.b.open(A, b"table 9", back, 0.0)
    pair.carry()
    assert other.number == pair.stream.number
    other.send(INPUT, b"from b")
    pair.stream.send(INPUT, b"from a")
    pair.carry()
    assert pair.far.heard == [(INPUT, b"from b"), (INPUT, b"from a")]
    assert [back.heard, pair.near.heard] == [[], []]
