"""`croupier mcp` as started by agents, with the official client of the protocol."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from tests.cli.command import only_line, run, spawn
from tests.integration.servers import TIMEOUT, command, house, running
from tests.mcp.agents import Agent, Refused, legal

pytestmark = pytest.mark.slow

WHOLE_DEAL = {"target": 100}
"""With this target the first deal that is played ends the match."""


def started(*arguments: str) -> StdioServerParameters:
    """Return the parameters with which an agent starts the command."""
    return StdioServerParameters(command=sys.executable, args=["-m", "croupier", "mcp", *arguments])


async def play_a_deal(agent: Agent) -> list[str]:
    """Play until a deal has been scored: a bid if possible, then any card; return all lines received."""
    told: list[str] = []
    for _ in range(200):
        text = await agent.here("wait_for_turn", seconds=60)
        told += text.split("\n\n")[0].splitlines()
        if any(line.startswith("The contract ") for line in told):
            return told
        assert "\nYour turn" in text, text
        choices = legal(text)
        bids = [choice for choice in choices if choice.startswith("CONTRACT 80")]
        done = await agent.here("act", actions=(bids or choices)[:1])
        told += done.splitlines()[1:]
    raise AssertionError("no deal was played")


async def test_a_whole_deal_of_coinche_over_standard_input_and_output() -> None:
    async with Client(started()) as client:
        assert client.instructions is not None
        assert "sit_down" in client.instructions
        agent = Agent(client)
        await agent.open_and_sit("coinche", options=WHOLE_DEAL)
        told = await play_a_deal(agent)
        assert sum(1 for line in told if re.search(r"(takes?) the trick: \d+ points?\.$", line)) == 8
        assert any(re.match(r"\w+( \w+)? and \w+( \w+)? play ", line) for line in told)
        score = next(line for line in told if line.startswith("The contract "))
        assert re.search(r"Ann and \w+ \w+ \d+, \w+ \w+ and \w+ \w+ \d+\.$", score), score
        standing = await agent.here("standing")
        assert re.search(r"^Deal 1: .*: (made|failed)", standing, re.MULTILINE), standing
        assert "Finished at this table:" in standing
        assert "PLAY" in await agent.call("read_record", match=f"{agent.table}-1")
        await agent.here("leave")


@pytest.mark.slow
async def test_the_tables_of_a_running_server(tmp_path: Path) -> None:
    with house(
        tmp_path, "--coinche-port", "off", "--sagrada-port", "off", "--sagrada-line-port", "off"
    ) as server:
        async with Client(started("--server", server.http)) as client:
            agent = Agent(client)
            await agent.open_and_sit("coinche", options=WHOLE_DEAL)
            assert server.http in await agent.call("list_tables")
            await play_a_deal(agent)


async def test_two_agents_over_http(tmp_path: Path) -> None:
    with running(tmp_path / "mcp.log", "mcp", "--http", "127.0.0.1:0") as server:
        # It prints the address of its own server first, then the address for agents.
        assert server.process is not None
        assert server.process.stdout is not None
        line = server.process.stdout.readline()
        found = re.match(r"agents connect to (http://127\.0\.0\.1:\d+/mcp)", line)
        assert found, line
        async with Client(found[1]) as one, Client(found[1], mode="legacy") as other:
            ann, bob = Agent(one), Agent(other)
            table = await ann.open("coinche", others=["open", "random", "random"])
            await ann.sit(table, name="Ann")
            waiting = asyncio.create_task(ann.here("wait_for_turn", seconds=60))
            with pytest.raises(Refused, match="name_taken"):
                await bob.sit(table, name="Ann")
            with pytest.raises(Refused, match="no_such_seat"):
                await bob.call("act", seat="Ann", actions=["PASS"])
            assert not waiting.done()
            await bob.sit(table, name="Bob")
            text = await waiting
            assert "A match to 2000 points: Ann and Yaro Kos against Bob and Fifi Blanc" in text
            await ann.here("act", actions=["PASS"])
            assert "Ann: pass" in await bob.here("wait_for_turn", seconds=60)
        assert server.stop() == 0


@pytest.mark.slow
def test_it_ends_with_its_input_and_with_ctrl_c() -> None:
    for end in (None, signal.SIGINT):
        process = subprocess.Popen(
            command("mcp"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert process.stderr is not None
        assert process.stderr.readline().startswith("using the tables of http://127.0.0.1:")
        if end is not None:
            process.send_signal(end)
            process.wait(TIMEOUT)  # although its input is still open
        out, err = process.communicate(timeout=TIMEOUT)
        assert (out, err) == ("", "")
        assert process.returncode == (-end if end is not None else 0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--server", "localhost:8080"], "--server localhost:8080: expected an address like http://"),
        (["--server", "http://127.0.0.1:1", "--data", "x"], "omit --server or --data"),
        (["--http", "8090"], "'8090': expected HOST:PORT"),
        (["--http", "localhost:http"], "expected HOST:PORT"),
        (["--http", "localhost:99999"], "expected HOST:PORT"),
    ],
)
def test_wrong_arguments_get_one_line(arguments: list[str], words: str) -> None:
    done = run("mcp", *arguments)
    assert done.returncode == 2
    assert words in only_line(done)


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(sys.modules):
        if name.startswith("croupier.mcp."):
            monkeypatch.delitem(sys.modules, name)
        elif name.split(".")[0] == "mcp":
            monkeypatch.setitem(sys.modules, name, None)
    done = run("mcp")
    assert done.returncode == 1
    assert "pip install 'croupier[mcp]'" in only_line(done)


@pytest.mark.slow
def test_a_taken_port_and_a_wrong_folder_get_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = spawn("mcp", "--server", "http://127.0.0.1:1", "--http", f"127.0.0.1:{port}")
    assert done.returncode == 1
    assert re.match(rf"croupier: cannot listen on 127.0.0.1 port {port}: .*--http", only_line(done))
    (tmp_path / "croupier.db").write_bytes(b"this is not a database\n" * 200)
    done = spawn("mcp", "--data", tmp_path)
    assert done.returncode == 1
    assert "not a readable database" in only_line(done)
