"""What people do at every table: sit down, see what is asked, play a card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, Position, expect

from tests.integration.servers import Server

LEGAL = ".fan-card[data-state=legal]"
OVER = "[data-testid=see-replay]"


def sit_down(page: Page, server: Server, table: str) -> None:
    """Take the first seat of *table*."""
    page.goto(f"{server.http}/table/{table}")
    page.get_by_test_id("sit-0").click()


def match_of(page: Page, server: Server) -> dict[str, Any]:
    """Return the finished match of the table that *page* shows."""
    table = urlsplit(page.url).path.rsplit("/", 1)[1]
    (match,) = [row for row in server.ask("/api/matches")[1] if row["table"] == table]
    return dict(match)


def asked(page: Page, questions: Mapping[str, str]) -> str:
    """Wait until one of *questions*, selectors by name, is there; return the name of the first."""
    page.wait_for_function("all => document.querySelector(all)", arg=", ".join(questions.values()))
    for what, selector in questions.items():
        if page.locator(selector).count():
            return what
    return asked(page, questions)


def settled(page: Page) -> None:
    """Wait until two frames have been drawn."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def focus_follows(page: Page) -> None:
    """Wait until the focus is on a question."""
    page.wait_for_function("() => document.activeElement !== document.body")


def hand(page: Page) -> Locator:
    """Return the cards in the player's own hand."""
    return page.locator(".fan-card")


def play_by_click(page: Page, position: Position | None = None) -> None:
    """Play the first card that may be played."""
    left = hand(page).count()
    page.locator(LEGAL).first.click(position=position)
    expect(hand(page)).to_have_count(left - 1)


def play_by_key(page: Page) -> None:
    """Play a card without the mouse."""
    left = hand(page).count()
    for _ in range(left + 1):
        if page.evaluate("document.activeElement.dataset.state") == "legal":
            break
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(hand(page)).to_have_count(left - 1)


STATE = """() => [
    document.querySelector('.prompt-text [role=status]')?.innerText,
    ...[...document.querySelectorAll('.table-main [data-testid]')].map(it =>
        [it.dataset.testid, it.dataset.state, it.dataset.use, it.dataset.die, it.disabled].join(' ')),
]"""


def table_state(page: Page) -> list[str]:
    """Return what is asked, and everything on the table with what may be done with it."""
    state: list[str] = page.evaluate(STATE)
    return state


def kept_by_reload(page: Page) -> None:
    """Reload, and check that the same question is asked with the same things on the table."""
    before = table_state(page)
    page.reload()
    page.wait_for_function(f"before => String(({STATE})()) === before", arg=",".join(before))
