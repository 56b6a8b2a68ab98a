"""What a person switches on and off: motion and sounds, by keyboard, kept for the next visit."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Visitor
from tests.browser.looks import look
from tests.browser.tables import sit_down
from tests.browser.test_hearts import asked, one_deal, pass_by_clicks
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]

LISTEN = """
window.heard = 0;
for (const make of ["createOscillator", "createBufferSource"]) {
  const real = BaseAudioContext.prototype[make];
  BaseAudioContext.prototype[make] = function () { window.heard += 1; return real.call(this); };
}
"""


def test_settings_by_keyboard_are_kept(server: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(server.http)
    root = page.locator("html")
    expect(root).to_have_attribute("data-motion", "on")
    page.get_by_test_id("settings").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("setting-motion")).to_be_focused()
    expect(page.get_by_test_id("setting-motion")).to_be_checked()
    expect(page.get_by_test_id("setting-sound")).not_to_be_checked()
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


def test_nothing_moves_where_the_system_says_so(server: Server, browser: Browser) -> None:
    visitor = Visitor(browser, reduced_motion="reduce")
    page = visitor.page
    page.goto(server.http)
    expect(page.locator("html")).to_have_attribute("data-motion", "off")
    page.get_by_test_id("settings").click()
    expect(page.get_by_test_id("setting-motion")).to_be_disabled()
    visitor.close()


def test_a_table_is_heard_only_by_whoever_wants_it(server: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.add_init_script(LISTEN)
    sit_down(page, server, one_deal(server))
    assert asked(page) == "pass"
    pass_by_clicks(page)
    asked(page)
    assert page.evaluate("window.heard") == 0
    page.get_by_test_id("settings").click()
    page.get_by_test_id("setting-sound").check()
    sit_down(page, server, one_deal(server))
    assert asked(page) == "pass"
    pass_by_clicks(page)
    asked(page)
    page.wait_for_function("() => window.heard > 0")
