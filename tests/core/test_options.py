"""Options: read from JSON and from command lines, written back, refused with a reason."""

from __future__ import annotations

import pytest

from croupier.core.options import BadOptions, Option, OptionTable, Value, spell

TABLE = OptionTable(
    [
        Option("expose", True, "a switch"),
        Option("deals", 4, "a number", low=1, high=16),
        Option("games", 4, "one of some numbers", choices=["1", "2", "4"]),
        Option("pause", 500, "a number with a unit", high=1000, unit="ms"),
        Option("moon", "plus4", "a choice", choices=["plus4", "zero"]),
        Option("ways", ["left"], "a list", choices=["left", "right"], low=1, high=3),
        Option("words", [], "a list of anything"),
        Option("note", "", "free text"),
        Option("clock", 60, "a number, or none", low=5, high=600, or_zero=True, unit="s"),
    ]
)


@pytest.mark.parametrize(
    ("name", "raw", "value"),
    [
        ("expose", False, False),
        ("expose", "off", False),
        ("expose", "on", True),
        ("deals", 1, 1),
        ("deals", "16", 16),
        ("games", 2, 2),
        ("games", "4", 4),
        ("moon", "zero", "zero"),
        ("ways", ["left", "right", "left"], ["left", "right", "left"]),
        ("ways", "left, right", ["left", "right"]),
        ("words", ["a", "b"], ["a", "b"]),
        ("note", "any text, at all", "any text, at all"),
        ("clock", 0, 0),
        ("clock", "5", 5),
    ],
)
def test_a_value_is_read(name: str, raw: object, value: Value) -> None:
    assert TABLE.read({name: raw})[name] == value


@pytest.mark.parametrize(
    ("name", "raw", "words"),
    [
        ("expose", 1, "option expose=1: expected on or off"),
        ("expose", "yes", "option expose=yes: expected on or off"),
        ("expose", None, "option expose=None: expected on or off"),
        ("deals", 0, "option deals=0: expected 1…16"),
        ("deals", 17, "option deals=17: expected 1…16"),
        ("deals", True, "option deals=True: expected 1…16"),
        ("deals", 1.5, "option deals=1.5: expected 1…16"),
        ("deals", "", "option deals=: expected 1…16"),
        ("deals", "²", "option deals=²: expected 1…16"),
        ("deals", "-", "option deals=-: expected 1…16"),
        ("deals", "9" * 5000, "option deals=" + "9" * 37 + "...: expected 1…16"),
        ("games", 3, "option games=3: expected one of 1, 2, 4"),
        ("pause", -1, "option pause=-1: expected 0…1000 ms"),
        ("clock", 4, "option clock=4: expected 0 or 5…600 s"),
        ("clock", "-1", "option clock=-1: expected 0 or 5…600 s"),
        ("moon", "one", "option moon=one: expected one of plus4, zero"),
        ("ways", [], "option ways=[]: expected a list of left, right"),
        ("ways", ["up"], "option ways=['up']: expected a list of left, right"),
        ("ways", [1], "option ways=[1]: expected a list of left, right"),
        ("ways", {"left": 1}, "option ways={'left': 1}: expected a list of left, right"),
        ("words", 1, "option words=1: expected a list of words"),
        ("note", 1, "option note=1: expected text"),
    ],
)
def test_what_an_option_cannot_be_is_refused(name: str, raw: object, words: str) -> None:
    with pytest.raises(BadOptions) as caught:
        TABLE.read({name: raw})
    assert str(caught.value) == words


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadOptions, match="option speed: unknown, expected one of expose, deals"):
        TABLE.read({"speed": 3})


def test_what_is_not_given_is_the_default() -> None:
    values = TABLE.read({"deals": 2})
    assert list(values) == list(TABLE.options)
    assert TABLE.changed(values) == {"deals": 2}


@pytest.mark.parametrize("value", [True, False, 7, -7, "plus4", ["left", "right"]])
def test_a_value_is_spelt_as_it_is_read(value: Value) -> None:
    default: Value = [] if isinstance(value, list) else type(value)()
    option = Option("any", default, "", low=-10, high=10)
    if isinstance(value, list):
        option = Option("any", default, "", choices=["left", "right"])
    assert option.read(spell(value)) == value


def test_a_form_gets_everything() -> None:
    assert TABLE.plain()[3] == {
        "name": "pause",
        "kind": "number",
        "default": 500,
        "choices": [],
        "low": 0,
        "high": 1000,
        "or_zero": False,
        "unit": "ms",
        "technical": False,
        "words": "a number with a unit",
    }
    assert [option["kind"] for option in TABLE.plain()] == [
        "switch",
        "number",
        "number",
        "number",
        "choice",
        "list",
        "list",
        "text",
        "number",
    ]


def test_a_default_is_not_shared() -> None:
    ways = TABLE.read({})["ways"]
    assert isinstance(ways, list)
    ways.append("right")
    assert TABLE.read({})["ways"] == ["left"]
