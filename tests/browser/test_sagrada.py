"""The glass workshop in a real browser: by clicks, by dragging, by keyboard alone, watched and replayed."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import tables
from tests.browser.conftest import Visitor
from tests.browser.looks import fits_phone, look
from tests.browser.players import MARKED, WORKSHOP
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]

QUICK = {"turn_interval": 0, "turn_time": 0, "schema_time": 0, "extract_time": 60}
TWO = ["person", "bot heuristic"]


def open_table(
    server: Server, tools: list[int], rounds: int = 10, seats: list[str] | None = None, **more: Any
) -> str:
    """Open a table with known tools and reproducible dice, and return its id."""
    seats = seats or TWO
    deal = {**WORKSHOP, "tools": tools} if len(seats) == 2 else {"tools": tools}
    return server.new_table(
        game="sagrada",
        seats=seats,
        options={"rounds": rounds, "deal": json.dumps(deal)},
        table_options=QUICK,
        seed="workshop",
        start=True,
        **more,
    )


def sit_down(page: Page, server: Server, table: str) -> None:
    tables.sit_down(page, server, table)
    question(page)


def question(page: Page, after: str | None = None) -> str:
    """Wait for a question other than *after* and return its number, or "over"."""
    found = page.wait_for_function(
        """after => document.querySelector('[data-testid=see-replay]') ? 'over'
            : [...document.querySelectorAll('[data-question]')].map(table => table.dataset.question)
                .find(number => number && number !== after)""",
        arg=after,
    )
    return str(found.json_value())


def press(page: Page, target: Locator) -> str:
    """Click, and wait for the question that follows."""
    now = page.locator("[data-question]").get_attribute("data-question")
    target.click()
    return question(page, now)


def in_dialogue(page: Page) -> int:
    """Return the tool whose dialogue is under way, 0 for none."""
    found = page.get_by_test_id("dialogue")
    return int(found.get_attribute("data-tool") or 0) if found.count() else 0


def at_first_step(page: Page) -> bool:
    """Return whether an active tool has had no effect yet; tool 8 takes effect by passing."""
    return in_dialogue(page) not in (0, 8) and page.locator("[data-step='1']").count() == 1


def play_on(page: Page, tools: set[int]) -> None:
    """Answer everything by clicks to the end, with each of *tools* once it is offered."""
    used = [f"tool-{tool}" for tool in range(1, 13) if tool not in tools]
    while question(page) != "over":
        target = str(page.evaluate(MARKED, used))
        if "=tool-" in target:
            used.append(target[len("[data-testid=") : -1])
        elif "=pass" in target and at_first_step(page):
            used.remove(f"tool-{in_dialogue(page)}")  # it had no use: try it again in the next turn
        press(page, page.locator(target).first)


def tools_used(page: Page, server: Server, seat: int) -> set[int]:
    """Return the tools that *seat* has used in the match that *page* shows."""
    _, found = server.ask(f"/api/matches/{tables.match_of(page, server)['id']}/steps?deal=1")
    events = [event for step in found["steps"] for event in step["events"]]
    return {event["tool"] for event in events if event["kind"] == "tool_used" and event["seat"] == seat}


def test_a_person_plays_a_whole_match_with_three_tools(
    server: Server, visitor: Visitor, browser: Browser
) -> None:
    page = visitor.page
    table = open_table(server, [5, 10, 11])
    watcher = Visitor(browser)
    sit_down(page, server, table)
    watcher.page.goto(f"{server.http}/t/{table}/watch")
    press(page, page.get_by_test_id("window-20"))
    expect(page.get_by_test_id("tokens-0")).to_contain_text("6")
    play_on(page, {5, 10, 11})
    assert tools_used(page, server, 0) == {5, 10, 11}
    _, matches = server.ask("/api/matches")
    total = page.get_by_test_id("score-sheet").locator("tr.total td")
    totals = total.all_inner_texts()
    assert [int(text.replace("−", "-")) for text in totals] == matches[0]["result"]

    # A watcher sees the same end, without any buttons.
    expect(watcher.page.get_by_test_id("see-replay")).to_be_visible()
    assert watcher.page.get_by_test_id("score-sheet").locator("tr.total td").all_inner_texts() == totals
    assert watcher.page.locator(".glass button:not(.result button)").count() == 0
    fits_phone(watcher.page, "watching the end")
    watcher.close()

    # The replay opens, steps, and ends with both colours open.
    page.get_by_test_id("see-replay").click()
    expect(page).to_have_url(re.compile("/replay/"))
    position = page.get_by_test_id("replay-position")
    expect(position).to_have_attribute("aria-valuetext", re.compile("step 1 of [1-9]"))
    for _ in range(3):
        page.get_by_test_id("replay-forward").click()
    expect(position).to_have_value("3")
    page.get_by_role("button", name="End of the deal").click()
    expect(total.first).to_have_text(totals[0])
    page.goto(server.http)
    expect(page.get_by_test_id("match-row")).to_have_count(1)


def test_each_other_tool_is_led_to_its_end(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    for tools in ({1, 4, 6}, {2, 7, 9}, {3, 8, 12}):
        sit_down(page, house, open_table(house, sorted(tools), 4))
        press(page, page.get_by_test_id("window-20"))
        play_on(page, tools)
        assert tools_used(page, house, 0) == tools


def test_a_dialogue_can_be_cancelled_step_by_step(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    sit_down(page, house, open_table(house, [4, 6, 11], 2))
    press(page, page.get_by_test_id("window-20"))
    press(page, page.get_by_test_id("draw-dice"))
    pool = page.locator("[data-testid=pool-die]").count()
    press(page, page.locator("[data-testid=pool-die][data-state=legal]").first)
    expect(page.locator(".glass-pool-die.picked")).to_have_count(1)
    press(page, page.get_by_test_id("cancel"))
    expect(page.locator(".glass-pool-die.picked")).to_have_count(0)
    press(page, page.get_by_test_id("tool-6"))
    expect(page.get_by_test_id("dialogue")).to_have_attribute("data-step", "1")
    press(page, page.get_by_test_id("cancel"))
    expect(page.get_by_test_id("dialogue")).to_have_count(0)
    expect(page.get_by_test_id("tokens-0")).to_contain_text("6")
    # A tool that cannot be used now shows the reason.
    page.get_by_test_id("tool-4").click(force=True)
    expect(page.get_by_role("alert")).to_have_text("The window has too few dice for it")
    # In the middle of a dialogue, after a draw, a reload loses nothing, and nothing can be taken back.
    press(page, page.get_by_test_id("tool-11"))
    press(page, page.locator("[data-testid=pool-die][data-state=legal]").first)
    die = page.get_by_test_id("hand-die").get_attribute("data-die")
    page.reload()
    question(page)
    expect(page.get_by_test_id("hand-die")).to_have_attribute("data-die", die or "")
    expect(page.locator("[data-testid=pool-die]")).to_have_count(pool - 1)
    assert page.get_by_test_id("cancel").count() == 0
    press(page, page.locator("[data-testid^=value-]").first)
    wrong = page.locator("[data-use=none]").last
    wrong.click(force=True)
    expect(page.get_by_role("alert")).not_to_be_empty()
    expect(page.get_by_role("alert")).not_to_contain_text("put")


def test_a_die_is_carried_to_its_cell(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    sit_down(page, house, open_table(house, [2, 6, 11], 1))
    press(page, page.get_by_test_id("window-20"))
    press(page, page.get_by_test_id("draw-dice"))

    def carry(start: Locator, end: Locator) -> None:
        start.hover()
        page.mouse.down()
        page.mouse.move(5, 300, steps=3)
        end.hover(force=True)
        page.mouse.up()

    before = question(page)
    # Released outside the cells it is put back; over a marked cell it stays there.
    carry(page.locator("[data-testid=pool-die][data-state=legal]").first, page.locator("h1"))
    expect(page.locator(".glass-pool-die.picked")).to_have_count(0)
    before = question(page, before)
    carry(
        page.locator("[data-testid=pool-die][data-state=legal]").first, page.locator("[data-use=put]").first
    )
    expect(page.locator(".glass-window.live .glass-die")).to_have_count(1)
    expect(page.locator("[data-testid=pool-die]")).to_have_count(4)


def test_a_person_plays_by_keyboard_alone(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    sit_down(page, house, open_table(house, [1, 5, 11], 4))
    asked: set[str] = set()
    waiting = ["tool-11", "tool-5", "tool-1"]

    def focused() -> str:
        tables.settled(page)  # a new question takes the focus a frame later
        tables.focus_follows(page)
        return str(page.evaluate("document.activeElement.dataset.testid ?? document.activeElement.tagName"))

    def enter() -> str:
        now = page.locator("[data-question]").get_attribute("data-question")
        page.keyboard.press("Enter")
        return question(page, now)

    page.keyboard.press("ArrowRight")
    at = question(page)
    while at != "over":
        legal = [name for name in waiting if page.locator(f"[data-testid={name}][data-state=legal]").count()]
        if legal and not in_dialogue(page):
            waiting.remove(legal[0])
            for _ in range(60):
                if focused() == legal[0]:
                    break
                page.keyboard.press("Tab")
            if len(asked) == len(asked - {"escape"}):
                # What was begun is taken back by Escape, and begun again.
                at = enter()
                page.keyboard.press("Escape")
                at = question(page, at)
                asked.add("escape")
                page.get_by_test_id(legal[0]).focus()
        name = focused()
        asked.add(re.sub(r"[-\d].*", "", name))
        at = enter()
    assert asked >= {"window", "draw", "pool", "cell", "pass", "tool", "value", "track", "escape"}
    assert asked & {"raise", "lower"}
    assert tools_used(page, house, 0) == {1, 5, 11}


def test_one_who_plays_alone_pays_with_dice_and_is_told_the_end(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    sit_down(page, house, open_table(house, [6, 10, 11], 3, ["person"]))
    press(page, page.locator("button.glass-offer").first)
    assert page.locator(".glass-other").count() == 0
    play_on(page, {6, 10, 11})
    expect(page.locator(".result h2")).to_have_text(re.compile("^(Won|Lost): .*round track"))
    assert tools_used(page, house, 0)


def test_a_table_for_three_is_opened_by_the_form(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(house.http)
    page.get_by_test_id("new-table-coinche").click()
    page.get_by_label("Game", exact=True).select_option("sagrada")
    expect(page.get_by_label("Seat 2")).to_be_visible()
    assert page.get_by_label("Seat 3").count() == 0
    page.get_by_label("Seats", exact=True).select_option("3")
    expect(page.get_by_label("Seat 3")).to_be_visible()
    page.get_by_test_id("create-table").click()
    question(page)
    expect(page.locator(".glass-other")).to_have_count(2)


def test_every_moment_is_accessible_and_fits_every_width(house: Server, browser: Browser) -> None:
    visitor = Visitor(browser, has_touch=True)
    page = visitor.page

    def tap(target: Locator) -> None:
        now = page.locator("[data-question]").get_attribute("data-question")
        target.tap()
        question(page, now)

    sit_down(page, house, open_table(house, [1, 4, 11], 1))
    look(page, "choosing")
    tap(page.get_by_test_id("window-20"))
    tap(page.get_by_test_id("draw-dice"))
    look(page, "a turn")
    tap(page.get_by_test_id("tool-1"))
    look(page, "one up or down")
    tap(page.locator("[data-testid^=raise-], [data-testid^=lower-]").first)
    look(page, "a die to place")
    tap(page.locator("[data-use=put]").first)
    tap(page.get_by_test_id("pass"))
    tap(page.get_by_test_id("tool-11"))
    tap(page.locator("[data-testid=pool-die][data-state=legal]").first)
    look(page, "a value to choose")
    play_on(page, set())
    look(page, "the end")
    page.get_by_test_id("see-replay").tap()
    page.get_by_test_id("replay-forward").wait_for()
    page.get_by_role("button", name="End of the deal").tap()
    look(page, "replay")
    sit_down(page, house, open_table(house, [2, 3, 12], 1, ["person", *["bot heuristic"] * 3]))
    press(page, page.locator("button.glass-offer").first)
    look(page, "four windows")
    visitor.close()
