"""A simulated player: how to open each of the five games, its questions, and answers to them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

from croupier.games.taroky.tests.positions import GAME_A
from tests.browser.tables import LEGAL
from tests.browser.ways import MOUSE, Way
from tests.integration.servers import Server

MARKED = """used => {
    const board = document.querySelector('[data-testid=board]');
    const fresh = [...board.querySelectorAll('button.glass-tool[data-state=legal]')]
        .map(tool => tool.dataset.testid).find(name => !used.includes(name));
    if (fresh) return `[data-testid=${fresh}]`;
    const lifting = board.querySelector('[data-testid=dialogue]') ? ['[data-use=lift]'] : [];
    return [
        'button.glass-offer:enabled', '[data-testid=draw-dice]', '[data-testid^=value-]', '[data-use=put]',
        '[data-testid=track-die]', '[data-testid=reroll-all]', '[data-testid^=raise-], [data-testid^=lower-]',
        ...lifting, '[data-testid=pool-die][data-state=legal]', '[data-testid=pass]', '[data-testid=cancel]',
    ].find(answer => board.querySelector(answer));
}"""
"""What a question asks for, in the order in which the page guides a player; a new tool first."""

MOVING = f"[data-use=put], {LEGAL}"
"""The elements that move a card or a die when they are pressed."""

ALL_TOOLS = [f"tool-{number}" for number in range(1, 13)]


ASKED = """() => document.querySelector('[data-testid=see-replay]') ? 'over'
    : document.querySelector('[data-question] [data-testid=dialogue]') ? 'dialogue'
    : document.querySelector('[data-question]')?.dataset.phase"""


def asked(page: Page) -> str:
    """Wait until something is asked and return the phase, a tool's "dialogue", or "over"."""
    return str(page.wait_for_function(ASKED).json_value())


@dataclass(frozen=True)
class Player:
    """One game, as a person plays it."""

    game: str
    dealt: int
    """How many cards, or windows to choose from, a player gets."""
    answer: Callable[[Page, Way, str], None]
    """Answers a question, by the name that `asked` returns for it."""
    phases: set[str]
    """What is asked in the deal that `open` gives."""
    options: dict[str, Any]
    """The options of a match of one deal."""
    pauses: dict[str, Any]
    """The table options without pauses."""
    bot: str = "heuristic"
    seats: int = 4
    seed: str = "player"
    notation: str = ""
    """A deal in which every question is asked, if no seed gives one."""

    def take_turn(self, page: Page, way: Way = MOUSE) -> None:
        """Answer what is asked, and wait until the server has taken it."""
        what = asked(page)
        before = page.locator("[data-question]").get_attribute("data-question")
        self.answer(page, way, what)
        page.wait_for_function(
            "before => document.querySelector('[data-question]')?.dataset.question !== before", arg=before
        )

    def until_moving(self, page: Page, way: Way = MOUSE) -> bool:
        """Answer until the next answer moves a card or a die; return False if the match is over before."""
        while (what := asked(page)) not in ("play", "playing", "over"):
            die = page.locator("[data-testid=pool-die][data-state=legal]")
            if what == "turn" and die.count():
                way.press(die.first)
                page.locator("[data-use=put]").first.wait_for()
                return True
            self.take_turn(page, way)
        return what != "over"

    def open(self, server: Server, people: int = 1) -> str:
        """Open a table for *people* and bots and return its id."""
        seats = ["person"] * people + [f"bot {self.bot}"] * (self.seats - people)
        if self.notation:
            wish = {"text": self.notation, "seats": seats, "table_options": self.pauses}
            return str(server.ask("/api/notation/table", wish)[1]["id"])
        options = {"options": self.options, "table_options": self.pauses, "seed": self.seed}
        return server.new_table(game=self.game, seats=seats, **options)


def press_cards(page: Page, way: Way, button: str) -> None:
    """Select the required number of cards, the last ones first, and press *button*."""
    confirm = page.get_by_test_id(button)
    while not confirm.is_enabled():
        way.press(page.locator(f"{LEGAL}:not(.selected)").last)
    way.press(confirm)


