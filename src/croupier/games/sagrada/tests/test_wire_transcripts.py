"""The protocol word for word: scripts of clients over every kind of connection (spec 4 to 12, 15)."""

from __future__ import annotations

import pytest

from croupier.games.sagrada.tests.wiring import TRANSCRIPTS, WAYS, Script, Stage, new_house
from croupier.testing.transcripts import play

SCRIPTS = [Script(path) for path in sorted(TRANSCRIPTS.glob("*.txt"))]
CASES = [
    pytest.param(script, way, id=f"{script.name}-{way}")
    for script in SCRIPTS
    for way in WAYS
    if way not in script.without
]


@pytest.mark.parametrize(("script", "way"), CASES)
def test_transcript(script: Script, way: str) -> None:
    play(script.steps, Stage(new_house(script.options), way))
