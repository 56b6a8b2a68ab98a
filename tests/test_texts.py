"""The texts of the house and of the games: every language has the same keys, gaps and forms."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from croupier.core.words import Texts
from croupier.games import BUILT_IN, texts
from croupier.texts import LANGUAGES, catalogue, house

PARTS = ("shared", "coach", "terminal")
ON_SERVER = re.compile(r"(refusal|fault)\..*|option\.\w+\.more")
"""Texts that English has in the server's words."""
GAP = re.compile(r"\{(\w+)(?:\|([^{}]*))?\}")
FORMS = {"en": 2, "de": 2, "fr": 2, "sl": 4, "cs": 3}


def wrong(language: str, english: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """Return what is wrong with the texts of *language*, one line each."""
    found = [f"{key}: missing" for key in english if key not in other]
    found += [
        f"{key}: not in English" for key in other if key not in english and not ON_SERVER.fullmatch(key)
    ]
    for key in english.keys() & other.keys() - {key for key in english if ON_SERVER.fullmatch(key)}:
        gaps = [{gap[1] for gap in GAP.finditer(text)} for text in (english[key], other[key])]
        if gaps[0] != gaps[1]:
            found.append(f"{key}: fills in {gaps[1]} instead of {gaps[0]}")
        for gap in GAP.finditer(other[key]):
            if gap[2] is not None and len(gap[2].split("|")) != FORMS[language]:
                found.append(f"{key}: wrong number of forms for {gap[1]}")
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_house_has_every_text_in_every_language(language: str) -> None:
    for part in PARTS:
        assert wrong(language, catalogue(part, "en"), catalogue(part, language)) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", BUILT_IN)
def test_a_game_has_every_text_in_every_language(game: str, language: str) -> None:
    assert wrong(language, texts(game, "en"), texts(game, language)) == []


def test_what_is_wrong_is_found() -> None:
    english = {"a": "{n} {n|card|cards}", "b": "x"}
    assert wrong("sl", english, {"a": "{n} {n|karta|karti}", "c": "x"}) == [
        "b: missing",
        "c: not in English",
        "a: wrong number of forms for n",
    ]
    assert wrong("de", english, {"a": "{m}", "b": "y"}) == ["a: fills in {'m'} instead of {'n'}"]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "0 cards, 1 card, 2 cards, 5 cards, 101 cards"),
        ("fr", "0 carte, 1 carte, 2 cartes, 5 cartes, 101 cartes"),
        ("sl", "0 kart, 1 karta, 2 karti, 5 kart, 101 karta"),
        ("cs", "0 karet, 1 karta, 2 karty, 5 karet, 101 karet"),
    ],
)
def test_counted_words_have_the_form_of_their_language(language: str, told: str) -> None:
    said = Texts(texts("hearts", language), language)
    assert ", ".join(said("cards", n=n) for n in (0, 1, 2, 5, 101)) == told


def test_lists_have_the_word_of_their_language() -> None:
    names = ["Ana", "Bo", "Cy"]
    said = [Texts(house(language), language).all_of(names) for language in LANGUAGES]
    assert said == [
        "Ana, Bo and Cy",
        "Ana, Bo und Cy",
        "Ana, Bo et Cy",
        "Ana, Bo in Cy",
        "Ana, Bo a Cy",
    ]
    assert Texts(house("de"), "de").one_of(names[:2]) == "Ana oder Bo"
