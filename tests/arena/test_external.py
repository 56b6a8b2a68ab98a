"""Programs at a table: a program that misbehaves loses by verdict, without an effect on others."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from croupier.arena.chairs import PLACEHOLDERS, Chair, chairs
from croupier.arena.external import play_programs
from croupier.arena.plan import STDIN, Contestant, Limits, Result
from croupier.arena.play import play_bots
from croupier.arena.process import memory_of
from croupier.arena.schedule import due
from croupier.arena.supervisor import family
from croupier.core import record
from croupier.games import game, names
from tests.arena.arenas import SHORT, arena, bots
from tests.arena.programs import program
from tests.integration.servers import TIMEOUT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs are limited on POSIX alone")
EXAMPLES = Path(__file__).parents[2] / "examples"
LIMITS = Limits(seconds=20.0, start=20.0, memory=250)
HASTY = Limits(seconds=2.0, start=20.0, memory=250)
"""For programs that should be late; the others have enough time even on a busy machine."""


async def result(
    contestant: Contestant,
    folder: Path,
    name: str = "hearts",
    limits: Limits = LIMITS,
    options: dict[str, int] | None = None,
) -> Result:
    wanted = arena(
        contestants=(*bots("bot"), contestant),
        game=name,
        seats=game(name).seats[-1],
        options=options or SHORT[name],
        deals=1,
        limits=limits,
        folder=str(folder),
    )
    return await play_programs(wanted, due(wanted, [])[0], game(name))


def left(folder: Path) -> list[str]:
    """Return the processes that have left a file in *folder* and that the system still knows."""
    pids = [path.stem for path in folder.glob("*.pid")]
    assert pids
    return [pid for pid in pids if Path(f"/proc/{pid}").exists()]


async def gone(folder: Path) -> None:
    """Wait until none of these processes is left: they are dead, but may not have been reaped yet."""
    deadline = time.monotonic() + TIMEOUT
    while left(folder):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)


def test_a_command_s_words_are_filled_in() -> None:
    chair = Chair(
        2, Contestant("x", command=("{python}", "--at={url}", "{seat}/{number}", '{"a": 1}', "{room}")), "x 2"
    )
    command, words, told = chair.command("t1", "ws://here", "localhost", 99)
    assert told == ""
    assert command == [sys.executable, "--at=ws://here", "2/3", '{"a": 1}', "t1"]
    assert words["CROUPIER_URL"] == "ws://here"
    assert words["CROUPIER_NAME"] == "x 2"
    assert (words["CROUPIER_HOST"], words["CROUPIER_PORT"]) == ("localhost", "99")


def test_every_placeholder_is_filled_in() -> None:
    chair = Chair(2, Contestant("x", command=tuple(f"{{{word}}}" for word in PLACEHOLDERS)), "x 2")
    command, words, _ = chair.command("t1", "ws://here", "localhost", 99)
    assert "{" not in "".join(command)
    assert {f"CROUPIER_{word.upper()}" for word in PLACEHOLDERS if word != "python"} == set(words)


def test_a_program_may_get_its_keys_from_standard_input_alone() -> None:
    chair = Chair(2, Contestant("x", command=("x", "{name}"), keys=STDIN), "x 2")
    command, words, told = chair.command("t1", "ws://here/key", "localhost", 99)
    assert command == ["x", "x 2"]
    assert chair.key not in str(words)
    assert "ws://here/key" not in str(words)
    line = json.loads(told)
    assert (line["url"], line["token"], line["port"]) == ("ws://here/key", chair.key, "99")


def test_programs_are_called_what_their_protocol_takes() -> None:
    for wire, expected in (("house", ["my bot!", "my bot! 2", "x", "bot"]), ("own", None)):
        names = ("my bot!", "my bot!", "x", "bot")
        contestants = tuple(Contestant(name, command=("true",), wire=wire) for name in dict.fromkeys(names))
        found = chairs(arena(contestants=contestants), names)
        assert [chair.name for chair in found.values()] == (expected or ["mybot", "mybot2", "x000", "mybot3"])


@pytest.mark.parametrize("name", names())
def test_what_players_are_told_of_their_clock_is_near_the_truth(name: str) -> None:
    rules = game(name).table_options
    assert rules.read(game(name).limits(0.05))
    assert set(game(name).limits(5.0).values()) <= {5, 5000}


def test_memory_is_counted_with_what_was_started() -> None:
    assert 1 << 20 < memory_of([os.getpid()], 1 << 40) < 1 << 34
    assert memory_of([2**22 + 1], 1 << 40) == 0


SHARED = """
import os, sys
food = bytes(b"x") * (40 << 20)
for _ in range(5):
    if not os.fork():
        break
