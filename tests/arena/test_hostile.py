"""Programs that attack other programs or the arena: they gain nothing, and no other program is judged."""

from __future__ import annotations

import resource
import subprocess
from pathlib import Path

import pytest

from croupier.arena import local, sandbox
from croupier.arena.external import play_programs
from croupier.arena.jobs import ArenaFailed
from croupier.arena.plan import STDIN, Contestant, Limits, Result
from croupier.arena.results import Book
from croupier.arena.sandbox import problem, sandboxed
from croupier.arena.schedule import due
from croupier.games import game
from tests.arena.arenas import SHORT, arena, bots
from tests.arena.lobby_programs import coinche_program
from tests.arena.programs import program

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="only Linux tells who connects"),
    pytest.mark.slow,
]
LIMITS = Limits(seconds=20.0, start=20.0, memory=250)


def sees_all() -> bool:
    """Return whether this process may look at the files of every other one, as root usually may."""
    words = Path("/proc/self/status").read_text().split()
    return bool(int(words[words.index("CapEff:") + 1], 16) & 1 << 19)


FIND = """
import glob, os, socket, sys, time, urllib.request

def others(wanted):
    "Return the values of other seats that are readable in their environment."
    while True:
        found = set()
        for path in glob.glob("/proc/[0-9]*/environ"):
            try:
                words = dict(word.split("=", 1) for word in open(path).read().split("\\0") if "=" in word)
            except OSError:
                continue
            if words.get("CROUPIER_NAME", "attack").startswith("victim"):
                found.add(words[wanted])
        if found:
            return sorted(found)
        time.sleep(0.01)
"""
LINES = (
    FIND
    + """
for port in others("CROUPIER_PORT"):
    peer = socket.create_connection((os.environ["CROUPIER_HOST"], int(port)))
    peer.sendall(b"NAME thief\\r\\n")
    print(peer.recv(100))
time.sleep(100)
"""
)
FRAMES = (
    FIND
    + """
import asyncio, aiohttp

async def main():
    async with aiohttp.ClientSession() as session:
        for url in others("CROUPIER_URL"):
            async with session.ws_connect(url) as socket:
                await socket.send_json({"type": "join", "name": "thief"})
                print(await socket.receive())
                await asyncio.sleep(100)

asyncio.run(main())
"""
)
HIDDEN = "import ctypes\nctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # nobody may look at its files\n"


def attack(folder: Path, code: str, wire: str = "house") -> Contestant:
    (folder / "attack.py").write_text(code)
    return Contestant("attack", command=("{python}", "attack.py"), wire=wire)


def victim(folder: Path, wire: str = "house") -> Contestant:
    one = coinche_program(folder, "good") if wire == "lines" else program(folder, "good")
    return Contestant("victim", command=one.command, wire=wire)


async def result(folder: Path, *contestants: Contestant, name: str = "coinche") -> Result:
    wanted = arena(
        contestants=contestants, game=name, options=SHORT[name], deals=1, limits=LIMITS, folder=str(folder)
    )
    return await play_programs(wanted, due(wanted, [])[0], game(name))


def judged(found: Result) -> tuple[str, str]:
    assert found.verdict is not None
    return found.play.seats[found.verdict.seat], found.verdict.kind


@pytest.mark.parametrize(("wire", "code"), [("lines", LINES), ("house", FRAMES)])
async def test_a_program_that_takes_another_seat_is_judged(wire: str, code: str, tmp_path: Path) -> None:
    found = await result(tmp_path, attack(tmp_path, code, wire), victim(tmp_path, wire))
    assert judged(found) == ("attack", "foul"), found.verdict
    assert found.verdict is not None
    assert "it connected to the seat of victim" in found.verdict.words


@pytest.mark.skipif(sees_all(), reason="CAP_SYS_PTRACE: here no process can hide")
@pytest.mark.parametrize(("wire", "code"), [("lines", LINES), ("house", FRAMES)])
async def test_a_program_that_hides_gets_no_other_seat(wire: str, code: str, tmp_path: Path) -> None:
    found = await result(tmp_path, attack(tmp_path, HIDDEN + code, wire), victim(tmp_path, wire))
    assert judged(found) == ("attack", "crash"), found.verdict  # it has been refused


TOLD = """
import json, os, sys
told = json.loads(sys.stdin.read())
for word in ("url", "token"):
    assert "CROUPIER_" + word.upper() not in os.environ
    os.environ["CROUPIER_" + word.upper()] = told[word]  # only a copy: the system does not see this change
"""


LOOK = (
    FIND.replace("words[wanted]", "words.get(wanted, 'nothing')")
    + """
sys.exit("found " + " ".join(others("CROUPIER_URL") + others("CROUPIER_TOKEN")))
"""
)


async def test_a_key_from_standard_input_is_not_in_the_environment(tmp_path: Path) -> None:
    victim(tmp_path)
    (tmp_path / "told.py").write_text(TOLD + (tmp_path / "good.py").read_text())
    one = Contestant("victim", command=("{python}", "told.py"), keys=STDIN)
    found = await result(tmp_path, *bots("bot"), one)
    assert found.verdict is None, found.verdict
    found = await result(tmp_path, attack(tmp_path, LOOK), one)
    assert found.verdict is not None
    assert found.verdict.words == "ended with status 1: found nothing nothing"


