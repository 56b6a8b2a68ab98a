"""G13: a simulated house. Several nodes, a database, a bus and clients run in virtual time; one integer, the
seed, determines everything.

Leases, forwarding, messages and the bus are those of `croupier.cluster`. The database, the tables and the
clients are small models: the database fences every write as store/postgres_writer.py does; a table takes
moves in turn, stores each before it acknowledges and tells it, and ends after `MOVES`; a client reconnects to
any node and continues from the last number it has seen. For the first `TROUBLE` seconds nodes are killed,
paused, and cut off from the database or the bus; the database is slow, unreachable or full; and the bus
loses, doubles and delays messages.
"""

from __future__ import annotations

import heapq
import marshal
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from random import Random
from typing import Final, NamedTuple

from chaos.outcome import Outcome, Problems, Tell, none_of, some_of
from chaos.spread import spread
from croupier.cluster.bus import Network
from croupier.cluster.lease import LEASE, Lease
from croupier.cluster.links import BEAT_SECONDS, Links, Stream
from croupier.cluster.messages import CLOSE, GONE, INPUT, OUTPUT, Batch, Frame, read, write

KEY: Final = b"the key of the simulated house"
NODES: Final = 3
TABLES: Final = 3
SEATS: Final = 3
MOVES: Final = 15
TROUBLE: Final = 12.0
PATIENCE: Final = 60.0
"""Seconds after the trouble in which every table has to end."""
DELAY: Final = (0.001, 0.02)
"""The shortest and the longest delay of a message in seconds."""
TICK: Final = 0.5
WATCH: Final = 0.25
CHUNK: Final = 500
STILL: Final = 6.0
"""Seconds without a frame after which a client connects again."""

FAULTS: Final = (
    "ack before commit",
    "no fence",
    "lease by local clock",
    "no sequence check",
    "double takeover",
)
"""Mistakes that a test can plant; the simulation has to find each of them."""


class Entry(NamedTuple):
    """A stored move."""

    move: str
    seat: int


class Violation(Exception):
    """An invariant does not hold."""


class World:
    """Time, chance, and everything that is simulated."""

    def __init__(self, seed: int, fault: str = "") -> None:
        self.chance = Random(seed)
        self.fault = fault
        self.now = 0.0
        self.moves = 0
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self.network = Network(self.later, self.chance)
        self.network.now = lambda: self.now
        self.network.delay = DELAY
        self.database = Database(self)
        self.nodes: list[Node] = []
        self._ids = count(1)
        self.clients = [Client(self, f"t{table}", seat) for table in range(TABLES) for seat in range(SEATS)]

    def later(self, seconds: float, call: Callable[[], None]) -> None:
        heapq.heappush(self._events, (self.now + seconds, next(self._order), call))

    def start_node(self, place: int) -> None:
        """Start a node in place of the one that has ended."""
        node = Node(self, next(self._ids), self.chance.uniform(-3600.0, 3600.0))
        if place < len(self.nodes):
            self.nodes[place] = node
        else:
            self.nodes.append(node)
        node.join()

    def run(self) -> None:
        """Play until every table has ended; raise Violation."""
        for table in range(TABLES):
            self.database.create(f"t{table}")
        for place in range(NODES):
            self.start_node(place)
        for client in self.clients:
            self.later(self.chance.uniform(0.0, 1.0), client.connect)
        Trouble(self).plan()
        while self._events and not all(client.over for client in self.clients):
            self.now, _, call = heapq.heappop(self._events)
            if self.now > TROUBLE + PATIENCE:
                self._check_acknowledged()
                stuck = sorted({client.table for client in self.clients if not client.over})
                raise Violation(f"tables {', '.join(stuck)} did not end")
            call()
        self._check_acknowledged()

    def _check_acknowledged(self) -> None:
        for client in self.clients:
            moves = [entry.move for entry in self.database.logs[client.table]]
            for number, move in client.acknowledged.items():
                if moves[number : number + 1] != [move]:
                    raise Violation(f"{client.table}: move {number}, acknowledged as {move}, is lost")
            if len(set(moves)) != len(moves):
                raise Violation(f"{client.table}: a move was applied twice")


