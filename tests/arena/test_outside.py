"""Programs that connect from outside: awaited, seated, judged like those that the arena starts."""

from __future__ import annotations

import contextlib
import os
import re
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from croupier.arena.external import play_programs
from croupier.arena.jobs import ArenaFailed
from croupier.arena.outside import Gate
from croupier.arena.plan import Arena, Contestant, Limits, Result, encode
from croupier.arena.results import load, results_path
from croupier.arena.schedule import connections, due
from croupier.cli.arena_file import read
from croupier.games import game
from tests.arena import programs
from tests.arena.arenas import arena, bots
from tests.arena.lobby_programs import BODY, FAULTS
from tests.integration.servers import TIMEOUT, command, steady_port

LIMITS = Limits(seconds=20.0, start=20.0, refusals=5)
BRISK = Limits(seconds=5.0, start=20.0, refusals=5)
HASTY = Limits(seconds=2.0, start=20.0, refusals=5)
"""For programs that should be late; the others have enough time even on a busy machine."""


def wanted(wire: str = "lines", limits: Limits = LIMITS, **changes: object) -> Arena:
    contestants = (*bots("bot"), Contestant("far", listen="127.0.0.1:0", wire=wire))
    return arena(contestants=contestants, deals=1, limits=limits, **changes)


@contextlib.contextmanager
def opened(found: Arena) -> Iterator[Gate]:
    gate = Gate(found)
    try:
        yield gate
    finally:
        gate.close()


@contextlib.contextmanager
def started(file: Path, port: int, url: str = "") -> Iterator[None]:
    """Let two instances of a program play, match after match."""
    loop = f"while true; do {sys.executable} {file}; sleep 0.1; done"
    running = [
        subprocess.Popen(
            ["sh", "-c", loop],
            env={
                **os.environ,
                "CROUPIER_HOST": "127.0.0.1",
                "CROUPIER_PORT": str(port),
                "CROUPIER_NAME": f"far{number}{number}",
                "CROUPIER_URL": url,
            },
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for number in range(2)
    ]
    try:
        yield
    finally:
        for program in running:
            os.killpg(program.pid, 9)
            program.wait()


def written(folder: Path, fault: str = "good") -> Path:
    file = folder / "program.py"
    file.write_text(BODY.replace("{fault}", FAULTS[fault]))
    return file


def port_of(gate: Gate) -> int:
    return int(gate.addresses["far"].removesuffix(" (TCP)").split()[-1])


def played(gate: Gate, found: Arena, many: int) -> list[Result]:
    return [
        msgspec.json.decode(gate.submit(encode(play)).result(TIMEOUT), type=Result)
        for play in due(found, [])[:many]
    ]


@pytest.mark.slow
def test_a_program_from_outside_plays_match_after_match(tmp_path: Path) -> None:
    found = wanted()
    needed = connections(found, due(found, []))
    assert needed == {"far": 2}
    told: list[str] = []
    with opened(found) as gate, contextlib.ExitStack() as running:

        def tell(words: str, left: float) -> None:
            if not told:
                running.enter_context(started(written(tmp_path), port_of(gate)))
            told.append(words)

        gate.wait(needed, tell)
        results = played(gate, found, 2)
    assert told[0] == "far (0 of 2)"
    assert [result.verdict for result in results] == [None, None]


@pytest.mark.slow
def test_over_websockets_too_whatever_the_path(tmp_path: Path) -> None:
    found = wanted("house")
    file = tmp_path / "house.py"
    file.write_text(programs.BODY.replace("{fault}", ""))
    with opened(found) as gate, started(file, 0, gate.addresses["far"] + "house/x"):
        results = played(gate, found, 2)
    assert [result.verdict for result in results] == [None, None]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        ("insists", "illegal", "SURCOINCHE: the contract is not coinched"),
        ("hang", "timeout", "no answer within 2 s"),
        ("rubbish", "not understood", "400 Invalid command"),
    ],
)
def test_a_fault_is_a_verdict(fault: str, kind: str, words: str, tmp_path: Path) -> None:
    found = wanted(limits=HASTY if kind == "timeout" else BRISK)
    with opened(found) as gate, started(written(tmp_path, fault), port_of(gate)):
        result = played(gate, found, 1)[0]
    assert result.verdict is not None
    assert (result.verdict.kind, result.play.seats[result.verdict.seat]) == (kind, "far")
    assert words in result.verdict.words