def play_hearts(page: Page, way: Way, what: str) -> None:
    match what:
        case "passing":
            press_cards(page, way, "confirm-pass")
        case "exposing":
            way.press(page.get_by_test_id("answer-keep-AH"))
        case _:
            way.press(page.locator(LEGAL).first)


def play_tarock(page: Page, way: Way, what: str) -> None:
    match what:
        case "bidding":
            two = page.get_by_test_id("bid-two")
            way.press(two if two.count() else page.get_by_test_id("bid-pass"))
        case "calling":
            way.press(page.locator("button[data-testid^=call-]").first)
        case "exchanging":
            way.press(page.get_by_test_id("set-0"))
            press_cards(page, way, "confirm-exchange")
        case "announcing":
            way.press(page.get_by_test_id("announce-done"))
        case _:
            way.press(page.locator(LEGAL).first)


def play_coinche(page: Page, way: Way, what: str) -> None:
    if what == "playing":
        way.press(page.locator(LEGAL).first)
    elif page.locator("[data-testid=level-80]:enabled").count():
        way.press(page.locator("label:has([data-testid^=kind-]:enabled)").first)
        way.press(page.get_by_test_id("bid"))
    else:
        way.press(page.get_by_test_id("pass"))


def play_taroky(page: Page, way: Way, what: str) -> None:
    match what:
        case "partner":
            way.press(page.locator("[data-testid^=partner-1]").first)
        case "discard":
            press_cards(page, way, "confirm-discard")
        case "play":
            way.press(page.locator(LEGAL).first)
        case _:
            way.press(page.get_by_test_id("answer-no"))


def play_sagrada(page: Page, way: Way, what: str) -> None:
    tool = page.locator("[data-testid=tool-11][data-state=legal]")
    if what == "turn" and tool.count() and "6" in page.get_by_test_id("tokens-0").inner_text():
        way.press(tool)
    elif what == "choosing" and page.get_by_test_id("window-20").count():
        way.press(page.get_by_test_id("window-20"))
    else:
        way.press(page.locator(str(page.evaluate(MARKED, ALL_TOOLS))).first)


WORKSHOP = {
    "start": 1,
    "private": [4, 1],
    "cards": [[7, 8], [9, 4]],
    "public": [5, 9, 10],
    "tools": [4, 6, 11],
}
"""Seat 0 starts, and one of its windows brings six tokens: number 20."""

PLAYERS = [
    Player(
        "hearts",
        13,
        play_hearts,
        {"passing", "exposing", "playing"},
        {"deals": 1, "match_games": 1},
        {"command_interval": 0, "round_interval": 0, "deal_interval": 0},
    ),
    Player(
        "tarock",
        12,
        play_tarock,
        {"bidding", "calling", "exchanging", "announcing", "playing"},
        {"deals": 1},
        {
            "turn_timeout_ms": 0,
            "call_pause_ms": 0,
            "card_pause_ms": 0,
            "trick_pause_ms": 0,
            "deal_pause_ms": 0,
        },
        bot="default",
    ),
    Player(
        "coinche",
        8,
        play_coinche,
        {"bidding", "playing"},
        {"target": 100},
        {"call_pause": 0, "card_pause": 0, "trick_pause": 0, "deal_pause": 0},
    ),
    Player(
        "taroky",
        12,
        play_taroky,
        {"prever", "discard", "partner", "valat", "iote", "play"},
        {"hands": 1, "first_povinnost": "0"},
        {"timeout": 0, "card_pause": 0, "trick_pause": 0, "deal_pause": 0, "secret_pause": 0},
        bot="default",
        notation="/".join([*GAME_A.split("/")[:9], ";pn=0"]),
    ),
    Player(
        "sagrada",
        4,
        play_sagrada,
        {"choosing", "extracting", "turn", "dialogue"},
        {"rounds": 1, "deal": json.dumps(WORKSHOP)},
        {"schema_time": 0, "extract_time": 60, "turn_time": 0, "turn_interval": 0},
        seats=2,
        seed="workshop",
    ),
]
