"""The pages in five languages: chosen by the browser, or by the visitor, and kept."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Visitor
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


def test_the_lobby_changes_its_language_and_remembers_it(server: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(server.http)
    expect(page.locator("h1")).to_have_text(LOBBY["en"])
    pick(page, "de")
    expect(page.locator("h1")).to_have_text(LOBBY["de"])
    page.reload()
    expect(page.locator("h1")).to_have_text(LOBBY["de"])
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_an_answer_in_german_and_another_language_in_mid_game(server: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(server.http)
    pick(page, "de")
    sit_down(page, server, one_deal(server))
    assert asked(page) == "pass"
    expect(page.locator(".prompt-text")).to_contain_text("Wähle drei Karten für")
    pass_by_clicks(page)
    expect(page.get_by_test_id("log")).to_contain_text("Du hast drei Karten weitergegeben.")
    pick(page, "cs")
    expect(page.get_by_test_id("log")).to_contain_text("Předali jste tři karty.")
    expect(page.locator(".fan-card")).to_have_count(13)
    assert asked(page) in ("expose", "play")


def test_a_browser_that_wants_slovenian_gets_it(server: Server, browser: Browser) -> None:
    visitor = Visitor(browser, locale="sl-SI")
    visitor.page.goto(server.http)
    expect(visitor.page.locator("h1")).to_have_text(LOBBY["sl"])
    visitor.close()


def test_texts_that_cannot_be_fetched_leave_the_language_and_say_so(server: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(server.http)
    page.route(re.compile(r"/assets/fr-"), lambda route: route.abort())
    page.get_by_test_id("language").select_option("fr")
    expect(page.locator(".language-failed")).to_contain_text("That did not work")
    expect(page.get_by_test_id("language")).to_have_value("en")
    expect(page.locator("h1")).to_have_text(LOBBY["en"])


def test_every_language_fits_a_phone(server: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(server.http)
    for language, title in LOBBY.items():
        pick(page, language)
        expect(page.locator("h1")).to_have_text(title)
        assert overflow(page) <= 0, language
        assert complaints(page) == [], language
        page.get_by_test_id("new-table").click()
        page.get_by_test_id("create-table").wait_for()
        assert overflow(page) <= 0, f"new table, {language}"
        page.keyboard.press("Escape")
