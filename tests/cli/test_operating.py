"""Tasks of operators: settings in a file, TLS on every port, a backup under load, the operator's page."""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from croupier.cli import config
from croupier.cli.serve import given_options, options_at, serve
from croupier.net.house import Plan
from croupier.store import open_store
from tests.cli.command import only_line, run
from tests.integration.servers import Server
from tests.store.rows import table_row

EXAMPLE = Path(__file__).parents[2] / "docs" / "ops" / "croupier.toml"


def written(path: Path, text: str) -> Path:
    file = path / "croupier.toml"
    file.write_text(text)
    return file


def test_the_example_names_every_setting_and_gives_the_defaults() -> None:
    text = EXAMPLE.read_text()
    for section, keys in config.SECTIONS.items():
        part = text.split(f"\n[{section}]")[1].split("\n[")[0]
        for key in keys:
            assert f"\n{key} = " in part or f"\n# {key} = " in part, f"[{section}] {key}"
    found = config.read(EXAMPLE, {parameter.name: parameter for parameter in serve.params})
    assert (found["port"], found["coinche_port"], found["tarock_port"]) == (8080, 4242, "off")
    options = found["options"]
    assert isinstance(options, list)
    assert given_options(options) == {"coinche": {"fill_bots_seconds": "30"}}
    assert given_options([]) == {"coinche": {"fill_bots_seconds": 30}}


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_on_loopback_players_return_by_name(host: str) -> None:
    assert options_at(host, {}) == {}


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "play.example.org", ""])
def test_a_server_that_others_can_reach_requires_a_token(host: str) -> None:
    given: dict[str, dict[str, object]] = {"coinche": {"target": "500"}}
    assert options_at(host, given) == {"coinche": {"target": "500", "resume": "token"}}
    assert options_at(host, {}) == {"coinche": {"resume": "token"}}
    assert options_at(host, {"coinche": {"resume": "name"}}) == {"coinche": {"resume": "name"}}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[server]\nprot = 1\n", "line 2: prot: unknown in [server], expected host, port"),
        ("\n[sever]\n", "line 2: sever: unknown, expected one of the sections [server]"),
        ("[[server]]\n", "line 1: server: expected [server]"),
        ("[server]\nport = '1'\n", "line 2: port = '1': expected a whole number"),
        ("[server]\nport = true\n", "line 2: port = True: expected a whole number"),
        ("[server\n", "at line 1"),
        ("[coinche]\ntraget = 5\n", "line 2: coinche: option traget: unknown, expected one of target,"),
        ("[coinche]\ntarget = 5\n", "line 2: coinche: option target=5: expected 100…10000"),
        ("[coinche]\ntarget = 1.5\n", "line 2: coinche: option target=1.5: expected 100…10000"),
        ("[coinche]\ntarget = [1, 2]\n", "line 2: coinche: option target=[1, 2]: expected 100…10000"),
        ("[server]\nport = 70000\n", "line 2: port: 70000 is not in the range"),
        ("[server]\nlog_level = 'loud'\n", "line 2: log_level: 'loud' is not one of 'debug'"),
        ("[ports]\ntarock = -1\n", "line 2: tarock: '-1': expected a port, 'any' or 'off'"),
        ("[limits]\ntables = 0\n", "line 2: tables: 0 is not in the range"),
    ],
)
def test_a_mistake_in_the_file_is_shown_with_its_line(text: str, words: str, tmp_path: Path) -> None:
    done = run("serve", "--config", written(tmp_path, text), "--port", "0", "--data", tmp_path / "data")
    assert done.returncode == 1
    assert words in only_line(done)


def test_a_section_of_a_game_takes_its_options_its_tables_a_seed_and_bots(tmp_path: Path) -> None:
    text = "[coinche]\ntarget = '500'\ncard_pause = 0\nallow_ta_sa = 'off'\nseed = 7\nbots = 'random'\n"
    words = ["target=500", "card_pause=0", "allow_ta_sa=off", "seed=7", "bots=random"]
    assert config.read(written(tmp_path, text), {}) == {"options": [f"coinche.{word}" for word in words]}


def test_a_file_for_an_earlier_version_names_the_bot_processes_as_before(tmp_path: Path) -> None:
    parameters = {parameter.name: parameter for parameter in serve.params}
    assert config.read(written(tmp_path, "[limits]\nthinkers = 3\n"), parameters) == {"bot_processes": 3}
    assert config.read(written(tmp_path, "[limits]\nbot_processes = 2\n"), parameters) == {"bot_processes": 2}


