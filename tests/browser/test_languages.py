"""The pages in five languages: chosen by the browser, or by the visitor, and kept."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESK, Visitor
from tests.browser.looks import complaints, overflow
from tests.browser.tables import sit_down
from tests.browser.test_hearts import asked, one_deal, pass_by_clicks
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]

LOBBY = {
    "en": "Take a seat",
    "de": "Nimm Platz",
    "fr": "Prenez place",
    "sl": "Prisedite",
    "cs": "Posaďte se",
}


def pick(page: Page, language: str) -> None:
    page.get_by_test_id("language").select_option(language)
    expect(page.locator("html")).to_have_attribute("lang", language)


def test_the_lobby_changes_its_language_and_remembers_it(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(house.http)
    expect(page.locator("h1")).to_have_text(LOBBY["en"])
    pick(page, "de")
    expect(page.locator("h1")).to_have_text(LOBBY["de"])
    page.reload()
    expect(page.locator("h1")).to_have_text(LOBBY["de"])
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_an_answer_in_german_and_another_language_in_mid_game(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(house.http)
    pick(page, "de")
    sit_down(page, house, one_deal(house))
    assert asked(page) == "pass"
    expect(page.locator(".prompt-text")).to_contain_text("Wähle drei Karten für")
    pass_by_clicks(page)
    expect(page.get_by_test_id("log")).to_contain_text("Du hast drei Karten weitergegeben.")
    pick(page, "cs")
    expect(page.get_by_test_id("log")).to_contain_text("Předali jste tři karty.")
    expect(page.locator(".fan-card")).to_have_count(13)
    assert asked(page) in ("expose", "play")


def test_a_browser_that_wants_slovenian_gets_it(house: Server, browser: Browser) -> None:
    visitor = Visitor(browser, locale="sl-SI")
    visitor.page.goto(house.http)
    expect(visitor.page.locator("h1")).to_have_text(LOBBY["sl"])
    visitor.close()


def test_texts_that_cannot_be_fetched_leave_the_language_and_say_so(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(house.http)
    page.route(re.compile(r"/assets/fr-"), lambda route: route.abort())
    page.get_by_test_id("language").select_option("fr")
    expect(page.locator(".language-failed")).to_contain_text("That did not work")
    expect(page.get_by_test_id("language")).to_have_value("en")
    expect(page.locator("h1")).to_have_text(LOBBY["en"])


STICKS_OUT = """
() => [...document.querySelectorAll("button, a.button, h1, h2, h3, td, label, legend, .rules, .rules *")]
  .filter((one) => one.checkVisibility() && one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1
    && !one.querySelector(".sr-only") && !one.closest(".me, .language, .fan-card"))
  .map((one) => `${one.tagName}: ${one.textContent.trim().slice(0, 60)}`)
"""


def fits(page: Page, where: str) -> None:
    """Check that nothing is wider than the page, and that no text is cut off."""
    assert overflow(page) <= 0, where
    assert page.evaluate(STICKS_OUT) == [], where


def test_every_language_fits_a_phone(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(house.http)
    for language, title in LOBBY.items():
        pick(page, language)
        expect(page.locator("h1")).to_have_text(title)
        fits(page, f"lobby, {language}")
        if language == "de":  # the others differ only in their texts
            assert complaints(page) == [], language
        page.get_by_test_id("new-table-coinche").click()
        page.get_by_test_id("create-table").wait_for()
        for details in page.locator("dialog details").all():
            details.locator("summary").click()
        fits(page, f"new table, {language}")
        page.keyboard.press("Escape")
        page.get_by_test_id("tile-sagrada").get_by_test_id("rules-open").click()
        expect(page.get_by_test_id("rules").locator("h3")).to_have_count(5)
        fits(page, f"rules in the lobby, {language}")
        page.keyboard.press("Escape")


RULES = {
    "en": "The auction",
    "de": "Die Lizitation",
    "fr": "Les enchères",
    "sl": "Licitacija",
    "cs": "Dražba",
}


def test_a_table_and_its_rules_in_every_language_fit_a_phone(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    seats = ["person", "bot heuristic", "bot heuristic", "bot heuristic"]
    _, made = house.ask("/api/tables", {"game": "tarock", "seats": seats, "seed": "7"})
    page.goto(f"{house.http}/table/{made['id']}?sit=0")
    page.locator(".fan-card").first.wait_for()
    for language, heading in RULES.items():
        page.set_viewport_size(DESK)  # on a phone the language is chosen in the lobby
        pick(page, language)
        page.set_viewport_size({"width": 360, "height": 740})
        fits(page, f"table, {language}")
        page.get_by_test_id("rules-open").click()
        rules = page.get_by_test_id("rules")
        expect(rules.locator("h3").nth(1)).to_have_text(heading)
        fits(page, f"rules, {language}")
        page.keyboard.press("Escape")


CONNECT = {
    "de": "Ein Programm verbinden: Coinche",
    "fr": "Connecter un programme : Coinche",
    "sl": "Poveži program: Coinche",
    "cs": "Připojit program: Coinche",
}


def test_pages_for_programs_and_operators_speak_every_language(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(house.http)
    for language, title in CONNECT.items():
        pick(page, language)
        # A fresh page waits for its texts: English is never seen.
        page.goto(f"{house.http}/connect/coinche")
        expect(page.locator("h1")).to_have_text(title)
        fits(page, f"connect, {language}")
        page.goto(f"{house.http}/operator")
        expect(page.locator("h1")).not_to_have_text("This server has no operator page")
        fits(page, f"operator, {language}")
        page.goto(f"{house.http}/notation")
        page.get_by_test_id("notation-example").click()
        page.get_by_test_id("notation-summary").wait_for()
        fits(page, f"notation, {language}")


def test_a_refusal_is_said_in_the_language_of_the_page(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(house.http)
    pick(page, "cs")
    sit_down(page, house, one_deal(house, seed="7"))
    assert asked(page) == "pass"
    pass_by_clicks(page)
    while asked(page) == "expose":
        page.get_by_test_id("answer-keep-AH").click()
        expect(page.get_by_test_id("answer-keep-AH")).to_have_count(0)
    page.locator(".fan-card:not([data-state=legal])").first.click(force=True)
    alert = page.locator(".prompt [role=alert]")
    expect(alert).to_contain_text(re.compile("Barva se musí ctít|barva se musí ctít|štych se vynáší"))
    expect(alert.get_by_role("img")).to_have_count(1)
