"""A table fits every window: nothing scrolls, the hand is within reach, and the frame keeps its place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.conftest import Visitor
from tests.browser.players import PLAYERS, Player, asked
from tests.browser.tables import settled
from tests.browser.ways import FINGER
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]

PHONES: list[ViewportSize] = [
    {"width": 390, "height": 664},
    {"width": 360, "height": 640},
    {"width": 844, "height": 390},
]
OTHERS: list[ViewportSize] = [
    {"width": 768, "height": 1024},
    {"width": 1024, "height": 768},
    {"width": 1440, "height": 900},
]
FINGERTIP = 44
SLACK = 2
"""Pixels."""

MEASURE = """() => {
    const box = it => {
        const { left, top, right, bottom } = it.getBoundingClientRect();
        return [left, top, right, bottom];
    };
    const shown = it => it.checkVisibility({ visibilityProperty: true }) && it.getClientRects().length > 0;
    const all = what => [...document.querySelectorAll(what)].filter(shown);
    const root = document.documentElement;
    const outside = it => {
        const [left, top, right, bottom] = box(it);
        return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
    };
    const name = it => it.dataset.testid || it.className || it.tagName;
    const buttons = all('.page-table button:not(.fan-card, .side button), .page-table a.button')
        .filter(it => !it.closest('.side, .banner'));
    const hand = all('.fan-card, .glass-own .glass-cell, .glass-pool-die');
    const cut = it => it.offsetWidth > 1  // not one for screen readers alone
        && (it.scrollWidth > it.clientWidth + 1 || it.scrollHeight > it.clientHeight + 1);
    const own = document.querySelector('.fan, .glass-own > .glass-window');
    const questions = all('.own .prompt-answers button');
    return {
        wide: root.scrollWidth - innerWidth,
        high: root.scrollHeight - innerHeight,
        hand: hand.length,
        off: [...hand, ...all('.prompt-answers button, .result-next > *')].filter(outside).map(name),
        small: buttons.filter(it => it.offsetWidth < 43.5 || it.offsetHeight < 43.5)
            .map(it => `${name(it)} ${it.offsetWidth}x${it.offsetHeight}`),
        cut: [
            ...all('.table-head h1, .table-head .standing'),
            ...all('.glass:not(.choosing, :has(.result)) :is(.glass-goals, .glass-tools)'),
        ].filter(cut).map(it => it.innerText),
        below: own ? questions.filter(it => box(it)[3] > box(own)[1] + 30).map(name) : [],
        frame: Object.fromEntries([
            ...all('.seat').map(it => [it.dataset.testid, box(it)]),
            ...all('.backs').map((it, at) => [`backs ${at}`, box(it).slice(1, 2)]),
            ...(own ? [['own', box(own)]] : []),
        ]),
    };
}"""


def measure(page: Page, size: ViewportSize) -> dict[str, Any]:
    page.set_viewport_size(size)
    settled(page)
    found: dict[str, Any] = page.evaluate(MEASURE)
    return found


def shifts(before: dict[str, list[float]], after: dict[str, list[float]]) -> dict[str, list[float]]:
    """Return what has moved since *before*, and by how much."""
    moved = {
        name: [round(new - old, 1) for new, old in zip(after[name], before[name], strict=True)]
        for name in before.keys() & after.keys()
    }
    return {name: by for name, by in moved.items() if max(map(abs, by)) > SLACK}


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.game)
def test_a_deal_by_touch_in_german_fits_every_window_and_stays_in_place(
    player: Player, house: Server, browser: Browser
) -> None:
    visitor = Visitor(browser, viewport=PHONES[0], has_touch=True, is_mobile=True, locale="de")
    page = visitor.page
    page.goto(f"{house.http}/table/{player.open(house)}?sit=0")
    frames: dict[tuple[int, int], dict[str, list[float]]] = {}
    seen: dict[str, int] = {}
    what = ""
    while what != "over":
        what = asked(page)
        seen[what] = seen.get(what, 0) + 1
        for size in [*PHONES, *OTHERS] if seen[what] <= 3 else []:
            where = f"{what} at {size['width']}x{size['height']}"
            found = measure(page, size)
            assert found["wide"] <= 0, where
            assert found["high"] <= 0, f"{where} scrolls"
            assert found["hand"] > 0 or what == "over", where
            assert not found["off"], f"{where}: off the screen: {found['off']}"
            assert not found["cut"], f"{where}: cut: {found['cut']}"
            assert not found["below"], f"{where}: below the hand: {found['below']}"
            if size != OTHERS[-1]:
                assert not found["small"], f"{where}: too small for a finger: {found['small']}"
            if what == "choosing":
                continue  # windows to choose from: there is no own one yet
            frame = frames.setdefault((size["width"], size["height"]), found["frame"])
            assert not shifts(frame, found["frame"]), f"{where}: {shifts(frame, found['frame'])}"
        page.set_viewport_size(PHONES[0])
        if what != "over":
            player.take_turn(page, FINGER)
    assert player.phases <= seen.keys()
    assert visitor.console == []
    visitor.close()


OVERLAPS = """() => {
    const shown = what => [...document.querySelectorAll(what)].filter(it => it.getClientRects().length);
    const parts = ['others', 'track', 'goals', 'tools', 'asked', 'pool-row', 'own']
        .flatMap(part => shown(`.glass-${part}`));
    const over = (one, other) => {
        const [a, b] = [one, other].map(it => it.getBoundingClientRect());
        return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    };
    const pairs = parts.flatMap((one, at) => parts.slice(at + 1).map(other => [one, other]));
    const cut = it => it.scrollWidth > it.clientWidth || it.scrollHeight > it.clientHeight + 1;
    return [
        ...pairs.filter(pair => over(...pair)).map(pair => pair.map(it => it.className).join(' and ')),
        ...shown('.glass-other .seat-name').filter(cut).map(it => `cut: ${it.innerText}`),
    ];
}"""
"""Parts of the workshop that cover each other, and names that are cut."""


@pytest.mark.parametrize("seats", [2, 4])
def test_no_part_of_the_workshop_covers_another(house: Server, browser: Browser, seats: int) -> None:
    player = replace(PLAYERS[-1], seats=seats, options={"rounds": 1})
    assert player.game == "sagrada"
    visitor = Visitor(browser, viewport=PHONES[0], has_touch=True, is_mobile=True, locale="de")
    page = visitor.page
    page.goto(f"{house.http}/table/{player.open(house)}?sit=0")
    while (what := asked(page)) != "over":
        for size in [*PHONES, *OTHERS] if what != "choosing" else []:
            page.set_viewport_size(size)
            settled(page)
            found = page.evaluate(OVERLAPS)
            assert not found, f"{what} at {size['width']}x{size['height']}: {found}"
        page.set_viewport_size(PHONES[0])
        player.take_turn(page, FINGER)
    visitor.close()


def test_the_side_is_a_sheet_on_a_phone(house: Server, browser: Browser) -> None:
    player = PLAYERS[0]
    visitor = Visitor(browser, viewport=PHONES[0], has_touch=True, is_mobile=True)
    page = visitor.page
    page.goto(f"{house.http}/table/{player.open(house)}?sit=0")
    player.take_turn(page, FINGER)
    sheet = page.get_by_test_id("score-sheet")
    expect(sheet).to_be_hidden()
    page.get_by_test_id("side-button").tap()
    expect(sheet).to_be_visible()
    expect(sheet.locator("th.mine")).to_have_text("You")
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    page.set_viewport_size(OTHERS[-1])
    expect(sheet).to_be_visible()
    expect(page.get_by_test_id("side-button")).to_be_hidden()
    visitor.close()
