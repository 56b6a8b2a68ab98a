"""Coinche in a real browser: a whole deal with a coinche, keyboard alone, watched and replayed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import tables
from tests.browser.conftest import Visitor
from tests.browser.looks import fits_phone, look
from tests.browser.tables import LEGAL, OVER, hand, match_of, play_by_click, play_by_key, sit_down
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]

QUICK = {"call_pause": 0, "card_pause": 0, "trick_pause": 0, "deal_pause": 0}
QUESTIONS = {"over": OVER, "bid": "[data-testid=pass]:not(:disabled)", "play": LEGAL}
AUCTIONS = 20
"""The maximum number of auctions until the bots bid against the person: mostly the first or the second."""


def one_deal(server: Server, seed: str) -> str:
    """Open a table where the first deal that is played wins the match, and return its id."""
    return server.new_table(
        game="coinche",
        seats=["person", "bot heuristic", "bot heuristic", "bot heuristic"],
        options={"target": 100},
        table_options=QUICK,
        seed=seed,
    )


def asked(page: Page) -> str:
    """Wait until something is to be done, and return it: bid, play or over."""
    return tables.asked(page, QUESTIONS)


def question(page: Page) -> str | None:
    """Return the number of the open question."""
    return page.locator("[data-question]").get_attribute("data-question")


def await_answer(page: Page, before: str | None) -> None:
    """Wait until the question *before* has been answered."""
    page.wait_for_function(
        "before => document.querySelector('[data-question]')?.dataset.question !== before", arg=before
    )


def speak(page: Page, call: str) -> None:
    """Press a button of the box, and wait until the call is announced."""
    before = question(page)
    page.get_by_test_id(call).click()
    await_answer(page, before)


def until_coinche(page: Page, server: Server) -> str:
    """Pass, table after table, until there is a contract of the others to coinche; return the table."""
    for number in range(1, AUCTIONS + 1):
        table = one_deal(server, f"coinche {number}")
        sit_down(page, server, table)
        while asked(page) == "bid":
            if page.get_by_test_id("coinche").count():
                return table
            speak(page, "pass")
    raise AssertionError(f"the bots have not bid against the person in {AUCTIONS} auctions")


def play_on(page: Page, until: int = 0) -> None:
    """Answer everything by clicks, passing in auctions, until *until* cards are left or the match is over."""
    while (what := asked(page)) != "over":
        if what == "bid":
            speak(page, "pass")
        elif hand(page).count() <= until:
            return
        else:
            play_by_click(page)


def test_a_deal_with_a_coinche_is_played_watched_explained_and_replayed(
    house: Server, visitor: Visitor, browser: Browser
) -> None:
    page = visitor.page

    table = until_coinche(page, house)
    contract = page.locator("[data-testid=auction] .coinche-contract").last.get_attribute("aria-label")
    assert contract is not None
    # Lower bids than what was said cannot be made; the price of a coinche is on the table.
    expect(page.get_by_test_id("level-80")).to_be_disabled()
    expect(page.get_by_test_id("bid")).to_be_disabled()
    expect(page.get_by_test_id("coinche")).to_have_text("Coinche ×2")
    expect(page.locator("#coinche-stake")).to_contain_text(re.compile(f"if {contract} fails you score \\d+"))
    look(page, "the auction")
    watcher = Visitor(browser)
    watcher.page.goto(f"{house.http}/t/{table}/watch")
    expect(watcher.page.get_by_test_id("auction")).to_be_visible()
    speak(page, "coinche")

    play_on(page, until=6)
    expect(page.get_by_test_id("contract")).to_contain_text(contract.split()[0])
    expect(page.get_by_test_id("doubled")).to_have_text(re.compile("coinched ×[24]"))
    look(page, "play")
    page.get_by_test_id("last-trick").click()
    expect(page.locator(".trick.old .trick-card")).to_have_count(4)
    page.get_by_test_id("last-trick").click()
    expect(watcher.page.get_by_test_id("doubled")).to_be_visible()
    assert watcher.page.locator(".fan-card, .open-hand").count() == 0
    fits_phone(watcher.page, "watching")

    play_on(page)
    match = match_of(page, house)
    sheet = page.get_by_test_id("score-sheet")
    for score in match["result"]:
        expect(sheet).to_contain_text(str(score))
    expect(sheet).to_contain_text(re.compile("coinched: (made|failed), "))
    expect(sheet).to_contain_text(re.compile(r"Contract, \d+\s×\s[24]"))
    expect(sheet).to_contain_text("All points")
    look(page, "the result")
    expect(watcher.page.get_by_test_id("see-replay")).to_be_visible()
    watcher.close()

    page.get_by_test_id("see-replay").click()
    expect(page).to_have_url(re.compile("/replay/"))
    position = page.get_by_test_id("replay-position")
    expect(page.get_by_test_id("auction")).to_be_visible()
    expect(page.locator(".open-hand")).to_have_count(3)
    for step in range(1, 5):
        page.get_by_test_id("replay-forward").click()
        expect(position).to_have_value(str(step))
    look(page, "the replay")
    page.get_by_role("button", name="End of the deal").click()
    expect(page.get_by_test_id("deal-summary")).to_contain_text("coinched")


def test_a_person_bids_and_plays_by_keyboard_alone_and_plays_again(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    sit_down(page, house, one_deal(house, "keys"))
    assert asked(page) == "bid"
    # The focus is on the lowest bid: two up, on to the trumps, spades, and the bid is made.
    expect(page.get_by_test_id("level-80")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    for _ in range(6):
        if page.get_by_test_id("kind-Spades").is_checked():
            break
        page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("bid")).to_have_text("Bid 100 spades")
    page.keyboard.press("Enter")
    said = page.get_by_test_id("log").get_by_text("You: 100 spades.")
    expect(said).to_be_visible()
    while (what := asked(page)) != "over":
        if what == "bid":
            before = question(page)
            for _ in range(12):
                if page.evaluate("document.activeElement.dataset.testid") == "pass":
                    break
                page.keyboard.press("Tab")
            page.keyboard.press("Enter")
            await_answer(page, before)
            continue
        play_by_key(page)
    page.get_by_test_id("next-game").click()
    expect(page.get_by_test_id("see-replay")).to_have_count(0)
    assert asked(page) in ("bid", "play")
    expect(page.get_by_test_id("score-sheet")).to_contain_text("Total, of 100")


def test_a_refused_card_is_drawn_and_named(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    wrong = page.locator(".fan-card[data-state=illegal]")
    for number in range(AUCTIONS):
        sit_down(page, house, one_deal(house, f"refusals {number}"))
        for left in range(8, 0, -1):
            play_on(page, until=left)
            if wrong.count():
                break
        if wrong.count():
            break
    name = wrong.first.get_attribute("aria-label")
    wrong.first.click(force=True)
    alert = page.get_by_role("alert")
    expect(alert.get_by_role("img", name=name)).to_be_visible()
    expect(alert).not_to_contain_text("PLAY")
