"""What a person chooses: motion, sounds, theme, cards; by keyboard, kept for the next visit."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Visitor
from tests.browser.looks import look
from tests.browser.players import PLAYERS
from tests.browser.players import asked as asked_phase
from tests.browser.tables import LEGAL, STATE, play_by_click, sit_down, table_state
from tests.browser.test_hearts import asked, one_deal, pass_by_clicks, play_on
from tests.browser.ways import FINGER
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]

LISTEN = """
window.heard = 0;
for (const make of ["createOscillator", "createBufferSource"]) {
  const real = BaseAudioContext.prototype[make];
  BaseAudioContext.prototype[make] = function () { window.heard += 1; return real.call(this); };
}
"""


def test_settings_by_keyboard_are_kept(house: Server, browser: Browser) -> None:
    visitor = Visitor(browser, reduced_motion="no-preference")
    page = visitor.page
    page.goto(house.http)
    root = page.locator("html")
    expect(root).to_have_attribute("data-motion", "on")
    page.get_by_test_id("settings").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("setting-motion")).to_be_focused()
    expect(page.get_by_test_id("setting-motion")).to_be_checked()
    expect(page.get_by_test_id("setting-sound")).to_be_checked()
    page.keyboard.press(" ")
    expect(root).to_have_attribute("data-motion", "off")
    look(page, "settings")
    page.set_viewport_size({"width": 360, "height": 740})
    box = page.locator(".settings-menu").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("settings")).to_be_focused()
    expect(page.get_by_test_id("setting-motion")).to_have_count(0)
    page.reload()
    expect(root).to_have_attribute("data-motion", "off")
    visitor.close()


def test_nothing_moves_where_the_system_says_so(house: Server, browser: Browser) -> None:
    visitor = Visitor(browser)
    page = visitor.page
    page.goto(house.http)
    expect(page.locator("html")).to_have_attribute("data-motion", "off")
    page.get_by_test_id("settings").click()
    expect(page.get_by_test_id("setting-motion")).to_be_disabled()
    visitor.close()


def test_a_table_is_heard_until_somebody_switches_that_off(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.add_init_script(LISTEN)
    sit_down(page, house, one_deal(house))
    assert asked(page) == "pass"
    pass_by_clicks(page)
    asked(page)
    page.wait_for_function("() => window.heard > 0")
    page.get_by_test_id("sound-button").click()
    expect(page.get_by_test_id("sound-button")).to_have_attribute("aria-pressed", "false")
    sit_down(page, house, one_deal(house))
    assert asked(page) == "pass"
    pass_by_clicks(page)
    asked(page)
    assert page.evaluate("window.heard") == 0


def test_theme_cards_and_order_by_choice(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    sit_down(page, house, one_deal(house))
    assert asked(page) == "pass"
    assert page.title().startswith("Your turn")
    before = page.locator(".fan-card").evaluate_all("cards => cards.map(card => card.dataset.testid)")
    dark = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(dark)
    page.get_by_test_id("settings").click()
    page.get_by_test_id("setting-theme").select_option("dark")
    assert page.evaluate(dark) != light
    look(page, "a dark table")
    page.set_viewport_size({"width": 1400, "height": 900})
    page.get_by_test_id("setting-hand").select_option("low")
    page.get_by_test_id("setting-deck").select_option("four")
    after = page.locator(".fan-card").evaluate_all("cards => cards.map(card => card.dataset.testid)")
    assert after == before[::-1]


def test_a_second_tap_plays_the_card_if_that_is_wanted(house: Server, browser: Browser) -> None:
    visitor = Visitor(browser, **FINGER.context)
    page = visitor.page
    page.add_init_script("localStorage.setItem('croupier.taps', 'two')")
    sit_down(page, house, one_deal(house))
    play_on(page, until=13)
    card = page.locator(LEGAL).first
    FINGER.press(card)
    expect(page.locator(".fan-card.selected")).to_have_count(1)
    expect(page.locator(".fan-card")).to_have_count(13)
    FINGER.press(page.locator(".fan-card.selected"))
    expect(page.locator(".fan-card")).to_have_count(12)
    visitor.close()


def test_continue_ends_a_pause_among_bots(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    pauses = {"command_interval": 0, "round_interval": 600_000, "deal_interval": 0}
    rules = {"deals": 1, "match_games": 1, "expose": False}
    seats = ["person", *["bot heuristic"] * 3]
    sit_down(page, house, house.new_table(seats=seats, options=rules, table_options=pauses))
    assert asked(page) == "pass"
    assert page.get_by_test_id("continue").count() == 0, "nothing to continue while something is asked"
    pass_by_clicks(page)
    page.get_by_test_id("continue").click()
    play_by_click(page)
    expect(page.get_by_test_id("log")).to_contain_text(re.compile("takes? the trick"))
    page.get_by_test_id("continue").click()
    play_by_click(page)


def test_a_player_among_bots_takes_a_card_back(house: Server, visitor: Visitor) -> None:
    player = PLAYERS[0]
    page = visitor.page
    page.goto(f"{house.http}/table/{player.open(house)}?sit=0")
    while asked_phase(page) != "playing":
        player.take_turn(page)
    log = page.get_by_test_id("log").inner_text()
    before = table_state(page)
    play_by_click(page)
    page.locator("[data-question]").wait_for()
    assert page.get_by_test_id("log").inner_text() != log
    page.get_by_test_id("undo").click()
    page.wait_for_function(f"before => String(({STATE})()) === before", arg=",".join(before))
    expect(page.get_by_test_id("log")).to_have_text(log, use_inner_text=True)
    play_by_click(page)
    page.locator("[data-question]").wait_for()


NOTICES = """
window.notices = [];
window.Notification = class {
  static permission = "default";
  static async requestPermission() { return "granted"; }
  constructor(title, { body }) { window.notices.push(`${title}: ${body}`); }
};
"""


def test_a_notification_comes_only_if_wanted_and_in_the_background(house: Server, visitor: Visitor) -> None:
    player = PLAYERS[0]
    page = visitor.page
    page.add_init_script(NOTICES)
    page.goto(f"{house.http}/table/{player.open(house)}?sit=0")
    hide = "Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true})"
    asked_phase(page)
    page.evaluate(hide)
    player.take_turn(page)
    asked_phase(page)
    assert page.evaluate("window.notices") == [], "off by default"
    page.get_by_test_id("settings").click()
    page.get_by_test_id("setting-notice").check()
    page.get_by_test_id("settings").click()
    player.take_turn(page)
    page.wait_for_function("() => window.notices.length")
    assert page.evaluate("window.notices")[0].startswith("Your turn: Hearts")
    page.evaluate("delete document.visibilityState; window.notices = []")
    player.take_turn(page)
    asked_phase(page)
    assert page.evaluate("window.notices") == []
