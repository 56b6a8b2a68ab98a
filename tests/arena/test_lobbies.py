"""Programs of the protocols published for the games: they log in, join or create as usual, and play."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from croupier.arena.external import play_programs
from croupier.arena.plan import Contestant, Limits, Result
from croupier.arena.schedule import due
from croupier.core import record
from croupier.games import game, names
from tests.arena.arenas import SHORT, arena, bots
from tests.arena.lobby_programs import coinche_program, socket_program

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="programs are limited on POSIX alone"),
    pytest.mark.slow,
]
ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
PAGE_PROGRAMS = ROOT / "web" / "src" / "connect" / "programs"
LIMITS = Limits(seconds=20.0, start=20.0, memory=250, refusals=5)
BRISK = Limits(seconds=5.0, start=20.0, memory=250, refusals=5)
HASTY = Limits(seconds=2.0, start=20.0, memory=250, refusals=5)
"""For programs that should be late; the others have enough time even on a busy machine."""


async def result(contestant: Contestant, folder: Path, name: str, limits: Limits = LIMITS) -> Result:
    wanted = arena(
        contestants=(*bots("bot"), contestant),
        game=name,
        seats=game(name).seats[-1],
        options=SHORT[name],
        deals=1,
        limits=limits,
        folder=str(folder),
    )
    return await play_programs(wanted, due(wanted, [])[0], game(name))


def check(found: Result, name: str) -> None:
    """Check that the match was played to its end."""
    assert found.verdict is None, found.verdict
    written = record.read(found.record)
    assert tuple(record.replay(written, game(name)).payoffs()) == found.payoffs
    assert {one.kind for one in record.verify(written, game(name))} == {"given"}


@pytest.mark.parametrize(
    ("name", "wire", "command"),
    [
        ("coinche", "lines", "coinche_client.py {name} {host} {port}"),
        ("sagrada", "lines", "sagrada_client.py {name} {host} {port}"),
        ("tarock", "own", "tarock_client.py {name} 1 {url}"),
        ("tarock", "own", "tarock_client.py {name} {room} {url}"),
        ("taroky", "own", "taroky_client.py {name} 1 {url}"),
        ("taroky", "own", "taroky_client.py {name} {room} {url}"),
    ],
)
async def test_the_examples_play(name: str, wire: str, command: str) -> None:
    limits = Limits(seconds=20.0, start=20.0, memory=250)
    one = Contestant("my bot", command=("{python}", *command.split()), wire=wire)
    check(await result(one, EXAMPLES, name, limits), name)


@pytest.mark.parametrize("name", names())
async def test_the_programs_of_the_connect_page_play_with_another_address(name: str, tmp_path: Path) -> None:
    text = (PAGE_PROGRAMS / f"{name}.py").read_text()
    text, many = re.subn(r"^URL = .*", 'URL = __import__("os").environ["CROUPIER_URL"]', text, flags=re.M)
    assert many == 1
    if name == "sagrada":  # two players with one name cannot sit at a table there
        text = re.sub(r"^NAME = .*", 'NAME = __import__("os").environ["CROUPIER_NAME"]', text, flags=re.M)
    (tmp_path / "program.py").write_text(text)
    one = Contestant("program", command=("{python}", "program.py"), wire="own")
    check(await result(one, tmp_path, name, Limits(seconds=20.0, start=20.0, memory=250)), name)


@pytest.mark.parametrize("name", ["tarock", "taroky"])
async def test_json_comes_over_tcp_too_and_the_token_logs_in(name: str, tmp_path: Path) -> None:
    (tmp_path / "lines.py").write_text(
        f"""
import json, os, socket
peer = socket.create_connection((os.environ["CROUPIER_HOST"], int(os.environ["CROUPIER_PORT"])))
def say(**fields):
    peer.sendall(json.dumps(fields).encode() + b"\\n")
lines = peer.makefile()
say(command="user.login", token=os.environ["CROUPIER_TOKEN"])
welcome = json.loads(lines.readline())
assert welcome["nickname"] == os.environ["CROUPIER_NAME"], welcome
say(command="lobby.room.list")
rooms = json.loads(lines.readline())["rooms"]
assert [room["id"] for room in rooms] == [os.environ["CROUPIER_ROOM"]], rooms
say(command="lobby.room.join", room_id=rooms[0]["id"])
for line in lines:
    if json.loads(line).get("event") == "game.{name}.deal":
        raise SystemExit("dealt")
"""
    )
    one = Contestant("program", command=("{python}", "lines.py"), wire="lines")
    found = await result(one, tmp_path, name)
    assert found.verdict is not None
    assert found.verdict.words == "ended with status 1: dealt"


@pytest.mark.parametrize("fault", ["good", "tries", "returns", "talks"])
async def test_what_harms_nobody_is_let_be(fault: str, tmp_path: Path) -> None:
    check(await result(coinche_program(tmp_path, fault), tmp_path, "coinche"), "coinche")


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        ("illegal", "illegal", "SURCOINCHE: the contract is not coinched"),
        ("insists", "illegal", "SURCOINCHE: the contract is not coinched"),
        ("rubbish", "not understood", r"it sent 'what?\r\n': '400 "),
        ("bytes", "not understood", "400 Invalid command"),
        ("hang", "timeout", "no answer within 2 s"),
        ("quit", "crash", "ended with status 7"),
        ("leaves", "crash", "it left the table"),
    ],
)
async def test_a_fault_is_a_verdict(fault: str, kind: str, words: str, tmp_path: Path) -> None:
    limits = HASTY if kind == "timeout" else BRISK
    found = await result(coinche_program(tmp_path, fault), tmp_path, "coinche", limits)
    assert found.verdict is not None
    assert found.play.seats[found.verdict.seat] == "program"
    assert found.verdict.kind == kind, found.verdict
    assert words in found.verdict.words
    record.replay(record.read(found.record), game("coinche"))


@pytest.mark.parametrize("name", ["tarock", "sagrada"])
async def test_one_that_sends_nothing_else_than_rubbish_is_cut_off(name: str, tmp_path: Path) -> None:
    fault = "for _ in range(200): await socket.send_str('what?'); await asyncio.sleep(0.005)"
    found = await result(socket_program(tmp_path, fault), tmp_path, name, Limits(20.0, 20.0, 250))
    assert found.verdict is not None
    assert found.verdict.kind == "not understood"
    assert "it sent 'what?': " in found.verdict.words


@pytest.mark.parametrize(
    ("name", "fault", "words"),
    [
        ("taroky", "pass", "it did not join within 1.5 s"),
        ("sagrada", "await socket.send_str('login\\tprogram')", "no answer within 2 s"),
    ],
)
async def test_one_that_says_nothing_is_late(name: str, fault: str, words: str, tmp_path: Path) -> None:
    limits = Limits(2.0, 20.0 if name == "sagrada" else 1.5, 250)
    one = socket_program(tmp_path, fault)
    wanted = arena(
        contestants=(*bots("bot"), one),
        game=name,
        seats=2 if name == "sagrada" else 4,
        options=SHORT[name],
        deals=1,
        limits=limits,
        folder=str(tmp_path),
    )
    found = await play_programs(wanted, due(wanted, [])[0], game(name))
    assert found.verdict is not None
    assert (found.verdict.kind, found.verdict.words) == ("timeout", words)