class Trouble:
    """Makes the faults, and ends them."""

    def __init__(self, world: World) -> None:
        self._world = world

    def plan(self) -> None:
        chance = self._world.chance
        kinds = [self._kill, self._pause, self._cut_database, self._cut_bus, self._cut_both]
        kinds += [self._database_away, self._database_slow, self._database_full, self._lossy, self._bus_slow]
        for _ in range(chance.randint(2, 6)):
            self._world.later(chance.uniform(0.5, TROUBLE), chance.choice(kinds))

    def _node(self) -> Node:
        return self._world.chance.choice(self._world.nodes)

    def _kill(self) -> None:
        self._node().die()

    def _pause(self) -> None:
        node = self._node()
        node.paused = True
        self._end(8.0, node.resume)

    def _cut_database(self) -> None:
        node = self._node().id
        self._world.database.cut.add(node)
        self._end(8.0, lambda: self._world.database.cut.discard(node))

    def _cut_bus(self) -> None:
        node = self._node().id
        self._world.network.cut.add(node)
        self._end(8.0, lambda: self._world.network.cut.discard(node))

    def _cut_both(self) -> None:
        self._cut_database()
        self._cut_bus()

    def _database_away(self) -> None:
        self._world.database.away = True
        self._end(6.0, lambda: setattr(self._world.database, "away", False))

    def _database_slow(self) -> None:
        self._world.database.delay = 0.7
        self._end(4.0, lambda: setattr(self._world.database, "delay", 0.005))

    def _database_full(self) -> None:
        self._world.database.full = True
        self._end(3.0, lambda: setattr(self._world.database, "full", False))

    def _lossy(self) -> None:
        self._world.network.loss = self._world.chance.uniform(0.01, 0.2)
        self._world.network.doubling = 0.1
        self._end(5.0, self._healthy)

    def _bus_slow(self) -> None:
        self._world.network.delay = (0.0, self._world.chance.uniform(0.1, 2.0))
        self._end(5.0, lambda: setattr(self._world.network, "delay", DELAY))

    def _healthy(self) -> None:
        self._world.network.loss = self._world.network.doubling = 0.0

    def _end(self, most: float, call: Callable[[], None]) -> None:
        self._world.later(self._world.chance.uniform(0.2, most), call)


# The database


@dataclass(slots=True)
class Thing:
    owner: int = 0
    epoch: int = 0


@dataclass(slots=True)
class Request:
    """A request of a node to the database; repeated until it is known to be done."""

    work: Callable[[int], object]
    done: Callable[[object], None]
    number: int = 0


class Full(Exception):
    """The database cannot store more."""


class Lost(Exception):
    """The row of the node is gone."""


