"""No byte to a player depends on what they may not know: two games that differ only in a secret."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from croupier.games.sagrada.tests.wiring import log_in, new_house
from croupier.testing.house import Client, VirtualHouse

DEAL: dict[str, Any] = {
    "start": 1,
    "private": [4, 1],
    "public": [1, 5, 9],
    "cards": [[8, 7], [1, 9]],
    "tools": [6, 8, 2],
    "draws": [["R5", "R6", "G1", "Y3", "B2"], ["P4", "G2", "B1", "Y3", "R1"]],
}
Script = Callable[[VirtualHouse, Client, Client], None]


def say(client: Client, *lines: str) -> None:
    for line in lines:
        client.send(line)


def heard(deal: dict[str, Any], script: Script, **options: Any) -> list[str]:
    """Return all lines to bob, with events on, while *script* runs; bob asks for the state at its end."""
    house = new_house({"lobby_wait": 0, "rounds": 2, "deal": deal, **options})
    bob, eve = log_in(house, "bob", events=True), log_in(house, "eve")
    script(house, bob, eve)
    bob.send("state")
    return bob.frames


def choose(house: VirtualHouse, bob: Client, eve: Client) -> None:
    say(bob, "schema\t14")


def start(house: VirtualHouse, bob: Client, eve: Client) -> None:
    say(bob, "schema\t14")
    say(eve, "schema\t1")


def first_round(house: VirtualHouse, bob: Client, eve: Client) -> None:
    start(house, bob, eve)
    say(bob, "extract", "place\tR5\t4\t1", "pass")
    say(eve, "place\tY3\t1\t1", "pass", "pass")
    say(bob, "pass")


def changed(**members: Any) -> dict[str, Any]:
    return {**DEAL, **members}


@pytest.mark.parametrize(
    ("secret", "twin", "script"),
    [
        ("the other's objective", changed(private=[4, 2]), first_round),
        ("the other's cards", changed(cards=[[8, 7], [2, 10]]), choose),
        ("the public objectives", changed(public=[2, 3, 4]), choose),
        ("who starts", changed(start=2), choose),
        ("the dice", changed(draws=[["P1", "P2", "P3", "P4", "P5"]]), start),
        ("the dice to come", changed(draws=[DEAL["draws"][0], ["P1", "P2", "P3", "P4", "P5"]]), first_round),
        ("chance to come", changed(chance=["1", "2", "3"]), first_round),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_a_player_cannot_tell_what_was_dealt(secret: str, twin: dict[str, Any], script: Script) -> None:
    assert heard(DEAL, script) == heard(twin, script), secret


def test_the_other_cards_show_when_all_have_chosen() -> None:
    assert heard(DEAL, start) != heard(changed(cards=[[8, 7], [9, 1]], private=[4, 2]), start_other)


def start_other(house: VirtualHouse, bob: Client, eve: Client) -> None:
    say(bob, "schema\t14")
    say(eve, "schema\t7")


@pytest.mark.parametrize("choice", ["schema\t1", "schema\t7", "schema\t15", "schema\t3"])
def test_a_choice_is_secret_until_all_have_chosen(choice: str) -> None:
    def script(house: VirtualHouse, bob: Client, eve: Client) -> None:
        say(eve, choice)

    def silence(house: VirtualHouse, bob: Client, eve: Client) -> None:
        pass

    assert heard(DEAL, script) == heard(DEAL, silence)


@pytest.mark.parametrize(
    "steps",
    [
        ["active_tool_card\t6"],
        ["active_tool_card\t8", "deactive_tool_card"],
        ["active_tool_card\t8"],
        ["active_tool_card\t2"],
        ["place\tR5\t2\t2", "reroll_dice\tR6", "state", "schema\t1"],
    ],
    ids=str,
)
def test_steps_that_can_be_cancelled_are_secret(steps: list[str]) -> None:
    def script(house: VirtualHouse, bob: Client, eve: Client) -> None:
        start(house, bob, eve)
        say(bob, "extract", "pass")
        say(eve, *steps)

    def silence(house: VirtualHouse, bob: Client, eve: Client) -> None:
        start(house, bob, eve)
        say(bob, "extract", "pass")

    assert heard(DEAL, script) == heard(DEAL, silence)


def test_the_end_shows_no_more_than_points() -> None:
    def script(house: VirtualHouse, bob: Client, eve: Client) -> None:
        start(house, bob, eve)
        for turn in ([bob, eve, eve, bob], [eve, bob, bob, eve]):
            say(turn[0], "extract")
            for client in turn:
                say(client, "pass")

    one, other = heard(DEAL, script), heard(changed(private=[4, 2]), script)
    assert one[-3].startswith("endGame")
    assert one == other  # empty windows have equal scores, independent of the objectives
