"""The commands on a PostgreSQL database: serve, export, import, backup, migrate."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest

from croupier import __version__
from croupier.core import record
from croupier.testing.postgres import PASSWORD, PostgresServer
from tests.cli.command import bots_record, only_line, run
from tests.integration.servers import TIMEOUT, house
from tests.net.rig import eventually

pytestmark = pytest.mark.slow


def test_records_go_into_postgresql_and_out_again(postgres: str, tmp_path: Path) -> None:
    text = record.write(bots_record())
    (tmp_path / "one.record").write_text(text)
    done = run("import", tmp_path / "one.record", "--database", postgres)
    assert done.returncode == 0, done.stderr
    match = done.stdout.split()[-1]
    done = run("export", match, "--database", postgres)
    assert record.read(done.stdout).entries == record.read(text).entries
    assert run("verify", match, "--database", postgres).returncode == 0
    assert "QS" in run("replay", match, "--all", "--database", postgres).stdout
    done = run("export", "none", "--database", postgres)
    assert only_line(done) == "croupier: match none: not found"
    # The backup is a file, which can be used as one and copied into another database.
    (tmp_path / "data").mkdir()
    done = run("backup", tmp_path / "data" / "croupier.db", "--database", postgres)
    assert "croupier.db: " in done.stdout
    assert (
        run("export", match, "--data", tmp_path / "data").stdout
        == run("export", match, "--database", postgres).stdout
    )
    done = run("backup", tmp_path / "data" / "croupier.db", "--database", postgres)
    assert "already exists" in only_line(done)


def test_a_database_moves_to_postgresql_and_back(
    postgres: str, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    (tmp_path / "one.record").write_text(record.write(bots_record()))
    match = run("import", tmp_path / "one.record", "--data", tmp_path).stdout.split()[-1]
    before = run("export", match, "--data", tmp_path).stdout
    done = run("migrate", "--from", tmp_path / "croupier.db", "--to", postgres)
    assert done.returncode == 0, done.stderr
    assert "copying: 100 %" in done.stderr
    rows = {line.split()[0]: line.split()[1] for line in done.stdout.splitlines()[:-1]}
    assert (rows["tables"], rows["matches"]) == ("1", "1")
    assert done.stdout.splitlines()[-1].endswith(f"as many as in {tmp_path}/croupier.db")
    assert run("export", match, "--database", postgres).stdout == before
    (tmp_path / "back").mkdir()
    done = run("migrate", "--from", postgres, "--to", tmp_path / "back" / "croupier.db")
    assert done.returncode == 0, done.stderr
    assert run("export", match, "--data", tmp_path / "back").stdout == before
    done = run("migrate", "--from", postgres, "--to", tmp_path / "back" / "croupier.db")
    assert "already exists: choose another file" in done.stderr


def test_errors_are_one_line_without_the_password(postgres_server: PostgresServer, tmp_path: Path) -> None:
    url = f"postgresql://bob:{quote(PASSWORD, safe='')}@127.0.0.1:{postgres_server.port}/ready"
    for words in (
        ["serve", "--database", url],
        ["export", "--all", "-o", tmp_path, "--database", url],
        ["backup", tmp_path / "copy.db", "--database", url],
        ["migrate", "--from", url, "--to", tmp_path / "copy.db"],
        ["import", __file__, "--database", url],
        ["verify", "m1", "--database", url],
        ["nodes", "--database", url],
    ):
        done = run(*words)
        assert done.returncode == 1, words
        line = only_line(done)
        assert line.startswith("croupier: postgresql://bob@127.0.0.1:"), line
        assert "PostgreSQL refuses the user" in line
    done = run("serve", "--database", "mysql://localhost/croupier")
    assert done.returncode == 2
    assert "--database: expected postgresql://USER:PASSWORD@HOST" in only_line(done)
    assert not (tmp_path / "copy.db").exists()


def test_a_server_runs_on_postgresql_and_another_one_is_refused(postgres: str, tmp_path: Path) -> None:
    with house(tmp_path, "--database", postgres) as server:
        table = server.new_table(options={"deals": 1})
        assert server.ask("/healthz")[1]["ok"] is True
        status, _ = server.ask("/api/account", {"name": "Anna", "password": "correct horse battery"})
        assert status in (200, 201)
        (node,) = [
            json.loads(line)
            for line in run("nodes", "--json", "--database", postgres).stdout.split("\n")[:-1]
        ]
        assert node["name"].endswith(f"process {server.process.pid if server.process else 0}")
        assert (node["version"], node["tables"]) == (__version__, 2)
        assert 0 < node["lease"] <= 3
        assert f"croupier {__version__}, since 20" in run("nodes", "--database", postgres).stdout
        done = run("serve", "--port", "0", "--database", postgres)
        assert done.returncode == 1
        assert "in use by another server" in done.stderr.splitlines()[-1]
        assert server.stop() == 0
        server.start()
        asyncio.run(eventually(lambda: table in {row["id"] for row in server.ask("/api/tables")[1]}))
        assert server.stop() == 0
    assert run("nodes", "--database", postgres).stdout.endswith(": no server uses it\n")
    assert not (tmp_path / "data").exists()


def test_a_server_that_was_replaced_stops_with_a_reason(postgres: str, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with house(tmp_path, "--database", postgres) as old:
        assert old.process is not None
        old.process.send_signal(signal.SIGSTOP)
        with house(tmp_path / "other", "--database", postgres) as new:
            old.process.send_signal(signal.SIGCONT)
            assert old.process.wait(TIMEOUT) == 1
            assert "another server has taken over; nothing is written; the server has stopped" in old.log
            assert new.ask("/healthz")[1]["ok"] is True


def test_without_asyncpg_the_command_says_what_to_install(tmp_path: Path) -> None:
    program = "import sys; sys.modules['asyncpg'] = None; from croupier.cli.main import main; main()"
    for words in (["serve", "--database"], ["migrate", "--to", str(tmp_path / "new.db"), "--from"]):
        done = subprocess.run(
            [sys.executable, "-c", program, *words, "postgresql://localhost/croupier"],
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
        assert done.returncode == 1
        expected = "PostgreSQL needs the package asyncpg: run pip install 'croupier[cluster]'"
        assert only_line(done) == f"croupier: {expected}"
