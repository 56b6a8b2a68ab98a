"""`croupier play --server`: it looks the same as without a server, and errors are one line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.client import sync
from croupier.games import names
from tests.arena.arenas import SHORT
from tests.cli.command import Terminal, Tty, only_line, run, spawn
from tests.client.quick import no_pauses
from tests.integration.servers import Server, house

pytestmark = pytest.mark.slow

ONE_WAY = ("Table: ", "You have ")
"""How lines begin that are shown only at a table of a server (its page, its clock)."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    wait = ("--quick-match-wait", "3600")
    with house(tmp_path_factory.mktemp("house"), "--log-level", "error", *wait) as server:
        yield server


def options(**values: object) -> list[str]:
    return [word for name, value in values.items() for word in ("--option", f"{name}={value}")]


def shared(text: str) -> list[str]:
    """Return the lines that are shown with and without a server."""
    return [line for line in text.splitlines() if not line.startswith(ONE_WAY)]


@pytest.mark.parametrize("name", names())
def test_a_match_looks_as_it_does_without_a_server(server: Server, name: str) -> None:
    wish = [name, "--seed", "1", "--bots", "random", *options(**SHORT[name])]
    local, remote = (
        Terminal("play", *wish),
        Terminal("play", *wish, "--server", server.http, *options(**no_pauses(name))),
    )
    assert (local.play(), remote.play()) == (0, 0)
    assert shared(remote.text) == shared(local.text)
    assert f"Table: {server.http}/table/" in remote.text


def test_commands_and_mistakes(server: Server) -> None:
    typed = "?\nh\ns\nl\nzz\n5s 6s 7s\n\n9S ah q♥\nq\n"
    wish = ["hearts", "--seed", "3", "--option", "deals=1"]
    local = run("play", *wish, input=typed).stdout
    remote = run("play", *wish, "--server", server.http, *options(**no_pauses("hearts")), input=typed).stdout
    assert shared(remote) == shared(local)
    assert "Not possible: 'zz': expected cards like QS 10H. Type ? for help" in remote
    assert remote.endswith("You left the table.\n")


def test_the_table_is_drawn_in_place_unless_plain_lines_are_wanted(server: Server) -> None:
    wish = ["--seed", "3", "--server", server.http, *options(deals=1, **no_pauses("hearts"))]
    with Tty(*wish) as tty:
        tty.type("9S AH QH")
        tty.type("zz")
    rows = tty.rows()
    assert rows[-4:] == [
        "Hand:   K♠   J♥ 7♥   A♣ J♣ T♣ 8♣ 6♣ 2♣   A♦ K♦ Q♦ 9♦",
        "Total: You 0, Mira Zupan 0, Hugo Roux 0, Pavel Lipa 0",
        "Your turn: lead a card (600 s)",
        "> ",
    ]
    assert sum(row.startswith("Hand:") for row in rows) == 1
    with Tty(*wish, "--plain") as tty:
        tty.type("zz")
    assert "\x1b" not in tty.text


def test_the_next_game_of_a_match_waits_for_enter(server: Server) -> None:
    wish = options(deals=1, match_games=2, **no_pauses("hearts"))
    terminal = Terminal("play", "--server", server.http, "--seed", "3", *wish)
    assert terminal.play() == 0
    assert "Press Enter to start the next game" in terminal.text
    assert "Game 2 begins." in terminal.text
    assert "The match is over: " in terminal.text


def test_a_table_that_a_player_has_to_start(server: Server) -> None:
    table = server.new_table(
        seats=["person", *["bot random"] * 3],
        options={"deals": 1, "match_games": 1},
        table_options=no_pauses("hearts"),
        start=False,
    )
    terminal = Terminal("play", "--server", f"{server.http}/table/{table}")
    assert terminal.play() == 0
    assert terminal.text.count("Press Enter to start the game\n") == 1
    assert "The match is over" in terminal.text


def test_a_table_that_is_open_already(server: Server) -> None:
    table = server.new_table(
        seats=["person", "open", "bot random", "bot random"],
        options={"deals": 1, "match_games": 1},
        table_options={**no_pauses("hearts"), "pass_cards_timeout": 60_000, "pick_card_timeout": 60_000},
    )
    with sync.connect(server.http, table, name="ann") as ann:
        assert ann.table.seats[0].name == ""
        terminal = Terminal("play", "--server", f"{server.http}/table/{table}", "--name", "Zoë")
        assert terminal.until_prompt()
        ann.say("hello")
        ann.leave()
    assert terminal.play() == 0
    assert terminal.text.startswith("Hearts against ann, Yaro Kos (random), Fifi Blanc (random)\n")
    assert "ann says: hello\n" in terminal.text
    assert "The match is over" in terminal.text


def test_a_quick_match_says_when_bots_come(server: Server) -> None:
    _, found = server.ask("/api/quick-match", {"game": "hearts"})
    terminal = Terminal("play", "--server", server.http + found["page"], "--name", "Zoë")
    assert terminal.until("The game starts as soon as every seat is taken. Bots take the free seats in ")
    with sync.connect(server.http, found["id"], name="ann", person=True) as ann:
        for seat in (2, 3):
            ann.fill(seat)
        assert terminal.until_prompt()
        terminal.type("q")
        assert terminal.end() == 0
    assert terminal.text.endswith("You left the table.\n")


def test_errors_of_the_server_are_reported_in_one_line(server: Server) -> None:
    full = server.new_table(seats=["bot random"] * 4, start=False)
    taken = server.new_table(start=False)
    with sync.connect(server.http, taken, name="You"):
        for url, words in [
            ("nonsense", "nonsense: expected an address like http://127.0.0.1:8080"),
            (
                "http://127.0.0.1:9",
                "http://127.0.0.1:9 cannot be reached (Connection refused): is 'croupier se",
            ),
            (f"{server.http}/table/nowhere", "/house/nowhere: no such table"),
            (f"{server.http}/table/{full}", "no seat is free at this table"),
            (
                f"{server.http}/table/{taken}",
                "a player at this table has this name; choose another with --name",
            ),
        ]:
            done = run("play", "--server", url)
            assert done.returncode == 1, url
            assert words in only_line(done)
    for arguments, words in [
        (["chess", "--server", server.http], "game 'chess': unknown"),
        (["--server", server.http, "--record", "x"], "--record: records are kept by the server"),
        (["--server", f"{server.http}/table/{full}", "--seed", "1"], "that table is already open"),
    ]:
        done = run("play", *arguments)
        assert done.returncode == 2, arguments
        assert words in only_line(done)
    done = run("play", "--server", server.http, "--option", "deals=99")
    assert done.returncode == 1
    assert only_line(done) == "croupier: option deals=99: expected 1…16"


def test_a_server_that_stops_and_does_not_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.cli.remote.RECONNECT_SECONDS", 0.3)
    with house(tmp_path, "--log-level", "error") as server:

        def stopping(prompt: str) -> str:
            server.stop()
            return "2c 3c 4c"

        monkeypatch.setattr("builtins.input", stopping)
        done = run("play", "--server", server.http)
    assert done.returncode == 1
    assert "cannot be reached (Connection refused): is 'croupier serve' running there?" in only_line(done)


def test_the_end_of_the_input_leaves_the_table(server: Server) -> None:
    done = spawn("play", "coinche", "--server", server.http)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("You left the table.\n")
    page = next(line for line in done.stdout.splitlines() if line.startswith("Table: "))
    [row] = [row for row in server.ask("/api/tables")[1] if page.endswith(row["page"])] or [None]
    assert row is None or not row["seats"][0]["connected"]
