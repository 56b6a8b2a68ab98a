"""A first game: every phase is explained when it comes, once, in the language of the page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Visitor
from tests.browser.looks import complaints, overflow
from tests.browser.players import PLAYERS, Player, asked
from tests.browser.tables import settled
from tests.browser.test_layout import OTHERS, PHONES
from tests.browser.ways import FINGER
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]

EXPLAINED = [player for player in PLAYERS if player.game != "hearts"]
PHONE = {"viewport": PHONES[0], "has_touch": True, "is_mobile": True}

COVERED = """() => {
    const note = document.querySelector('.guide').getBoundingClientRect();
    const things = '.table-main button:not(.guide *), .own .prompt-text, .trick-card';
    return [...document.querySelectorAll(things)].filter(it => {
        const { left, top, right, bottom } = it.getBoundingClientRect();
        return left < note.right && right > note.left && top < note.bottom && bottom > note.top;
    }).map(it => it.innerText || it.className);
}"""
"""The things to press or to read on the table that the note covers."""


def covered(page: Page) -> dict[str, list[str]]:
    """Return what the note covers, by the size of the window."""
    found: dict[str, list[str]] = {}
    for size in [*PHONES, *OTHERS]:
        page.set_viewport_size(size)
        settled(page)
        found[f"{size['width']}x{size['height']}"] = page.evaluate(COVERED)
    page.set_viewport_size(PHONES[0])
    return {size: things for size, things in found.items() if things}


@pytest.mark.parametrize("player", EXPLAINED, ids=lambda player: player.game)
def test_the_first_deal_is_explained_once_by_touch_in_german(
    player: Player, house: Server, browser: Browser
) -> None:
    visitor = Visitor(browser, new=True, locale="de", **PHONE)
    page = visitor.page
    page.goto(f"{house.http}/table/{player.open(house)}?sit=0")
    guide = page.get_by_test_id("guide")
    met: set[str] = set()
    while (what := asked(page)) != "over":
        if what not in met and what != "dialogue":  # the steps of a tool explain themselves
            expect(guide).to_contain_text("Deine erste Partie")
            assert overflow(page) <= 0
            assert not covered(page), what
            if not met:
                assert not complaints(page)
            FINGER.press(page.get_by_test_id("guide-ok"))
        expect(guide).to_have_count(0)
        met.add(what)
        player.take_turn(page, FINGER)
    assert met == player.phases
    page.goto(f"{house.http}/table/{player.open(house)}?sit=0")
    assert asked(page) in met
    expect(guide).to_have_count(0)
    visitor.close()


def test_the_introduction_can_be_skipped(house: Server, browser: Browser) -> None:
    player = next(one for one in PLAYERS if one.game == "tarock")
    visitor = Visitor(browser, new=True)
    page = visitor.page
    page.goto(f"{house.http}/table/{player.open(house)}?sit=0")
    page.get_by_test_id("guide-skip").click()
    expect(page.get_by_test_id("guide")).to_have_count(0)
    while asked(page) == "bidding":
        player.take_turn(page)
    page.reload()
    asked(page)
    expect(page.get_by_test_id("guide")).to_have_count(0)
    visitor.close()
