"""`croupier serve` starts and stops, or reports in one line why it cannot start."""

from __future__ import annotations

import re
import signal
import socket
import sqlite3
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import only_line, spawn
from tests.integration.servers import TIMEOUT, command, house


def test_a_taken_port_gets_one_line_and_status_1(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = spawn("serve", "--port", str(port), "--data", tmp_path, "--log-level", "warning")
    assert done.returncode == 1
    assert re.match(rf"croupier: cannot listen on 127.0.0.1 port {port}: .*--port", only_line(done))


def test_an_invalid_database_gets_one_line_and_status_1(tmp_path: Path) -> None:
    (tmp_path / "croupier.db").write_bytes(b"this is not a database\n" * 200)
    done = spawn("serve", "--port", "0", "--data", tmp_path)
    assert done.returncode == 1
    assert "croupier.db: not a readable database" in only_line(done)


def test_a_database_of_another_program_gets_one_line_and_status_1(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "croupier.db")
    db.execute("CREATE TABLE letters (text TEXT)")
    db.close()
    done = spawn("serve", "--port", "0", "--data", tmp_path)
    assert done.returncode == 1
    assert "a database of another program" in only_line(done)


def test_a_folder_in_place_of_the_database_gets_one_line_and_status_1(tmp_path: Path) -> None:
    (tmp_path / "croupier.db").mkdir()
    done = spawn("serve", "--port", "0", "--data", tmp_path)
    assert done.returncode == 1
    assert "a folder, expected a file" in only_line(done)


def test_a_file_in_place_of_the_folder_gets_one_line_and_status_2(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    done = spawn("serve", "--port", "0", "--data", tmp_path / "data")
    assert done.returncode == 2
    assert "--data" in only_line(done)


@pytest.mark.slow
def test_a_second_server_on_the_same_database_gets_one_line_and_status_1(tmp_path: Path) -> None:
    with house(tmp_path):
        done = spawn("serve", "--port", "0", "--data", tmp_path / "data")
    assert done.returncode == 1
    assert "in use by another server" in only_line(done)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["serve", "hearts-node"])
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_a_server_cleanly(name: str, sign: signal.Signals, tmp_path: Path) -> None:
    data = ["--data", str(tmp_path)] if name == "serve" else []
    with subprocess.Popen(
        command(name, "--port", "0", *data), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        server.stdout.readline()
        server.send_signal(sign)
        _, err = server.communicate(timeout=TIMEOUT)
    assert server.returncode == 0
    assert "Traceback" not in err


def test_public_hosts_come_from_the_command_line_and_from_the_file(tmp_path: Path) -> None:
    file = tmp_path / "croupier.toml"
    file.write_text('[server]\npublic_hosts = ["cards.test", "play.test"]\n[limits]\nper_address = 7\n')
    for arguments, known in (
        (("--config", str(file)), ["cards.test", "play.test"]),
        (("--public-host", "one.test"), ["one.test"]),
    ):
        with house(tmp_path, *arguments) as server:
            for name in known:
                assert server.ask("/api/house", Host=f"{name}:443")[0] == 200
            status, told = server.ask("/api/house", Host="evil.test")
            assert (status, told["key"]) == (421, "bad_host")
            assert "evil.test is not known here" in told["words"]