@pytest.mark.parametrize("option", ["--bot-processes", "--thinkers"])
def test_the_bot_processes_are_set_by_either_name(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans: list[Plan] = []
    monkeypatch.setattr("croupier.net.server.serve", plans.append)
    monkeypatch.setattr("croupier.net.logs.set_up", lambda level, as_json: None)
    serve.main([option, "3", "--data", str(tmp_path)], standalone_mode=False)
    assert [plan.bot_processes for plan in plans] == [3]


def test_the_command_line_comes_before_the_file(tmp_path: Path) -> None:
    data = tmp_path / "here"
    file = written(tmp_path, f'[server]\nport = 1\ndata = "{data}"\n[ports]\ncoinche = "any"\n')
    server = Server(tmp_path / "log", "serve", "--config", str(file), "--port", "0")
    server.start()
    server.stop()
    assert server.port > 1
    assert (data / "croupier.db").exists()


def test_a_certificate_without_its_key_is_refused(tmp_path: Path) -> None:
    done = run("serve", "--tls-certificate", tmp_path / "c.pem")
    assert "--tls-certificate and --tls-key must be given together" in only_line(done)
    done = run("serve", "--tls-certificate", tmp_path / "c.pem", "--tls-key", tmp_path / "k.pem")
    assert "No such file" in only_line(done)


@pytest.mark.slow
def test_every_port_speaks_tls(tmp_path: Path) -> None:
    certificate, key = tmp_path / "c.pem", tmp_path / "k.pem"
    wish = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1"
    subprocess.run(
        ["openssl", *wish.split(), "-keyout", key, "-out", certificate], check=True, capture_output=True
    )
    server = Server(
        tmp_path / "log", "serve", "--port", "0", "--data", str(tmp_path / "data"), "--coinche-port", "any",
        "--tls-certificate", str(certificate), "--tls-key", str(key),
    )  # fmt: skip
    server.start()
    trusted = ssl.create_default_context(cafile=str(certificate))

    async def greeted(port: int) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=trusted)
        line = await reader.readline()
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
        return line

    try:
        assert server.process is not None
        assert server.process.stdout is not None
        port = int(server.process.stdout.readline().split()[-1])
        with urllib.request.urlopen(f"https://127.0.0.1:{server.port}/healthz", context=trusted) as answer:
            assert answer.status == 200
        assert asyncio.run(greeted(port)).startswith(b"100 coinche/1")
    finally:
        server.stop()


def test_a_backup_is_consistent_while_the_server_writes(tmp_path: Path) -> None:
    async def writing() -> None:
        store = await open_store(tmp_path / "croupier.db")
        await store.open_table(table_row("t0"))
        for number in range(50):
            await store.append("t0", number, [f"entry {number}"])
        process = await asyncio.create_subprocess_exec(
            *[sys.executable, "-m", "croupier", "backup", str(tmp_path / "copy.db"), "--data", str(tmp_path)],
        )
        number = 50
        while process.returncode is None:
            await store.append("t0", number, [f"entry {number}"])
            number += 1
            await asyncio.sleep(0.001)
        assert await process.wait() == 0
        await store.close()
        copied = await open_store(tmp_path / "copy.db", read_only=True)
        entries = await copied.log("t0")
        await copied.close()
        assert entries == [f"entry {n}" for n in range(len(entries))]
        assert 50 <= len(entries) <= number

    asyncio.run(writing())


def test_a_backup_replaces_a_file_only_with_force(tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("mine")
    done = run("backup", tmp_path / "copy.db", "--data", tmp_path)
    assert "already exists; choose another name or use --force" in only_line(done)
    done = run("backup", tmp_path / "other.db", "--data", tmp_path)
    assert "no such file" in only_line(done)
    assert (tmp_path / "copy.db").read_text() == "mine"


def test_a_backup_never_replaces_the_database_itself(tmp_path: Path) -> None:
    async def made() -> None:
        await (await open_store(tmp_path / "croupier.db")).close()

    asyncio.run(made())
    before = (tmp_path / "croupier.db").stat().st_ino
    (tmp_path / "link.db").symlink_to("croupier.db")
    (tmp_path / "here").symlink_to(tmp_path)
    own = ("croupier.db", "croupier.db-wal", "croupier.db-shm", "croupier.db-journal", "croupier.db.lock")
    for name in (*own, "link.db", "here/croupier.db-wal"):
        done = run("backup", tmp_path / name, "--force", "--data", tmp_path)
        assert done.returncode == 1
        assert f"{name}: a file of the database itself: choose another file" in only_line(done)
    assert (tmp_path / "croupier.db").stat().st_ino == before


def test_only_the_operator_sees_the_operators_page(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("short\n")
    done = run("serve", "--operator-token-file", token)
    assert "5 characters, expected 16 or more" in only_line(done)
    token.write_text("a-token-that-is-long-enough\n")
    server = Server(
        tmp_path / "log", "serve", "--port", "0", "--data", str(tmp_path / "data"),
        "--operator-token-file", str(token),
    )  # fmt: skip
    server.start()
    try:
        url = f"http://127.0.0.1:{server.port}/api/operator"
        with pytest.raises(urllib.error.HTTPError, match="401"):
            urllib.request.urlopen(url)
        known = urllib.request.Request(url, headers={"Authorization": f"Bearer {token.read_text().strip()}"})
        with urllib.request.urlopen(known) as answer:
            seen = json.load(answer)
        assert seen["tables"] == [{"game": "hearts", "phase": "gathering", "count": 1}]
        assert {"version", "python", "compiled", "uptime", "connections", "store", "samples"} <= set(seen)
    finally:
        server.stop()


def test_options_of_a_protocol_s_own_tables(tmp_path: Path) -> None:
    for word in ("coinche", "coinche.target", "hearts.deals=1"):
        done = run("serve", "--option", word)
        assert f"--option {word}: expected" in only_line(done)