class Database:
    """Leases, ownership and logs; a stale owner writes nothing."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.leases: dict[int, float] = {}
        self.commits: dict[int, int] = {}
        self.things: dict[str, Thing] = {}
        self.logs: dict[str, list[Entry]] = {}
        self._granted: dict[tuple[str, int], int] = {}
        self.cut: set[int] = set()
        self.away = False
        self.full = False
        self.delay = 0.005

    def create(self, name: str) -> None:
        self.things[name] = Thing()
        self.logs[name] = []

    def reach(self, node: int) -> bool:
        return not self.away and node not in self.cut

    def ask(
        self, node: Node, request: Request, answer: Callable[[object], None], fail: Callable[[], None]
    ) -> None:
        """Carry out *request* after a while; the connection may be lost before or after that."""
        world = self._world

        def arrive() -> None:
            if not self.reach(node.id):
                world.later(0.05, lambda: node.do(fail))
                return
            try:
                found: object = request.work(request.number)
            except (Full, Lost) as error:
                found = error
            world.later(world.chance.uniform(0.0, self.delay), lambda: leave(found))

        def leave(found: object) -> None:
            node.do((lambda: answer(found)) if self.reach(node.id) else fail)

        world.later(world.chance.uniform(0.0, self.delay), arrive)

    def renew(self, node: Node, number: int) -> bool:
        """Renew the lease with a transaction; return False if it was committed before."""
        if node.id not in self.leases:
            raise Lost
        if self.commits[node.id] >= number:
            return False
        self.commits[node.id] = number
        by_clock = node.wall() if self._world.fault == "lease by local clock" else self._world.now
        self.leases[node.id] = by_clock + LEASE
        return True

    def join(self, node: Node) -> None:
        self.leases[node.id] = self._world.now + LEASE
        self.commits[node.id] = 0

    def claim(self, node: Node, replaces: bool) -> list[tuple[str, int, list[Entry]]]:
        """Give *node* a share of the tables without an owner; if it *replaces* others, first remove the nodes
        whose lease has expired.
        """
        if replaces:
            for dead in [
                id for id, until in self.leases.items() if until < self._world.now and id != node.id
            ]:
                del self.leases[dead]
        orphans = [name for name, thing in self.things.items() if thing.owner not in self.leases]
        taken = orphans[: max(1, len(orphans) // len(self.leases) + 1)]
        if self._world.fault == "double takeover":
            for name in taken:
                self._world.later(0.1, partial(self._grant, node, name, self.things[name].epoch + 1))
            return []
        for name in taken:
            self._grant(node, name, self.things[name].epoch + 1)
        return [(name, self.things[name].epoch, list(self.logs[name])) for name in taken]

    def _grant(self, node: Node, name: str, epoch: int) -> None:
        self.things[name].owner, self.things[name].epoch = node.id, epoch
        other = self._granted.setdefault((name, epoch), node.id)
        if other != node.id:
            raise Violation(f"{name}: nodes {other} and {node.id} both own epoch {epoch}")

    def append(self, node: Node, name: str, epoch: int, first: int, entry: Entry) -> bool:
        """Store a move; return False if *node* does not own the table."""
        if self.full:
            raise Full
        thing = self.things[name]
        owns = (thing.owner, thing.epoch) == (node.id, epoch) and node.id in self.leases
        if not owns and self._world.fault != "no fence":
            return False
        if first != len(self.logs[name]):
            return False
        if not owns:
            raise Violation(f"{name}: node {node.id} wrote with the stale epoch {epoch}")
        self.logs[name].append(entry)
        return True


# Nodes


class Peer:
    """A client as the owner of a table sees it."""

    def __init__(self, send: Callable[[bytes], None], close: Callable[[], None]) -> None:
        self.send = send
        self.close = close


@dataclass(slots=True)
class Table:
    """A table at its owner."""

    name: str
    epoch: int
    log: list[Entry]
    waiting: bool = False
    peers: dict[Peer, int] = field(default_factory=dict)


class Node:
    """One process."""

    def __init__(self, world: World, id: int, skew: float) -> None:
        self.id = id
        self._world = world
        self._skew = skew
        self.alive = True
        self.paused = False
        self._backlog: list[Callable[[], None]] = []
        self._bus = world.network.bus(id)
        self._bus.received = lambda data: self.do(lambda: self._hear(data))
        self._links = Links(self._post, self._accept)
        self._tables: dict[str, Table] = {}
        self._clients: dict[Connection, None] = {}
        self._queue: list[Request] = []
        self._number = 0
        self._asking = False
        self._serving = True
        self._lease = Lease(world.now)

    def wall(self) -> float:
        return self._world.now + self._skew

    def do(self, call: Callable[[], None]) -> None:
        """Carry out *call* in this process: later if it is paused, never if it has ended."""
        if self.paused:
            self._backlog.append(call)
        elif self.alive:
            call()

    def resume(self) -> None:
        self.paused = False
        backlog, self._backlog = self._backlog, []
        for call in backlog:
            self.do(call)

    def later(self, seconds: float, call: Callable[[], None]) -> None:
        self._world.later(seconds, lambda: self.do(call))

    def die(self) -> None:
        """End at once; another process takes its place."""
        if not self.alive:
            return
        self.alive = False
        self._world.network.remove(self.id)
        for client in list(self._clients):
            client.end()
        place = self._world.nodes.index(self)
        self._world.later(self._world.chance.uniform(0.5, 3.0), lambda: self._world.start_node(place))

    def join(self) -> None:
        self._submit(lambda number: self._world.database.join(self), lambda found: self._begin())

    def _begin(self) -> None:
        self._lease = Lease(self._world.now)
        self._tick()
        self._beat()
        self._watch()

    # The database

    def _submit(self, work: Callable[[int], object], done: Callable[[object], None]) -> None:
        self._queue.append(Request(work, done))
        self._next()

    def _next(self) -> None:
        if self._asking or not self._queue:
            return
        self._asking = True
        request = self._queue[0]
        if not request.number:
            self._number += 1
            request.number = self._number
        self._world.database.ask(self, request, self._answered, lambda: self.later(0.1, self._again))

    def _again(self) -> None:
        self._asking = False
        self._next()

    def _answered(self, found: object) -> None:
        self._asking = False
        request = self._queue.pop(0)
        if isinstance(found, Lost):
            self.die()
            return
        request.done(found)
        self._next()

    # Leases

    def _tick(self) -> None:
        self.later(TICK, self._tick)
        begun = self._world.now
        database = self._world.database
        acts, replaces = self._lease.acts(begun), self._lease.may_replace(begun)
        taken: list[tuple[str, int, list[Entry]]] = []

        def work(number: int) -> object:
            if database.renew(self, number) and acts:
                taken.extend(database.claim(self, replaces))
            return None

        def done(found: object) -> None:
            self._lease.renewed(begun)
            for name, epoch, log in taken:
                self._tables[name] = Table(name, epoch, log)
            if self._world.fault == "double takeover":
                self._adopt()

        self._submit(work, done)

    def _adopt(self) -> None:
        for name, thing in self._world.database.things.items():
            if thing.owner == self.id and name not in self._tables:
                self._tables[name] = Table(name, thing.epoch, list(self._world.database.logs[name]))

    def _watch(self) -> None:
        self.later(WATCH, self._watch)
        serving = self._lease.acts(self._world.now)
        if self._serving and not serving:
            for table in self._tables.values():
                self._close(table)
        self._serving = serving

    def _close(self, table: Table) -> None:
        peers, table.peers = table.peers, {}
        for peer in peers:
            peer.close()

    # Tables

    def _play(self, table: Table, peer: Peer, message: tuple[str, int, str, int]) -> None:
        kind, number, move, seat = message
        if kind == "resume":
            table.peers[peer] = seat
            for at in range(number, len(table.log)):
                self._tell(peer, seat, at, table.log[at])
        elif number < len(table.log):
            if table.log[number].move == move:
                peer.send(marshal.dumps(("ack", number, move, "")))
        elif number == len(table.log) and not table.waiting:
            self._store(table, peer, number, Entry(move, seat))

    def _store(self, table: Table, peer: Peer, number: int, entry: Entry) -> None:
        table.waiting = True
        if self._world.fault == "ack before commit":
            peer.send(marshal.dumps(("ack", number, entry.move, "")))
        outcome: list[bool] = []

        def work(transaction: int) -> object:
            database = self._world.database
            if transaction > database.commits.get(self.id, 0):
                outcome[:] = [database.append(self, table.name, table.epoch, number, entry)]
                if self._world.fault != "no fence":
                    database.renew(self, transaction)
            return None

        def done(found: object) -> None:
            table.waiting = False
            if self._tables.get(table.name) is not table:
                return
            if isinstance(found, Full) or outcome != [True]:
                self._close(table)  # rebuilt from its log
                if outcome == [False]:
                    del self._tables[table.name]
                return
            table.log.append(entry)
            peer.send(marshal.dumps(("ack", number, entry.move, "")))
            for other, seat in list(table.peers.items()):
                self._tell(other, seat, number, entry)

        self._submit(work, done)

    def _tell(self, peer: Peer, seat: int, number: int, entry: Entry) -> None:
        peer.send(
            marshal.dumps(
                ("told", number, entry.move, f"secret of {entry.seat}" if seat == entry.seat else "")
            )
        )

    # Connections

    def connect(self, connection: Connection) -> None:
        """Connect a client to a table, here or at another node."""
        self._clients[connection] = None
        name = connection.client.table
        if name in self._tables:
            self._serve_here(connection, self._tables[name])
            return

        def find(number: int) -> object:
            return self._world.database.things[name].owner

        def found(owner: object) -> None:
            assert isinstance(owner, int)
            if name in self._tables:
                self._serve_here(connection, self._tables[name])
            elif owner in (0, self.id):
                connection.end()
            else:
                edge = Edge(connection)
                edge.stream = self._links.open(owner, marshal.dumps(name), edge, self._world.now)
                connection.use(lambda data: edge.stream.send(INPUT, data), edge.gone)

        self._submit(find, found)

    def _serve_here(self, connection: Connection, table: Table) -> None:
        if not self._serving:
            connection.end()
            return
        peer = Peer(connection.tell, connection.end)

        def gone() -> None:
            table.peers.pop(peer, None)

        connection.use(lambda data: self._play(table, peer, marshal.loads(data)), gone)

    def dismiss(self, connection: Connection) -> None:
        self._clients.pop(connection, None)

    def _accept(self, stream: Stream, payload: bytes) -> Served | None:
        table = self._tables.get(marshal.loads(payload))
        return Served(self._play, table, stream) if table is not None and self._serving else None

    def _beat(self) -> None:
        self.later(BEAT_SECONDS, self._beat)
        self._links.tick(self._world.now)

    def _post(self, node: int, frame: Frame) -> None:
        self._bus.publish(node, write(KEY, Batch(self.id, node, [frame])))

    def _hear(self, data: bytes) -> None:
        batch = read(KEY, data)
        for frame in batch.frames:
            if self._world.fault == "no sequence check" and frame.kind in (INPUT, OUTPUT):
                frame = self._accept_any(batch.sender, frame)
            self._links.receive(batch.sender, frame, self._world.now)

    def _accept_any(self, sender: int, frame: Frame) -> Frame:
        stream = self._links._streams.get((sender, frame.connection, frame.kind == OUTPUT))
        if stream is None:
            return frame
        stream.heard = frame.number
        return frame


class Edge:
    """A forwarded connection at the node that accepted it."""

    stream: Stream

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def received(self, kind: int, payload: bytes) -> None:
        if kind == OUTPUT:
            self._connection.tell(payload)
        else:
            self.stream.end()
            self._connection.end()

    def lost(self, reason: str) -> None:
        self._connection.end()

    def gone(self) -> None:
        self.stream.send(GONE)
        self.stream.end()


class Served:
    """A forwarded connection at the owner of its table."""

    def __init__(
        self, play: Callable[[Table, Peer, tuple[str, int, str, int]], None], table: Table, stream: Stream
    ) -> None:
        self._play = play
        self._table = table
        self._stream = stream
        self._peer = Peer(lambda data: stream.send(OUTPUT, data), self._close)

    def received(self, kind: int, payload: bytes) -> None:
        if kind == INPUT:
            self._play(self._table, self._peer, marshal.loads(payload))
        else:
            self._stream.end()
            self._table.peers.pop(self._peer, None)

    def lost(self, reason: str) -> None:
        self._table.peers.pop(self._peer, None)

    def _close(self) -> None:
        self._stream.send(CLOSE)
        self._stream.end()


# Clients


class Connection:
    """A socket between a client and a node: reliable and in order until one side ends it."""

    def __init__(self, client: Client, node: Node) -> None:
        self.client = client
        self._world = client.world
        self._node = node
        self._up: Callable[[bytes], None] | None = None
        self._gone: Callable[[], None] = lambda: None
        self._early: list[bytes] = []
        self._ended = False

    def use(self, up: Callable[[bytes], None], gone: Callable[[], None]) -> None:
        """Set what gets the messages of the client."""
        if self._ended:
            gone()
            return
        self._up, self._gone = up, gone
        for data in self._early:
            up(data)

    def send(self, data: bytes) -> None:
        self._world.later(0.01, lambda: self._node.do(lambda: self._arrive(data)))

    def _arrive(self, data: bytes) -> None:
        if self._up is not None and not self._ended:
            self._up(data)
        else:
            self._early.append(data)

    def tell(self, data: bytes) -> None:
        self._world.later(0.01, lambda: self.client.hear(self, data))

    def end(self) -> None:
        """End it: the client connects again."""
        if self._ended:
            return
        self._ended = True
        self._node.dismiss(self)
        self._world.later(0.01, lambda: self.client.ended(self))

    def leave(self) -> None:
        """End it at the side of the client."""
        if not self._ended:
            self._ended = True
            self._node.dismiss(self)
            self._node.do(self._gone)


class Client:
    """A player: moves in turn, remembers which moves were acknowledged, and checks the moves it is told."""

    def __init__(self, world: World, table: str, seat: int) -> None:
        self.world = world
        self.table = table
        self.seat = seat
        self.acknowledged: dict[int, str] = {}
        self.over = False
        self._due = 0
        self._attempts = 0
        self._connection: Connection | None = None
        self._news = 0.0

    def connect(self) -> None:
        node = self.world.chance.choice(self.world.nodes)
        if not node.alive or self.over:
            self.world.later(0.3, self.connect) if not self.over else None
            return
        connection = self._connection = Connection(self, node)
        self._news = self.world.now
        node.do(lambda: node.connect(connection))
        connection.send(marshal.dumps(("resume", self._due, "", self.seat)))
        self._think()
        self.world.later(STILL, lambda: self._look(connection))

    def _look(self, connection: Connection) -> None:
        if self._connection is not connection or self.over:
            return
        if self.world.now - self._news >= STILL:
            connection.leave()
            self.ended(connection)
        else:
            self.world.later(STILL, lambda: self._look(connection))

    def ended(self, connection: Connection) -> None:
        if self._connection is connection:
            self._connection = None
            self.world.later(self.world.chance.uniform(0.05, 0.5), self.connect)

    def hear(self, connection: Connection, data: bytes) -> None:
        if self._connection is not connection:
            return
        kind, number, move, secret = marshal.loads(data)
        self._news = self.world.now
        if kind == "ack":
            self.acknowledged[number] = move
            self.world.moves += 1
        else:
            self._told(number, move, secret)

    def _told(self, number: int, move: str, secret: str) -> None:
        if number != self._due:
            raise Violation(f"{self.table}: seat {self.seat} was told {number}, expected {self._due}")
        log = self.world.database.logs[self.table]
        if number >= len(log) or log[number].move != move:
            raise Violation(f"{self.table}: {move} was told and is not stored")
        if secret not in ("", f"secret of {self.seat}"):
            raise Violation(f"{self.table}: seat {self.seat} was told the {secret}")
        self._due += 1
        if self._due == MOVES:
            self.over = True
        else:
            self._think()

    def _think(self) -> None:
        if self._due % SEATS == self.seat:
            number, connection = self._due, self._connection
            self.world.later(self.world.chance.uniform(0.1, 0.8), lambda: self._move(number, connection))

    def _move(self, number: int, connection: Connection | None) -> None:
        if number in self.acknowledged:
            return  # it does not repeat a move that it believes to be stored
        if number == self._due and connection is not None and connection is self._connection:
            self._attempts += 1
            move = f"{self.seat}.{number}, attempt {self._attempts}"
            connection.send(marshal.dumps(("move", number, move, self.seat)))


def run(schedules: int, seed: int, tell: Tell) -> Outcome:
    """Simulate *schedules*."""
    problems = Problems()
    moves = done = 0
    for part, acknowledged, some in spread(_some, schedules, seed, tell, CHUNK):
        problems += part
        moves += acknowledged
        done += some
    return Outcome(
        f"{done:,} schedules, {moves:,} moves acknowledged",
        [
            none_of("schedules with a broken promise", problems.many),
            some_of("moves acknowledged", moves, 20 * done),
        ],
        notes=problems.words,
    )


def _some(cases: range, seed: int) -> tuple[Problems, int, int]:
    problems = Problems()
    moves = 0
    for case in cases:
        words, acknowledged = simulate(seed * 10**9 + case)
        moves += acknowledged
        if words:
            problems.add(words)
    return problems, moves, len(cases)


def simulate(seed: int, fault: str = "") -> tuple[str, int]:
    """Run the schedule *seed*; return the violation (empty if there was none) and the number of acknowledged
    moves.
    """
    world = World(seed, fault)
    try:
        world.run()
    except Violation as error:
        return f"seed {seed}: {error}", world.moves
    return "", world.moves
