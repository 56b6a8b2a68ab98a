"""What all games share: from the lobby to the replay, two people, reloads, a server that was killed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Visitor
from tests.browser.looks import overflow
from tests.browser.players import PLAYERS, Player, asked
from tests.browser.tables import LEGAL, OVER, hand, kept_by_reload, match_of, table_state
from tests.browser.ways import FINGER, KEYS, Way, free_widths
from tests.integration.servers import Server, steady_port

pytestmark = [pytest.mark.slow, pytest.mark.browser]

every_game = pytest.mark.parametrize("player", PLAYERS, ids=[player.game for player in PLAYERS])

OWN = ".fan-card, button.glass-offer"
"""The cards that a player holds, or the windows they may choose from."""
FINGERTIP = 24
"""The number of pixels that a finger needs to hit only one thing."""
PLAYING = ("playing", "play")
ENOUGH = 7
"""How many questions two people answer at the same table."""


def open_by_form(page: Page, way: Way, server: Server, player: Player) -> None:
    """Begin in the lobby and open a table for one short deal."""
    page.goto(server.http)
    way.press(page.get_by_test_id(f"new-table-{player.game}"))
    for number, fields in enumerate((player.options, player.pauses)):
        way.press(page.locator("dialog summary").nth(number))
        for name, value in fields.items():
            field = page.locator(f"#option-{name}")
            if name == "deal":
                continue  # for programs only: people get random cards
            if field.evaluate("it => it.tagName") == "SELECT":
                way.choose(field, str(value))
            else:
                way.write(field, str(value))
    way.press(page.get_by_test_id("create-table"))
    expect(page).to_have_url(re.compile("/table/"))


def explained(page: Page, scores: list[float]) -> None:
    """Check that the score sheet shows the result."""
    for score in scores:
        expect(page.get_by_test_id("score-sheet")).to_contain_text(str(abs(int(score))))


def fits_fingers(page: Page, what: str) -> None:
    """Check that nothing is cut off, and that every card and every button can be pressed."""
    assert overflow(page) <= 0, what
    assert min(free_widths(page), default=FINGERTIP) >= FINGERTIP, what
    small = page.locator(".table-main button:enabled:not(.fan-card)").evaluate_all(
        """(buttons, least) => buttons.filter(one => {
            const box = one.getBoundingClientRect();
            return box.left < 0 || box.right > innerWidth || Math.min(box.width, box.height) < least;
        }).map(one => one.outerHTML.slice(0, 100))""",
        FINGERTIP,
    )
    assert small == [], what


def test_one_click_from_the_lobby_to_a_table(server: Server, visitor: Visitor) -> None:
    page = visitor.page
    for player in PLAYERS:
        page.goto(server.http)
        page.get_by_test_id(f"lobby-play-{player.game}").click()
        expect(page).to_have_url(re.compile("/table/"))
        expect(page.locator(OWN)).to_have_count(player.dealt)


@pytest.mark.parametrize("way", [FINGER, KEYS], ids=["phone", "keyboard"])
@every_game
def test_from_the_lobby_through_a_deal_to_its_replay(
    house: Server, browser: Browser, player: Player, way: Way
) -> None:
    visitor = Visitor(browser, **way.context)
    page = visitor.page
    open_by_form(page, way, house, player)
    met: set[str] = set()
    while (what := asked(page)) != "over":
        if way is FINGER and what not in met:
            fits_fingers(page, what)
        met.add(what)
        player.take_turn(page, way)
    assert overflow(page) <= 0
    scores = match_of(page, house)["result"]
    explained(page, scores)

    way.press(page.get_by_test_id("see-replay"))
    expect(page).to_have_url(re.compile("/replay/"))
    expect(page.get_by_test_id("deal-verdict")).to_contain_text("verified")
    position = page.get_by_test_id("replay-position")
    expect(position).not_to_have_attribute("max", "0")
    way.press(page.get_by_test_id("replay-forward"))
    expect(position).to_have_js_property("value", "1")
    way.press(page.get_by_role("button", name="End of the deal"))
    explained(page, scores)
    assert overflow(page) <= 0
    assert visitor.console == []
    visitor.close()


def test_the_largest_hands_are_wide_enough_for_a_finger(house: Server, browser: Browser) -> None:
    finger = Visitor(browser, **FINGER.context)
    page = finger.page
    for game, phase, cards in (("hearts", "passing", 13), ("taroky", "discard", 16)):
        (player,) = (one for one in PLAYERS if one.game == game)
        page.goto(f"{house.http}/table/{player.open(house)}?sit=0")
        while asked(page) != phase:
            player.take_turn(page, FINGER)
        expect(hand(page)).to_have_count(cards)
        fits_fingers(page, phase)
        player.take_turn(page, FINGER)
    finger.close()


def own(page: Page) -> set[str]:
    """Return what only this person sees."""
    return set(page.locator(OWN).evaluate_all("all => all.map(it => it.dataset.testid)"))


def called(browser: Browser, name: str) -> Visitor:
    visitor = Visitor(browser)
    visitor.context.add_init_script(f"localStorage.setItem('croupier.name', {name!r})")
    return visitor


@every_game
def test_two_people_at_one_table(house: Server, browser: Browser, player: Player) -> None:
    table = player.open(house, people=2)
    people = {name: called(browser, name) for name in ("Ann", "Ben")}
    pages = {name: visitor.page for name, visitor in people.items()}
    for seat, page in enumerate(pages.values()):
        page.goto(f"{house.http}/table/{table}?sit={seat}")
    for page in pages.values():
        expect(page.locator(OWN)).to_have_count(player.dealt)
    mine, yours = (own(page) for page in pages.values())
    assert not mine & yours, "each player sees only their own"

    turns = dict.fromkeys(pages, 0)
    while min(turns.values()) < ENOUGH:
        for name, page in pages.items():
            if page.locator(OVER).count():
                turns = dict.fromkeys(pages, ENOUGH)
            if not page.locator("[data-question]").count():
                continue
            (other,) = (pages[one] for one in pages if one != name)
            card = page.locator(LEGAL).first.get_attribute("aria-label") if asked(page) in PLAYING else None
            player.take_turn(page)
            turns[name] += 1
            if card:
                seen = re.compile(f"{name}.* {re.escape(card)}")
                expect(other.get_by_test_id("log")).to_contain_text(seen)
            assert page.locator(".open-hand").count() == 0
    expect(pages["Ann"].get_by_test_id("log")).to_contain_text("Ben")
    expect(pages["Ben"].get_by_test_id("log")).to_contain_text("Ann")
    for visitor in people.values():
        visitor.close()


@every_game
def test_reloads_and_a_killed_server_lose_nothing(tmp_path: Path, visitor: Visitor, player: Player) -> None:
    port = str(steady_port())
    server = Server(tmp_path / "server.log", "serve", "--port", port, "--data", str(tmp_path / "data"))
    server.start()
    page = visitor.page
    try:
        page.goto(f"{server.http}/table/{player.open(server)}?sit=0")
        met: set[str] = set()
        killed = False
        while (what := asked(page)) != "over":
            if what not in met:
                kept_by_reload(page)
            elif not killed and met == player.phases:
                killed = True
                before = table_state(page)
                server.kill()
                banner = page.get_by_test_id("connection-banner")
                expect(banner).to_be_visible()
                server.start()
                expect(banner).to_be_hidden()
                assert asked(page) == what
                assert table_state(page) == before
            met.add(what)
            player.take_turn(page)
        assert met == player.phases
        assert killed
        sheet = page.get_by_test_id("score-sheet").inner_text()
        page.reload()
        assert asked(page) == "over"
        expect(page.get_by_test_id("score-sheet")).to_have_text(sheet, use_inner_text=True)
        assert "Traceback" not in server.log
    finally:
        server.stop()
