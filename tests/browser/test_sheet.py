"""The contact sheet: one page with pictures of the games."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.sheet import Picture, chosen, contact_sheet, make

pytestmark = [pytest.mark.slow, pytest.mark.browser]


def test_the_sheet_has_every_phase_of_a_game_in_the_chosen_ways(browser: Browser, tmp_path: Path) -> None:
    how = ["--games", "lobby,hearts", "--languages", "en,de", "--themes", "dark", "--sizes", "390x664"]
    page = make(browser, *chosen([str(tmp_path), *how])).read_text()
    taken = {path.name for path in tmp_path.glob("*.png")}
    assert all(f'src="{name}"' in page for name in taken)
    for phase in ("1_passing_1", "2_exposing_1", "3_playing_1", "3_playing_3", "4_over"):
        assert {f"hearts-{phase}-390x664-dark-{language}.png" for language in ("en", "de")} <= taken
    assert len(taken) == 12


def test_pictures_are_ordered_by_game_phase_and_size() -> None:
    pictures = [
        Picture(game, phase, "390x664", "dark", "en")
        for game in ("hearts", "tarock")
        for phase in ("1 a", "2 b")
    ]
    titles = [line for line in contact_sheet(pictures).splitlines() if line.startswith("<h")]
    phases = [f"<h2>{phase}, 390x664</h2><div>" for phase in ("1 a", "2 b")]
    assert titles == ["<h1>hearts</h1>", *phases, "<h1>tarock</h1>", *phases]


def test_an_unknown_game_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        chosen(["out", "--games", "chess"])
    assert "--games chess: expected some of lobby,hearts" in capsys.readouterr().err
