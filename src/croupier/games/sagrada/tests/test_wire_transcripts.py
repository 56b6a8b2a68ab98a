"""The protocol word for word: scripts of clients over every kind of connection (spec 4 to 12, 15)."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.games.sagrada.tests.wiring import TRANSCRIPTS, WAYS, Script, Stage, new_house
from croupier.testing.transcripts import play

SCRIPTS = sorted(TRANSCRIPTS.glob("*.txt"))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("path", SCRIPTS, ids=[path.stem for path in SCRIPTS])
def test_transcript(path: Path, way: str) -> None:
    script = Script(path)
    if way in script.without:
        pytest.skip(f"not over {way}")
    play(script.steps, Stage(new_house(script.options), way))
