"""Read a line of the Coinche protocol (spec 11 and 12): its command, or the reply if it is not valid."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from croupier.games.coinche.vocabulary import CARD_WORDS, DENOMINATIONS, LEVELS, RANKS, SUITS
from croupier.wire.lines import Overlong

LIMIT: Final = 512
"""The maximum length of a client's line in bytes, including its end."""
FAR: Final = 8192
"""A line of more bytes than this closes the connection."""
TEXT_LIMIT: Final = 400
"""The maximum length of the text of MSG in bytes."""
ECHO_LIMIT: Final = 20

PARAMETERS: Final[Mapping[str, int]] = {
    "NAME": -1,
    "MSG": -1,
    "CONTRACT": 2,
    "COINCHE": 0,
    "SURCOINCHE": 0,
    "PASS": 0,
    "PLAY": 2,
    "LAST": 0,
    "HAND": 0,
    "STATE": 0,
    "HELP": 0,
    "QUIT": 0,
}
"""How many words may follow each command; -1 means the rest of the line."""

INVALID: Final = "400 Invalid command"

_CONTROL: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
_BLANKS: Final = re.compile(r"[ \t]+")
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,3}")
_NICKNAME: Final = re.compile(r"[A-Za-z0-9]{4,20}")


@dataclass(frozen=True, slots=True)
class Command:
    """A command with its words; *rest* is the text after the command as it was typed."""

    verb: str
    words: tuple[str, ...] = ()
    rest: str = ""


def read(data: str | bytes | Overlong) -> Command | Overlong | str | None:
    """Return the command in a line, the reply to an invalid line, or None for an empty one.

    Over TCP *data* is a line without its end; over a WebSocket a frame, which may have one.
    """
    if isinstance(data, Overlong):
        return data
    try:
        raw = data.encode() if isinstance(data, str) else data
        if len(raw) >= LIMIT:
            return Overlong(len(raw) >= FAR)
        if not raw.strip(b" \t"):
            return None  # these are not counted (14), so they must cost hardly any time
        text = raw.decode()
    except UnicodeError:
        return INVALID
    text = text.removesuffix("\n").removesuffix("\r") if text.endswith("\n") else text
    if _CONTROL.search(text):
        return INVALID
    text = text.strip(" \t")
    if not text:
        return None
    first, *words = _BLANKS.split(text)
    verb = first.upper() if first.isascii() else ""
    rest = text[len(first) :].lstrip(" \t")
    many = PARAMETERS.get(verb)
    if many is None or 0 <= many < len(words):
        return INVALID
    if verb == "MSG" and len(rest.encode()) > TEXT_LIMIT:
        return INVALID
    return Command(verb, tuple(words), rest)


def echo(word: str) -> str:
    """Return *word* for use in a reply: shortened, and without control characters."""
    shown = "".join(sign if sign.isprintable() else "?" for sign in word[:ECHO_LIMIT])
    return shown or "(none)"


def is_nickname(word: str) -> bool:
    """Return True if *word* may be a nickname."""
    return _NICKNAME.fullmatch(word) is not None


# The words of CONTRACT and PLAY.


def number_of(word: str) -> int | None:
    """Return the number in *word*, None if it is not a number of the grammar."""
    return int(word) if _NUMBER.fullmatch(word) else None


_LEVELS: Final = {**{level: number for number, level in enumerate(LEVELS)}, "générale": len(LEVELS) - 1}
_SUITS: Final = {
    spelling: number
    for number, suit in enumerate(SUITS)
    for spelling in (suit.lower(), suit.lower().removesuffix("s"), suit[0].lower())
}
_DENOMINATIONS: Final = {**_SUITS, "ta": DENOMINATIONS.index("TA"), "sa": DENOMINATIONS.index("SA")}
_RANKS: Final = {**{rank.lower(): number for number, rank in enumerate(RANKS)}, "t": RANKS.index("10")}


def level_of(word: str) -> int | None:
    """Return the level that *word* names: a number that exists, capot or generale."""
    return _LEVELS.get(word.lower())


def denomination_of(word: str) -> int | None:
    """Return the suit that *word* names, or TA or SA."""
    return _DENOMINATIONS.get(word.lower()) if word.isascii() else None


def card_of(words: tuple[str, ...]) -> int | None:
    """Return the card that two words name."""
    if len(words) != 2 or not (words[0].isascii() and words[1].isascii()):
        return None
    rank, suit = _RANKS.get(words[0].lower()), _SUITS.get(words[1].lower())
    if rank is None or suit is None:
        return None
    return CARD_WORDS.index(f"{RANKS[rank]} {SUITS[suit]}")
