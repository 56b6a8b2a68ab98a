"""Tests of the transcripts' own checks, with a wire that echoes."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.testing.transcripts import Party, patched, play, read


class Echo:
    def __init__(self, stage: EchoStage) -> None:
        self._stage = stage
        self.frames: list[str] = []
        self.code: int | None = None

    def send(self, message: object) -> None:
        text = str(message)
        self.frames += [f"{text} at {self._stage.now}"] if text.startswith("when") else [text]
        self.code = 4001 if text == "bye" else self.code

    def drop(self) -> None:
        self.frames.append("dropped")


class EchoStage:
    def __init__(self) -> None:
        self.now = 0.0

    def connect(self, name: str) -> Echo:
        return Echo(self)

    def advance(self, seconds: float) -> None:
        self.now += seconds

    def closed_with(self, party: Party) -> int | None:
        assert isinstance(party, Echo)
        return party.code


def run(tmp_path: Path, text: str) -> None:
    path = tmp_path / "script.txt"
    path.write_text(text, encoding="utf-8")
    play(read(path), EchoStage())


PATCHED = """
> {"a":1,"b":[{"c":2},{"d":3}]}
< {"a": 1, "b": [{"c": 2}, {"d": 3}]}
> {"b":[{"c":2},{"d":4}],"e":{"d":4}}
<~ {"a": null, "b": {"1": {"d": 4}}, "e": {"$ref": "/b/1"}}
"""


@pytest.mark.parametrize(
    "text",
    [
        "> hello\n< hello\n",
        "# nothing\n\nann+\nann> a b\nann< a b\nbob> free\n",
        PATCHED,
        "= 1.5\nann> when\nann< when at 1.5\n",
        "ann> bye\nann< bye\nann! 4001\nann+\nann> again\nann< again\n",
        "ann> x\nann-\nann< x\nann< dropped\n",
    ],
)
def test_a_correct_transcript_passes(tmp_path: Path, text: str) -> None:
    run(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("> hello\n< hallo\n", "line 2"),
        ("> hello\n", ""),
        ("> a\n> b\n< a\n", "also sent b"),
        ("> a\n< a\n< b\n", "was sent nothing"),
        ('> {"b":1,"a":2}\n< {"a": 2, "b": 1}\n', "different order"),
        ('> {"a":1}\n< {"a": 1, "b": 2}\n', "line 2"),
        ('> {"a":1}\n< {"a": 1}\n> {"a":1}\n<~ {"a": 2}\n', "line 4"),
        ("> a\n! 4001\n", "not closed with this code"),
    ],
)
def test_a_wrong_transcript_fails(tmp_path: Path, text: str, words: str) -> None:
    if not words:
        run(tmp_path, text)  # the frames of other connections are not checked
        return
    with pytest.raises(AssertionError, match=words):
        run(tmp_path, text)


def test_a_line_that_is_not_a_step_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"script.txt:1: expected a step"):
        run(tmp_path, "hello there\n")


def test_a_patch_removes_members_that_are_null() -> None:
    assert patched({"a": 1, "b": {"c": 2, "d": 3}}, {"a": None, "b": {"d": None}, "e": [1]}) == {
        "b": {"c": 2},
        "e": [1],
    }
