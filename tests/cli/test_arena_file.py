"""For a mistake in an arena file the error names the line and what is expected."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from croupier.arena.plan import KNOCKOUT, SWISS, Contestant, Limits
from croupier.cli.arena_file import ARENA, CONTESTANT, LIMITS, read
from croupier.cli.tomlfile import line_of
from tests.cli.command import only_line, run

EXAMPLE = Path(__file__).parents[2] / "examples" / "arena.toml"
TWO = '[[contestant]]\nbot = "random"\n[[contestant]]\nname = "b"\nbot = "random"\n'
HEAD = '[arena]\ngame = "hearts"\n'


def written(path: Path, text: str) -> Path:
    file = path / "a.toml"
    file.write_text(text)
    return file


def test_the_example_is_right_and_names_every_key() -> None:
    text = EXAMPLE.read_text()
    for section, keys in (("[arena]", ARENA), ("[limits]", LIMITS), ("[[contestant]]", CONTESTANT)):
        part = text.split(f"\n{section}", 1)[1]
        part = part if section == "[[contestant]]" else part.split("\n[")[0]
        for key in keys:
            assert f"\n{key} = " in part or f"\n# {key} = " in part, f"{section} {key}"
    found = read(EXAMPLE)
    assert found.limits == Limits()
    assert found.names == ("heuristic", "dummy", "example")
    assert read(EXAMPLE.with_name("arena_wires.toml")).contestants[1].wire == "lines"


def test_omitted_keys_have_their_defaults(tmp_path: Path) -> None:
    found = read(written(tmp_path, HEAD + TWO))
    assert (found.seats, found.deals, found.seed, found.format) == (4, 100, "", "round-robin")
    assert found.names == ("random", "b")


def test_commands_may_be_lines_or_lists(tmp_path: Path) -> None:
    text = TWO.replace('bot = "random"\n', 'command = "sh -c \'exit 1\'"\nname = "a"\n', 1)
    assert read(written(tmp_path, HEAD + text)).contestants[0] == Contestant(
        "a", command=("sh", "-c", "exit 1")
    )
    text = TWO.replace('bot = "random"\n', 'command = ["sh", "x y"]\nname = "a"\nwire = "own"\n', 1)
    assert read(written(tmp_path, HEAD + text)).contestants[0] == Contestant(
        "a", command=("sh", "x y"), wire="own"
    )


def test_braces_of_other_languages_are_not_changed(tmp_path: Path) -> None:
    for word in ("{url}/{seat}", "${HOME}", "{{ulr}}", '{"a": 1}', "{a,b}", "{}", "{ print }"):
        text = HEAD + TWO + f"[[contestant]]\nname = 'c'\ncommand = ['sh', '{word}']\n"
        assert read(written(tmp_path, text)).contestants[2].command == ("sh", word)


def test_programs_may_connect_from_outside(tmp_path: Path) -> None:
    text = TWO.replace('bot = "random"\n', 'listen = "[::1]:7001"\nname = "a"\nwire = "own"\n', 1)
    found = read(written(tmp_path, HEAD + "wait = 60\n" + text))
    assert found.wait == 60
    assert found.contestants[0] == Contestant("a", wire="own", listen="[::1]:7001")
    assert found.contestants[0].address == ("::1", 7001)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "game: missing in [arena]"),
        ("[arena\n", "at line 1"),
        ("\n[arenas]\n", "line 2: arenas: unknown, expected one of the sections [arena]"),
        ("[contestant]\n", "line 1: contestant: expected [[contestant]]"),
        ("\n[[arena]]\n", "line 2: arena: expected [arena]"),
        ("[limits]\n[options.foo]\na = 1\n[arena]\ngame = 'hearts'\n" + TWO, "line 2: option foo: unknown"),
        ("options.foo = 1\n" + HEAD + TWO, "line 1: option foo: unknown"),
        (HEAD + "deals = " + "[" * 5000, "line 3: nested too deeply, expected at most 20 levels"),
        (HEAD + ".".join("a" * 5000) + " = 1\n", "line 3: nested too deeply"),
        (HEAD + "deals = " + "9" * 5000, "line 3: number too large, expected at most 9223372036854775807"),
        (HEAD + "deals = 0x" + "f" * 5000, "line 3: number too large"),
        (HEAD + "wait = " + "9" * 400, "line 3: number too large"),
        ("deals = 3\n", "line 1: deals: unknown, expected one of the sections"),
        ('[arena]\ngame = "chess"\n', "line 2: game 'chess': unknown, expected one of hearts"),
        (HEAD + "deal = 3\n", "line 3: deal: unknown in [arena], expected game, seats, deals"),
        (HEAD + 'deals = "3"\n', "line 3: deals = '3': expected a whole number"),
        (HEAD + "deals = 0\n" + TWO, "line 3: deals = 0: expected 1…1000000"),
        (HEAD + "seats = 5\n" + TWO, "line 3: seats = 5: expected 4"),
        ('[arena]\ngame = "sagrada"\nseats = 1\n' + TWO, "line 3: seats = 1: expected 2 or 3 or 4"),
        (HEAD + 'format = "cup"\n' + TWO, "line 3: format = 'cup': expected round-robin, swiss, knockout"),
        (HEAD + "rounds = 2\n" + TWO, 'line 3: rounds = 2: only format = "swiss" has rounds'),
        (HEAD + f'format = "{SWISS}"\nrounds = 9\n' + TWO, "line 4: rounds = 9: expected 1 for this number"),
        (HEAD + f'format = "{KNOCKOUT}"\nat_table = 4\n' + TWO, "line 4: at_table = 4: only format"),
        (HEAD + "at_table = 3\n" + TWO, "line 3: at_table = 3: expected 2 for this number"),
        (HEAD + "[options]\ndeals = 0\n" + TWO, "line 4: option deals=0: expected"),
        (HEAD + "[options]\ngoal = 1\n" + TWO, "line 4: option goal: unknown, expected"),
        (HEAD + "[limits]\nseconds = 0\n" + TWO, "line 4: seconds = 0: expected 0.05…3600"),
        (HEAD + "[limits]\nmemory = 1.5\n" + TWO, "line 4: memory = 1.5: expected a whole number"),
        (HEAD + "[limits]\nmemory = 2\n" + TWO, "line 4: memory = 2: expected 16…1048576"),
        (HEAD + "[limits]\nseconds = '2'\n" + TWO, "line 4: seconds = '2': expected a number"),
        (HEAD, "0 contestants: expected two or more"),
        (HEAD + '[[contestant]]\nbot = "random"\n', "line 3: 1 contestants: expected two or more"),
        (
            HEAD + TWO + '[[contestant]]\nname = "b"\nbot = "dummy"\n',
            "line 9: name = 'b': another contestant",
        ),
        (HEAD + TWO + "[[contestant]]\n", "line 8: expected one of bot, command, listen"),
        (HEAD + TWO + '[[contestant]]\nbot = "deep"\n', "line 9: bot = 'deep': expected one of random"),
        (
            HEAD + TWO + '[[contestant]]\nbot = "dummy"\nwire = "own"\n',
            "line 10: wire: only for programs",
        ),
        (HEAD + TWO + '[[contestant]]\ncommand = "sh"\n', "name: expected 1 to 64"),
        (
            HEAD + TWO + '[[contestant]]\nname = " c"\nbot = "dummy"\n',
            "line 9: name = ' c': expected no spaces",
        ),
        (
            HEAD + TWO + '[[contestant]]\nname = "c\\u001b"\nbot = "dummy"\n',
            "line 9: name = 'c\\x1b': expected no spaces around it and no control characters",
        ),
        (
            HEAD + TWO + '[[contestant]]\nname = "c"\ncommand = "sh {ulr}"\n',
            "line 10: command: {ulr} is unknown, expected one of {url}, {host}",
        ),
        (HEAD + TWO + '[[contestant]]\nname = "c"\ncommand = ""\n', "line 10: command: expected a program"),
        (HEAD + TWO + '[[contestant]]\nname = "c"\ncommand = [1]\n', "line 10: command: expected a program"),
        (
            HEAD + TWO + '[[contestant]]\nname = "c"\ncommand = "\'"\n',
            "line 10: command: no closing quotation",
        ),
        (
            HEAD + TWO + '[[contestant]]\nname = "c"\ncommand = "./none"\n',
            "line 10: command: no such program",
        ),
        (
            HEAD.replace("hearts", "coinche")
            + TWO
            + '[[contestant]]\nname = "c"\ncommand = "sh"\nwire = "trend"\n',
            "line 11: wire = 'trend': expected one of house, own, lines for Coinche",
        ),
        (
            HEAD + TWO + '[[contestant]]\nname = "c"\ncommand = "sh"\nwire = "lines"\n',
            "line 11: wire = 'lines': expected one of house, own for Hearts",
        ),
        (
            HEAD + TWO + '[[contestant]]\nname = "c"\ncommand = "sh"\nkeys = "file"\n',
            "line 11: keys = 'file': expected environment or stdin",
        ),
        (
            HEAD + TWO + '[[contestant]]\nname = "c"\ncommand = "sh {token}"\nkeys = "stdin"\n',
            'line 10: command: {token} is readable by other programs; with keys = "stdin" omit it',
        ),
        (
            HEAD + TWO + '[[contestant]]\nname = "c"\nlisten = "localhost:7001"\nkeys = "stdin"\n',
            "line 11: keys: only for programs that the arena starts",
        ),
        (
            HEAD + TWO + '[[contestant]]\nname = "c"\nlisten = ":7001"\n',
            "line 10: listen = ':7001': expected host:port",
        ),
        (
            HEAD + TWO + '[[contestant]]\nname = "c"\nlisten = "localhost:http"\n',
            "line 10: listen = 'localhost:http': expected host:port",
        ),
        (
            HEAD
            + TWO
            + '[[contestant]]\nname = "c"\nlisten = "::1:7001"\n'
            + '[[contestant]]\nname = "d"\nlisten = "::1:7001"\n',
            "line 13: listen = '::1:7001': 'c' has this address; choose another port",
        ),
        (HEAD + "wait = 0\n" + TWO, "line 3: wait = 0: expected seconds"),
        (HEAD + "[limits]\nrefusals = -1\n" + TWO, "line 4: refusals = -1: expected 0…10000"),
    ],
)
def test_a_mistake_is_shown_with_its_line(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(click.ClickException) as error:
        read(written(tmp_path, text))
    assert words in error.value.message


def test_a_mistake_is_reported_in_one_line(tmp_path: Path) -> None:
    for command in ("run", "report"):
        done = run("arena", command, tmp_path / "none.toml")
        assert done.returncode == 1
        assert only_line(done) == f"croupier: {tmp_path / 'none.toml'}: No such file or directory"
    done = run("arena", "run", written(tmp_path, HEAD + "deals = 0\n" + TWO))
    assert "line 3: deals = 0" in only_line(done)
    file = tmp_path / "b.toml"
    file.write_bytes(b"[arena]\nseed = 'caf\xe9'\n")
    assert "line 2: not valid UTF-8" in only_line(run("arena", "run", file))


def test_lines_are_found_in_sections_of_one_name() -> None:
    text = "a = 1\n[s]\na = 2\n[[t]]\na = 3\n[[t]]\n\n'a' = 4\n[u]\nb.c = 1\n"
    assert line_of(text, ("a",)) == 1
    assert line_of(text, ("s", "a")) == 3
    assert line_of(text, ("t", 0, "a")) == 5
    assert line_of(text, ("t", 1, "a")) == 8
    assert line_of(text, ("t", 1, "x")) == 6
    assert line_of(text, ("u", "b")) == 10
    assert line_of(text, ("t",)) == 4
    assert line_of(text, ("none",)) == 0


def test_lines_are_found_under_dotted_names() -> None:
    text = "[a.b]\nc = 1\n[[t]]\n[t.u]\nv = 1\n[[t]]\n[t.'u']\nv.w = 1\n[a] # again\nd = [\n  [1],\n]\n"
    assert line_of(text, ("a", "b", "c")) == 2
    assert line_of(text, ("a", "b")) == 1
    assert line_of(text, ("a",)) == 9
    assert line_of(text, ("a", "d", 0, 0)) == 10
    assert line_of(text, ("t", 0, "u", "v")) == 5
    assert line_of(text, ("t", 1, "u", "v", "w")) == 8


def test_a_sandbox_needs_bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    done = run("arena", "run", written(tmp_path, HEAD + TWO), "--sandbox")
    assert done.returncode == 1
    assert "bwrap is not installed; install the package bubblewrap" in only_line(done)