print("ready", flush=True)
sys.stdin.read()
"""


def test_memory_that_processes_share_is_counted_once() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SHARED], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(6):
            process.stdout.readline()
        pids = family(process.pid)
        assert len(pids) == 6
        assert 40 << 20 < memory_of(pids, 100 << 20) < 100 << 20
        process.stdin.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
async def test_a_program_plays_every_game(name: str, tmp_path: Path) -> None:
    found = await result(program(tmp_path, "good"), tmp_path, name)
    assert found.verdict is None
    state = record.replay(record.read(found.record), game(name))
    assert tuple(state.payoffs()) == found.payoffs
    assert {one.kind for one in record.verify(record.read(found.record), game(name))} == {"given"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "command", "wire"),
    [
        *((name, "{python} house_bot.py {name} {seat} {token} {url}", "house") for name in names()),
        ("hearts", "{python} trend_bot.py {name} {number} {token} {url}", "own"),
    ],
)
async def test_the_examples_play(name: str, command: str, wire: str) -> None:
    found = await result(Contestant("x", command=tuple(command.split()), wire=wire), EXAMPLES, name)
    assert found.verdict is None
    assert len(found.payoffs) == 4


@pytest.mark.slow
async def test_a_match_of_several_games_is_played_without_a_pause(tmp_path: Path) -> None:
    options = {"deals": 1, "match_games": 2}
    found = await result(program(tmp_path, "good"), tmp_path, options=options)
    assert found.verdict is None
    assert record.replay(record.read(found.record), game("hearts")).deal() == 2


@pytest.mark.slow
async def test_a_client_of_2018_ends_after_one_game() -> None:
    command = "{python} trend_bot.py {name} {number} {token} {url}"
    one = Contestant("x", command=tuple(command.split()), wire="own")
    found = await result(one, EXAMPLES, options={"deals": 1, "match_games": 2})
    assert found.verdict is not None
    assert found.verdict.kind == "crash"
    assert found.verdict.words.startswith("ended with status 0: ")
    assert len(found.verdict.output) == 4  # the ranks of its game


@pytest.mark.slow
async def test_a_program_gets_the_same_deal_as_a_bot(tmp_path: Path) -> None:
    wanted = arena(deals=1)
    program_s = await result(program(tmp_path, "good"), tmp_path, "coinche")
    bot_s = play_bots(wanted, due(wanted, [])[0], game("coinche"))
    first = [
        next(entry for entry in record.read(one.record).entries if isinstance(entry, record.Drawn))
        for one in (program_s, bot_s)
    ]
    assert first[0] == first[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        ("illegal", "illegal", "pass"),
        ("word", "not understood", "dance"),
        ("rubbish", "not understood", "'what?'"),
        ("bytes", "not understood", "expected one JSON object"),
        ("hang", "timeout", "no answer within 2 s"),
        ("busy", "timeout", "no answer within 2 s"),
        ("crash", "crash", "ended with status 1: ValueError: gave up"),
        ("quit", "crash", "ended with status 0"),
        ("late", "crash", "ended with status 3"),
        ("closes", "timeout", "no answer within 2 s"),
        ("leaves", "crash", "it left the table"),
        ("eats", "memory", "it may use 250 MB"),
        ("child", "memory", "it may use 250 MB"),
    ],
)
async def test_a_fault_is_a_verdict(fault: str, kind: str, words: str, tmp_path: Path) -> None:
    limits = HASTY if kind == "timeout" else LIMITS
    found = await result(program(tmp_path, fault), tmp_path, limits=limits)
    assert found.verdict is not None
    assert found.play.seats[found.verdict.seat] == "program"
    assert found.verdict.kind == kind, found.verdict
    assert words in found.verdict.words
    assert found.payoffs == ()
    record.replay(record.read(found.record), game("hearts"))


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["prints", "stale", "talks"])
async def test_what_harms_nobody_is_let_be(fault: str, tmp_path: Path) -> None:
    found = await result(program(tmp_path, fault), tmp_path, "coinche")
    assert found.verdict is None, found.verdict


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "kind", "words"),
    [
        (["/no/such/program"], "crash", "cannot start /no/such/program"),
        (["{python}", "-c", "print('one'); print('two \\x1b[31m')"], "crash", "status 0: two ?[31m"),
        (["{python}", "-c", "import time; time.sleep(100)"], "timeout", "did not join within 1 s"),
        (["{python}", "-c", "import os; os.kill(os.getpid(), 11)"], "crash", "signal 11"),
    ],
)
async def test_a_program_that_never_joins_is_told_why(
    command: list[str], kind: str, words: str, tmp_path: Path
) -> None:
    limits = Limits(seconds=2.0, start=20.0 if kind == "crash" else 1.0, memory=250)
    found = await result(Contestant("x", command=tuple(command)), tmp_path, limits=limits)
    assert found.verdict is not None
    assert found.verdict.kind == kind
    assert words in found.verdict.words
    assert found.record == ""


MARK = "open(str(os.getpid()) + '.pid', 'w').close()"
ESCAPED = f"""
import os, signal, sys, time
reader, writer = os.pipe()
if not os.fork():
    os.setsid()
    {MARK}
    os.write(writer, b"!")
    time.sleep(100)