FLOOD = (
    FIND
    + """
import threading
port = int(os.environ["CROUPIER_PORT"])
held = []
def hold():
    while len(held) < 700:
        try:
            held.append(socket.create_connection(("127.0.0.1", port)))
        except OSError:
            time.sleep(0.01)
for _ in range(3):  # its own limit of open files is per process
    if not os.fork():
        break
hold()
time.sleep(100)
"""
)


async def test_a_program_that_opens_many_sockets_does_not_keep_others_out(tmp_path: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, limits[1]))
    try:
        found = await result(tmp_path, attack(tmp_path, FLOOD), victim(tmp_path))
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == limits[1]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert judged(found) == ("attack", "foul"), found.verdict


KILL = (
    FIND
    + """
import signal

def kill():
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            if b"CROUPIER_NAME=victim" in open(path, "rb").read() and "supervisor" not in open(
                path.replace("environ", "cmdline")).read():
                os.kill(int(path.split("/")[2]), signal.SIGKILL)
        except OSError:
            continue

while True:
    kill()
    time.sleep(0.01)
"""
)
SUICIDE = "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n"


def played(
    folder: Path, *contestants: Contestant, limits: Limits = LIMITS, **changes: object
) -> list[Result]:
    wanted = arena(contestants=contestants, deals=1, limits=limits, folder=str(folder), **changes)
    with Book(folder / "results.jsonl", wanted) as book:
        local.run(book, 1, lambda done: None)
        return book.results


def test_a_program_that_is_killed_by_another_is_not_judged(tmp_path: Path) -> None:
    with pytest.raises(ArenaFailed) as error:
        played(tmp_path, attack(tmp_path, KILL), victim(tmp_path))
    assert "victim ended by signal 9 beside attack, but not among bots" in str(error.value)
    assert "--sandbox" in str(error.value)


def test_a_program_that_dies_of_its_own_signal_is_judged(tmp_path: Path) -> None:
    results = played(tmp_path, attack(tmp_path, SUICIDE), victim(tmp_path))
    assert [judged(found) for found in results] == [("attack", "crash")] * 2
    assert results[0].verdict is not None
    assert "signal 11" in results[0].verdict.words


in_a_sandbox = pytest.mark.skipif(bool(problem()), reason=problem())


@in_a_sandbox
def test_in_a_sandbox_no_program_can_kill_another(tmp_path: Path) -> None:
    patient = Limits(seconds=20.0, start=5.0, memory=250)
    contestants = (attack(tmp_path, KILL), victim(tmp_path))
    results = played(tmp_path, *contestants, limits=patient, sandbox=True)
    assert [judged(found) for found in results] == [("attack", "timeout")] * 2


SPY = """
import glob, os, sys
for path in glob.glob("/proc/[0-9]*/environ"):
    if b"CROUPIER_NAME=attack" not in open(path, "rb").read():  # or "attack 2"
        print("saw", open(path.replace("environ", "cmdline")).read())
for path in ("results.jsonl", "attack.toml"):
    try:
        print("read", open(path).read())
    except PermissionError:
        print("hidden")
for path in ("notes", "/tmp/notes", "/var/tmp/notes", "/dev/shm/notes", os.path.expanduser("~/notes")):
    try:
        if os.path.exists(path):
            print("remembered", path)
        open(path, "w").write("x")
    except OSError:
        continue
sys.exit(1)
"""


@in_a_sandbox
def test_in_a_sandbox_the_results_are_hidden_and_nothing_is_remembered(tmp_path: Path) -> None:
    file = tmp_path / "attack.toml"
    file.write_text("seed")
    hidden = (str(file), str(tmp_path / "results.jsonl"))
    results = played(tmp_path, attack(tmp_path, SPY), *bots("bot"), sandbox=True, hidden=hidden)
    assert len(results) == 2
    for found in results:
        assert found.verdict is not None
        assert found.verdict.output == ("hidden", "hidden")


@in_a_sandbox
def test_in_a_sandbox_a_program_plays_as_usual(tmp_path: Path) -> None:
    results = played(tmp_path, victim(tmp_path, "lines"), *bots("bot"), sandbox=True)
    assert [found.verdict for found in results] == [None, None]


@in_a_sandbox
def test_in_a_sandbox_croupier_is_visible_even_if_it_is_in_an_empty_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment, folder = tmp_path / "environment", tmp_path / "folder"
    for new in (environment, folder, tmp_path / "other"):
        new.mkdir()
        (new / "file").write_text(new.name)
    monkeypatch.setattr(sandbox, "NEEDED", (str(environment),))
    files = [f"{tmp_path}/{name}/file" for name in ("environment", "folder", "other")]
    command = sandboxed(["cat", *files], str(folder), [f"{folder}/file"])
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "environment"
    assert done.stderr.count("No such file") == 1, (
        "the other folder is not there, and the hidden file is empty"
    )
