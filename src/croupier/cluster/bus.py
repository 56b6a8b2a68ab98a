"""The bus between nodes: messages to one node or to all, in order, and possibly lost.

`MemoryBus` is a bus inside one process, whose `Network` can delay, lose, duplicate and block messages; the
bus on NATS is in nats_bus.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from random import Random

from croupier.cluster.messages import EVERYONE


class BusError(Exception):
    """The bus cannot be used; the message is one line with the cause."""


class Bus(ABC):
    """One node's access to the bus."""

    received: Callable[[bytes], None] = staticmethod(lambda data: None)
    """Called with every message for this node."""
    lost: Callable[[], None] = staticmethod(lambda: None)
    """Called when the bus cannot be reached any more."""
    restored: Callable[[], None] = staticmethod(lambda: None)
    """Called when the bus can be reached again: messages may have been lost meanwhile."""

    @property
    @abstractmethod
    def connected(self) -> bool:
        """Return True while the bus can be reached."""

    @abstractmethod
    def publish(self, node: int, data: bytes) -> None:
        """Send *data* to a node, or to all others (`EVERYONE`). Never waits; a message may be lost."""

    @abstractmethod
    async def close(self) -> None:
        """Send the queued messages, and disconnect."""


class Network:
    """Connects the buses of several nodes in memory."""

    def __init__(
        self, later: Callable[[float, Callable[[], None]], object], chance: Random | None = None
    ) -> None:
        """*later(seconds, call)* calls *call* after that time; *chance* decides about faults."""
        self._later = later
        self._chance = chance or Random(0)
        self._buses: dict[int, MemoryBus] = {}
        self.now: Callable[[], float] = lambda: 0.0
        self.delay = (0.0, 0.0)
        """The shortest and the longest delay of a message in seconds."""
        self.loss = 0.0
        """The probability that a message is lost."""
        self.doubling = 0.0
        self.cut: set[int] = set()
        """Nodes that reach no other."""
        self._due: dict[tuple[int, int], float] = {}
        """When the last message from one node to another arrives: a later one does not overtake it."""

    def bus(self, node: int) -> MemoryBus:
        """Return the bus of a new node."""
        self._buses[node] = MemoryBus(self, node)
        return self._buses[node]

    def remove(self, node: int) -> None:
        """Remove the bus of a node that has ended."""
        self._buses.pop(node, None)

    def send(self, sender: int, node: int, data: bytes) -> None:
        """Deliver *data* to a node or all, unless it is lost."""
        for receiver in list(self._buses) if node == EVERYONE else [node]:
            if (
                receiver != sender
                and not {sender, receiver} & self.cut
                and self._chance.random() >= self.loss
            ):
                for _ in range(2 if self._chance.random() < self.doubling else 1):
                    self._deliver(sender, receiver, data)

    def _deliver(self, sender: int, receiver: int, data: bytes) -> None:
        now = self.now()
        due = max(now + self._chance.uniform(*self.delay), self._due.get((sender, receiver), 0.0) + 1e-6)
        self._due[sender, receiver] = due
        self._later(due - now, lambda: self._arrive(receiver, data))

    def _arrive(self, receiver: int, data: bytes) -> None:
        bus = self._buses.get(receiver)
        if bus is not None:
            bus.received(data)


class MemoryBus(Bus):
    """The bus of one node in a `Network`."""

    def __init__(self, network: Network, node: int) -> None:
        self._network = network
        self._node = node

    @property
    def connected(self) -> bool:
        return self._node not in self._network.cut

    def publish(self, node: int, data: bytes) -> None:
        self._network.send(self._node, node, data)

    async def close(self) -> None:
        self._network.remove(self._node)
