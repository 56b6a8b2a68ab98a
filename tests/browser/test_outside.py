"""A game from outside in Chromium: Spades has no TypeScript, so the generic page draws it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Visitor
from tests.browser.looks import overflow
from tests.browser.tables import LEGAL
from tests.browser.ways import KEYS, MOUSE, Way
from tests.integration.servers import Server, running
from tests.outside import EXAMPLE, install

pytestmark = [pytest.mark.slow, pytest.mark.browser]

ILLEGAL = ".fan-card[data-state=illegal]"


@pytest.fixture
def spades(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Run a server on which Spades is installed."""
    monkeypatch.setenv("PYTHONPATH", str(install(EXAMPLE, tmp_path / "site")))
    with running(tmp_path / "log", "serve", "--port", "0", "--data", str(tmp_path / "data")) as server:
        yield server
        assert "Traceback" not in server.log


def new_table(server: Server, **options: int) -> str:
    """Open a table for a person and three bots, always with the same cards."""
    seats = ["person", *["bot heuristic"] * 3]
    return server.new_table(game="spades", seats=seats, options=options, seed="1", start=True)


def answer(page: Page, way: Way) -> bool:
    """Answer one question; return False when the match is over."""
    question = page.locator("[data-question], [data-testid=see-replay]").first
    question.wait_for()
    if page.get_by_test_id("see-replay").count():
        return False
    before = page.locator("[data-question]").get_attribute("data-question")
    bid = page.get_by_test_id("answer-bid-3")
    way.press(bid if bid.count() else page.locator(LEGAL).first)
    page.wait_for_function(
        "before => document.querySelector('[data-question]')?.dataset.question !== before", arg=before
    )
    return True


def test_spades_from_the_lobby_to_the_replay(spades: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(spades.http)
    tile = page.get_by_test_id("tile-spades")
    expect(tile).to_contain_text("Partners bid their tricks")
    tile.get_by_test_id("rules-open").click()
    expect(page.get_by_test_id("rules")).to_contain_text("Spades are trumps in every deal")
    page.keyboard.press("Escape")
    page.get_by_test_id("new-table-spades").click()
    expect(page.locator("dialog .preset")).to_contain_text(["Short match", "Whole match", "Plain Spades"])
    page.keyboard.press("Escape")
    page.get_by_test_id("lobby-play-spades").click()
    expect(page).to_have_url(re.compile("/table/"))
    expect(page.locator(".prompt")).to_contain_text("How many tricks will you take?")
    expect(page.get_by_test_id("answer-bid-0")).to_have_text("Nil")


def test_programs_play_it_in_the_house_protocol(spades: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(f"{spades.http}/connect/spades")
    expect(page.get_by_test_id("protocol-house")).to_be_checked()
    page.get_by_test_id("connect-open").click()
    expect(page.get_by_test_id("example")).to_contain_text(re.compile(r'URL = "ws://.*/house/'))


def test_a_match_of_spades_by_keyboard_and_mouse_on_a_phone(spades: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.set_viewport_size(PHONE)
    id = new_table(spades, target=50)
    page.goto(f"{spades.http}/table/{id}?sit=0")
    assert answer(page, KEYS)
    page.locator("[data-question]").wait_for()
    assert overflow(page) <= 0
    expect(page.get_by_test_id("taken-0")).to_have_text(re.compile("0 / 3"))
    if page.locator(ILLEGAL).count():
        page.locator(ILLEGAL).first.click(force=True)
        expect(page.locator(".own .refusal")).to_contain_text(re.compile("follow suit|not broken"))
    way: Way = KEYS
    while answer(page, way):
        way = MOUSE if way is KEYS else KEYS
    expect(page.locator(".result")).to_be_visible()
    expect(page.get_by_test_id("score-sheet")).to_contain_text("Total")
    page.get_by_test_id("see-replay").click()
    expect(page).to_have_url(re.compile("/replay/"))
    expect(page.locator(".felt")).to_be_visible()


def test_spades_speaks_german(spades: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.add_init_script("localStorage.setItem('croupier.language', 'de')")
    id = new_table(spades)
    page.goto(f"{spades.http}/table/{id}?sit=0")
    expect(page.locator(".prompt")).to_contain_text("Wie viele Stiche machst du?")
    expect(page.get_by_test_id("answer-bid-0")).to_have_text("Null")
    expect(page.locator("body")).to_contain_text("sagt")