@pytest.mark.slow
def test_one_that_hangs_up_for_good_has_lost() -> None:
    found = wanted(limits=HASTY)
    with opened(found) as gate:
        peers = [socket.create_connection(("127.0.0.1", port_of(gate))) for _ in range(2)]
        result = gate.submit(encode(due(found, [])[0]))
        for number, peer in enumerate(peers):
            peer.sendall(f"NAME far{number}{number}\r\n".encode())
        for peer in peers:
            heard = b""
            while b"\r\n311 " not in heard:  # it has been dealt a hand
                heard += (more := peer.recv(4096))
                assert more, heard
            peer.close()
        verdict = msgspec.json.decode(result.result(TIMEOUT), type=Result).verdict
    assert verdict is not None
    assert (verdict.kind, verdict.words) == ("crash", "its connection ended, and no answer within 2 s")


def closed(peer: socket.socket) -> bool:
    """Return whether the other side has closed the connection."""
    peer.settimeout(0.2)
    try:
        return peer.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("wire", ["lines", "house"])
def test_connections_that_wait_are_limited(wire: str) -> None:
    found = wanted(wire)
    with opened(found) as gate, contextlib.ExitStack() as stack:
        address = ("127.0.0.1", int(re.findall(r"\d+", gate.addresses["far"])[-1]))
        peers = [stack.enter_context(socket.create_connection(address)) for _ in range(20)]
        until = time.monotonic() + TIMEOUT
        while len(ended := select.select(peers, [], [], 0.2)[0]) < 4:
            assert time.monotonic() < until
        assert ended == peers[16:]
        assert all(closed(peer) for peer in ended)
        peers[0].close()
        while closed(another := stack.enter_context(socket.create_connection(address))):
            assert time.monotonic() < until
        assert another.fileno() > 0


THIEF = """
import os, socket
with socket.create_connection(("127.0.0.1", {port})) as peer:
    peer.sendall(b"NAME thief\\r\\n")
    try:
        raise SystemExit(f"got {peer.recv(100)}")
    except ConnectionError:
        raise SystemExit("got nothing")
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who connects")
async def test_a_program_that_was_started_cannot_play_for_one_from_outside(tmp_path: Path) -> None:
    with opened(wanted()) as gate:
        (tmp_path / "thief.py").write_text(THIEF.replace("{port}", str(port_of(gate))))
        thief = Contestant("thief", command=("{python}", "thief.py"))
        found = arena(contestants=(*bots("bot"), thief), folder=str(tmp_path), limits=LIMITS)
        result = await play_programs(found, due(found, [])[0], game("coinche"))
    assert result.verdict is not None
    assert result.verdict.words in ("ended with status 1: got b''", "ended with status 1: got nothing")


def test_nobody_comes_and_that_is_told() -> None:
    found = wanted("house", wait=0.05)
    with (
        opened(found) as gate,
        pytest.raises(ArenaFailed, match=r"not connected within 0.05 s: far \(0 of 2\)"),
    ):
        gate.wait({"far": 2}, lambda words, left: None)


def test_an_address_that_is_taken_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        contestants = (*bots("bot"), Contestant("far", listen=address, wire="own"))
        with pytest.raises(ArenaFailed, match=f"cannot listen on {address} for 'far'"):
            Gate(arena(contestants=contestants))


FILE = """
[arena]
game = "coinche"
deals = 1
wait = 50
[options]
target = 500
[[contestant]]
bot = "heuristic"
[[contestant]]
bot = "random"
[[contestant]]
name = "far"
listen = "127.0.0.1:{port}"
wire = "lines"
"""


@pytest.mark.slow
def test_an_arena_says_where_to_connect_waits_and_plays(tmp_path: Path) -> None:
    file = tmp_path / "spring.toml"
    port = steady_port()
    file.write_text(FILE.format(port=port))
    with subprocess.Popen(
        command("arena", "run", str(file), "-j", "1"),
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("to show a difference of ")
        assert process.stderr.readline() == (
            f"far: connect 2 times to 127.0.0.1 port {port} (TCP), again for each match\n"
        )
        assert process.stderr.readline() == "waiting for far (0 of 2), at most 50 s\n"
        with started(written(tmp_path), port):
            out, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 0, err
    assert "all matches played" in out
    results = load(results_path(file), read(file))[1]
    assert len(results) == 6
    assert not any(result.verdict for result in results)
    # Nothing is left to play, so the run does not wait for programs.
    done = subprocess.run(command("arena", "run", str(file)), capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "waiting" not in done.stderr