os.read(reader, 1)
"""


@pytest.mark.slow
@pytest.mark.parametrize("escape", ["", "os.setsid(); ", "os.fork() and os._exit(0); os.setsid(); "])
async def test_a_program_s_children_end_with_it(escape: str, tmp_path: Path) -> None:
    shell = f'{sys.executable} -c "import os, time; {escape}{MARK}; time.sleep(100)" & sleep 100'
    found = await result(
        Contestant("x", command=("sh", "-c", shell)), tmp_path, limits=Limits(seconds=2.0, start=3.0)
    )
    assert found.verdict is not None
    assert found.verdict.kind == "timeout"
    await gone(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("end", "words"),
    [
        ("sys.exit(3)", "ended with status 3"),
        ("os.kill(os.getppid(), signal.SIGKILL); time.sleep(100)", "ended by signal 9"),
        ("os.killpg(0, signal.SIGKILL)", "ended by signal 9"),
        ("os.kill(os.getppid(), signal.SIGSTOP); sys.exit(0)", "did not join within 3 s"),
        ("os.kill(os.getsid(os.getppid()), signal.SIGSTOP); time.sleep(100)", "did not join within 3 s"),
    ],
)
async def test_children_end_even_if_their_program_has_ended_before(
    end: str, words: str, tmp_path: Path
) -> None:
    spared = f"assert os.getppid() != {os.getpid()}\n"  # it must not end these tests
    command = ("{python}", "-c", ESCAPED + spared + end)
    limits = Limits(seconds=2.0, start=3.0 if "join" in words else 20.0)
    found = await result(Contestant("x", command=command), tmp_path, limits=limits)
    assert found.verdict is not None
    assert words in found.verdict.words
    await gone(tmp_path)


@pytest.mark.slow
async def test_children_end_with_the_match(tmp_path: Path) -> None:
    found = await result(program(tmp_path, "nest"), tmp_path)
    assert found.verdict is None, found.verdict
    await gone(tmp_path)
