"""The results file: nothing is lost or mixed up, and errors are reported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from croupier.arena.plan import ENVIRONMENT, STDIN, SWISS, Arena, Contestant
from croupier.arena.results import BadResults, Book, load, results_path
from tests.arena.arenas import arena, bots, finished

STRENGTH = {"a": 1.0, "b": 2.0, "c": 3.0}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return results_path(tmp_path / "spring.toml")


def begun(path: Path, wanted: Arena, many: int) -> None:
    with Book(path, wanted) as book:
        book.add(finished(book.arena, STRENGTH)[:many])


def test_results_are_there_again(path: Path) -> None:
    begun(path, arena(), 3)
    with Book(path, arena()) as book:
        assert book.results == finished(arena(), STRENGTH)[:3]
        book.add(finished(arena(), STRENGTH)[3:])
    assert load(path, arena()) == (arena(), finished(arena(), STRENGTH))


def test_results_are_not_where_the_programs_are(tmp_path: Path) -> None:
    file = tmp_path / "spring.toml"
    path = results_path(file)
    assert path.name.startswith("spring-")
    assert tmp_path not in path.parents
    assert path == results_path(tmp_path / "." / "spring.toml")
    assert path != results_path(tmp_path / "other" / "spring.toml")
    beside = tmp_path / "spring.results.jsonl"  # written by earlier versions, or brought from elsewhere
    beside.touch()
    assert results_path(file) == beside


@pytest.mark.parametrize(
    ("change", "number"),
    [
        (lambda lines: [*lines[:2], lines[2].replace(b'"scores":[', b'"scores":[9'), *lines[3:]], 3),
        (lambda lines: [lines[0].replace(b'"seed":"s"', b'"seed":"t"'), *lines[1:]], 1),
        (lambda lines: [*lines[:2], *lines[3:]], 3),
        (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], 2),
        (lambda lines: [*lines[:3], lines[3].split(b',"digest"')[0] + b"}\n"], 4),
    ],
)
def test_a_line_that_was_edited_is_named(
    change: Callable[[list[bytes]], list[bytes]], number: int, path: Path
) -> None:
    begun(path, arena(), 3)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(change(lines)))
    for opened in (Book, load):
        with pytest.raises(BadResults, match=f"line {number}: .*changed"):
            opened(path, arena())


def test_a_file_that_is_rewritten_during_a_run_is_noticed(path: Path) -> None:
    forged = path.with_name("forged.jsonl")
    begun(forged, arena(), 1)
    with Book(forged, arena()) as book:
        book.add(finished(arena(), {"a": 9.0, "b": 0.0})[1:2])
    with Book(path, arena()) as book:
        book.add(finished(arena(), STRENGTH)[:2])
        book.check()
        path.write_bytes(forged.read_bytes())  # every digest in it is right
        with pytest.raises(BadResults, match="changed during the run"):
            book.check()
        book.add(finished(arena(), STRENGTH)[2:3])
    with pytest.raises(BadResults, match=r"line 4: .*changed"):
        load(path, arena())


def test_a_file_of_an_earlier_version_is_continued(path: Path) -> None:
    begun(path, arena(), 2)
    bare = [line.split(b',"digest"')[0] + b"}\n" for line in path.read_bytes().splitlines()]
    path.write_bytes(b"".join(bare))
    begun(path, arena(), 0)
    with Book(path, arena()) as book:
        assert book.results == finished(arena(), STRENGTH)[:2]
        book.add(finished(arena(), STRENGTH)[2:3])
    assert len(load(path, arena())[1]) == 3
    path.write_bytes(path.read_bytes().replace(b'"scores":[', b'"scores":[9', 1))  # protected by the new line
    with pytest.raises(BadResults, match=r"line 4: .*changed"):
        load(path, arena())


def test_a_line_that_was_cut_off_is_played_again(path: Path) -> None:
    begun(path, arena(), 3)
    data = path.read_bytes()
    for cut in range(len(data) - 40, len(data)):
        path.write_bytes(data[:cut])
        assert len(load(path, arena())[1]) == 2
        with Book(path, arena()) as book:
            assert len(book.results) == 2
            book.add(finished(arena(), STRENGTH)[2:4])
        assert len(load(path, arena())[1]) == 4


def test_without_a_seed_one_is_drawn_and_kept(path: Path) -> None:
    begun(path, arena(seed=""), 1)
    first, _ = load(path, arena(seed=""))
    assert first.seed
    with Book(path, arena(seed="")) as book:
        assert book.arena.seed == first.seed


def test_a_round_robin_may_grow(path: Path) -> None:
    begun(path, arena(), 4)
    grown = arena("a b c", deals=5)
    with Book(path, grown) as book:
        assert len(book.results) == 4
    assert len(load(path, arena(deals=1))[1]) == 2  # and shrink
    assert load(path, arena("b c"))[1] == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seed": "t"}, "it was played with seed s, the arena file has t"),
        ({"options": {"target": 600}}, 'options {"target":500}, the arena file has {"target":600}'),
        ({"game": "tarock"}, "game coinche"),
        ({"contestants": (*bots("a"), Contestant("b", "heuristic"))}, "contestant 'b' was different"),
    ],
)
def test_another_tournament_is_refused(changes: dict[str, object], words: str, path: Path) -> None:
    begun(path, arena(), 1)
    before = path.read_bytes()
    with pytest.raises(BadResults, match="move the results away") as error:
        Book(path, arena(**changes))
    assert words in str(error.value)
    assert path.read_bytes() == before


def test_who_comes_back_must_be_the_same(path: Path) -> None:
    begun(path, arena("a b c"), 12)
    begun(path, arena("a b"), 0)
    with Book(path, arena("a b c")) as book:
        assert len(book.results) == 12
    begun(path, arena("a b"), 0)
    another = arena(contestants=(*bots("a", "b"), Contestant("c", "heuristic")))
    for opened in (Book, load):
        with pytest.raises(BadResults, match="contestant 'c' was different"):
            opened(path, another)


def test_where_the_past_pairs_nothing_may_grow(path: Path) -> None:
    begun(path, arena("a b c", format=SWISS, rounds=2), 1)
    with pytest.raises(BadResults, match="deals 2"):
        Book(path, arena("a b c", format=SWISS, rounds=2, deals=3))


@pytest.mark.parametrize("rubbish", [b"{]\n", b"\xff\n", b'{"result": 3}\n', b"[" * 5000 + b"\n"])
def test_a_line_that_cannot_be_read_is_told(rubbish: bytes, path: Path) -> None:
    begun(path, arena(), 1)
    path.write_bytes(path.read_bytes() + rubbish)
    with pytest.raises(BadResults, match="line 3: "):
        load(path, arena())


def test_results_without_a_head_are_refused(path: Path) -> None:
    begun(path, arena(), 1)
    path.write_bytes(path.read_bytes().splitlines()[1].split(b',"digest"')[0] + b"}\n")
    with pytest.raises(BadResults, match="no line describes the arena"):
        load(path, arena())


def test_only_one_run_at_a_time(path: Path) -> None:
    with Book(path, arena()), pytest.raises(BadResults, match="another run"):
        Book(path, arena())


def test_where_the_file_lies_is_not_told(path: Path) -> None:
    begun(path, msgspec.structs.replace(arena(), folder="/home/ann"), 1)
    assert b"ann" not in path.read_bytes()


def test_a_program_from_outside_may_connect_elsewhere_next_time(path: Path) -> None:
    for listen in ("127.0.0.1:7001", "0.0.0.0:7002"):
        with Book(path, arena(contestants=(*bots("a"), Contestant("far", listen=listen)))) as book:
            assert book.arena.called("far").listen == listen
    with pytest.raises(BadResults, match="contestant 'far' was different"):
        Book(path, arena(contestants=(*bots("a"), Contestant("far", command=("true",)))))


def test_a_program_may_get_its_keys_elsewhere_next_time(path: Path) -> None:
    for keys in (ENVIRONMENT, STDIN):
        one = Contestant("near", command=("true",), keys=keys)
        with Book(path, arena(contestants=(*bots("a"), one))) as book:
            assert book.arena.called("near").keys == keys
