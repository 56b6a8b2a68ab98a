"""Refusals: why a request or an action is not carried out. The server has only this form of them.

Each has a *reason*: ``KEY``, or ``KEY.CASE`` if one key has several. Programs read the key, and each protocol
turns it into its own code. Pages look up the whole reason in the texts of their language. English words are
in `Game.refusals` for the rules of a game, and here for the tables and the house protocol.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from string import Formatter
from types import MappingProxyType
from typing import Final, TypeAlias

Arguments: TypeAlias = Mapping[str, str | int]
"""What fills the placeholders of a text, by name."""

HOUSE: Final[Mapping[str, str]] = {
    # Actions. Games may use these without words of their own.
    "unknown_action": "action {number}: expected 0…{last}",
    "match_over": "the match is over",
    "wrong_phase": "the match is {phase}",
    "not_your_turn": "it is another seat's turn",
    "not_your_turn.no_player": "seat {seat} does not play",
    "not_yours": "you do not hold it",
    "must_follow": "{suit} were led and you can follow",
    "must_trump": "you have no {suit} and can trump",
    "reserved": "only the clock may do that",
    "reserved.environment": "only a clock may do that",
    "too_soon": "the rest of the actions depends on a draw",
    "too_soon.next_decision": (
        "these are more actions than this decision takes: wait until you are asked again"
    ),
    # Answers.
    "stale": "nothing is asked of you now",
    "stale.nothing_open": "question {question} is past or not yet asked: nothing is asked of you now",
    "stale.other_open": "question {question} is past or not yet asked: question {open} is open",
    "stale.other_digest": "digest: expected {digest}",
    "stale.given_cards": "the cards of this table are given",
    "too_late": "the time for this question is up",
    "already_added": "this seat has added another nonce",
    # Seats.
    "not_joined": "join first",
    "not_joined.request": "{request}: join first",
    "already_joined": "you have seat {seat}",
    "already_joined.waiting": "you get seat {seat} when the next deal begins",
    "bad_name": "name: expected 1 to 64 characters, no control characters",
    "name_taken": "name {name!r}: a player at this table has this name",
    "name_taken.similar": "name {name!r}: it looks like the name of another player at this table",
    "name_reserved": (
        "name {name!r}: it belongs to an account, or looks like it: log in or choose another name"
    ),
    "bad_token": "seat {seat}: it is reserved for another token",
    "no_such_seat": "seat {seat}: expected 0…{last}",
    "seat_taken": "seat {seat}: it is not free",
    "table_full": "no seat is free at this table",
    "not_seated": "only players at this table may do that: take a seat first",
    "not_seated.other_player": "seat {seat}: expected the seat of another player",
    "not_seated.empty": "seat {seat}: no player is there",
    # What a player asks of the table.
    "not_now": "no game is running or no action given",
    "not_now.running": "a game is running",
    "not_now.seats_fixed": "a game is running: the seats are fixed until it ends",
    "not_now.reserved_table": (
        "the seats of this table are fixed: it belongs to a tournament or a quick match"
    ),
    "not_now.no_bots": "a game is running, or the seats are reserved for the players of a tournament",
    "bad_seats": "{words}",
    "not_alone": "the pause is for the other players too",
    "no_undo": "decisions can be taken back only in a running, unrated match against bots",
    "nothing_to_undo": "you have decided nothing yet in this deal",
    "too_many": "too many reports: try again in {minutes} minutes",
    "too_many.unread": "{reports} reports wait for the operator: try again later",
    "no_operator": "nobody reads reports here",
    "chat_flood": "too many chat messages: wait {seconds} s",
    "muted": "{words}",
    # Connections.
    "bad_message": "{words}",
    "flood": "too many messages: the rest of this second is ignored",
    "cannot_store": "the server cannot store data at the moment: try again later",
    "closed": "this table is closed",
    "banned": "{words}",
    "removed": "{words}",
}
"""The words of the tables and of the house protocol by reason; ``{words}`` are written by the caller."""

_REASON: Final = re.compile(r"[a-z]+(_[a-z]+)*(\.[a-z]+(_[a-z]+)*)?")


class Refusal(Exception):
    """A request that is not carried out: a key for programs, words for people.

    Each protocol turns the key into its own code: the house protocol sends it as it is, HTTP has a status for
    it (croupier/http.py).
    """

    def __init__(
        self, key: str, words: str, wait: float = 0.0, about: dict[str, object] | None = None
    ) -> None:
        super().__init__(words)
        self.key = key
        self.words = words
        self.about: dict[str, object] = about or {}
        """What it is about, for programs that have their own words: a name, a seat, an action."""
        self.wait = wait
        """Seconds after which it may be tried again; 0 if waiting does not help."""


def house_refusal(reason: str, arguments: Arguments = MappingProxyType({}), wait: float = 0.0) -> Refusal:
    """Return the refusal for a reason in `HOUSE`."""
    about: dict[str, object] = {name: arguments[name] for name in ("name", "seat") if name in arguments}
    words = HOUSE[reason].format_map(arguments)
    return Refusal(key_of(reason), words, wait, {**about, **case(reason)})


def key_of(reason: str) -> str:
    """Return the key in *reason*."""
    return reason.partition(".")[0]


def case(reason: str) -> dict[str, object]:
    """Return what the house protocol adds to the key of *reason*: the whole, if there is more."""
    return {} if reason == key_of(reason) else {"reason": reason}


def placeholders(template: str) -> set[str]:
    """Return the names of the arguments in *template*; raise ValueError if it is not valid."""
    found = {name for _, name, _, _ in Formatter().parse(template) if name is not None}
    for name in found:
        if not name.isidentifier():
            raise ValueError(f"{{{name}}}: expected the name of an argument")
    return found


def bad_templates(templates: Mapping[str, str]) -> Iterator[str]:
    """Yield what is wrong with the words of a game."""
    for reason, template in templates.items():
        if not _REASON.fullmatch(reason):
            yield f"{reason}: expected KEY or KEY.CASE in lower case"
        try:
            placeholders(template)
        except ValueError as error:
            yield f"{reason}: {error}"


def misused(templates: Mapping[str, str], reason: str, arguments: Arguments) -> str:
    """Return why *reason* with *arguments* has no words in *templates* or `HOUSE`, or nothing."""
    template = templates.get(reason, HOUSE.get(reason))
    if template is None:
        return f"{reason}: it has no words"
    missing = sorted(placeholders(template) - {*arguments})
    return f"{reason}: {{{missing[0]}}} is not given" if missing else ""


def untranslated(templates: Mapping[str, str], texts: Mapping[str, str]) -> Iterator[str]:
    """Yield what is wrong with the words of another language: `refusal.REASON`, or `refusal.KEY` for all its
    cases. The keys of `HOUSE` have words in every language.
    """
    for reason in templates:
        key = key_of(reason)
        if key not in HOUSE and f"refusal.{reason}" not in texts and f"refusal.{key}" not in texts:
            yield f"missing refusal.{reason}"
    for name, text in texts.items():
        if name.startswith("refusal."):
            yield from _wrong_text(templates, name.removeprefix("refusal."), text)


def _wrong_text(templates: Mapping[str, str], reason: str, text: str) -> Iterator[str]:
    every = {**HOUSE, **templates}
    meant = [template for one, template in every.items() if reason in (one, key_of(one))]
    if not meant:
        yield f"refusal.{reason} is not a refusal"
        return
    given = set.intersection(*(placeholders(template) for template in meant)) | {"words"}
    for name in sorted({*re.findall(r"\{(\w+)", text)} - given):
        yield f"refusal.{reason}: {{{name}}} is not given"
