"""Checks of names and tokens that all protocols need for joining."""

from __future__ import annotations

import unicodedata
from hmac import compare_digest
from typing import Final

from croupier.wire.lookalikes import skeleton
from croupier.wire.talk import BOT, Place, TableInfo

NAME_LIMIT: Final = 64
UNNAMABLE: Final = ("Cc", "Cs")
"""Unicode categories not allowed in names: control characters, and surrogates, which UTF-8 cannot encode."""


def clean_name(raw: object) -> str | None:
    """Return the name in *raw* without surrounding space; None if it is not a valid name, or not visible."""
    if not isinstance(raw, str):
        return None
    name = raw.strip()
    if len(name) > NAME_LIMIT or any(unicodedata.category(sign) in UNNAMABLE for sign in name):
        return None
    return name if skeleton(name) else None


def seat_called(info: TableInfo, name: str) -> Place | None:
    """Return the place of the player with this name, or None."""
    return next((place for place in info.places if place.name == name), None)


def resembling(info: TableInfo, name: str) -> Place | None:
    """Return the place of a player whose name looks the same as *name*, or None."""
    look = skeleton(name)
    for place in info.places:
        if any(skeleton(other) == look for other in (place.name, place.next) if other):
            return place
    return None


def owns(info: TableInfo, place: Place, token: str) -> bool:
    """Return True if *place* was taken with *token* or with another token of the same account; False for a
    bot's place."""
    return place.kind != BOT and _same(info, place, token)


def may_return(info: TableInfo, place: Place, token: str, address: str) -> bool:
    """Return True if a client with *token* may take over *place*.

    A client without a token may do so only while the player's connection is lost, and from their address.
    """
    return owns(info, place, token) and (token != "" or lost_from(info, place, address))


def lost_from(info: TableInfo, place: Place, address: str) -> bool:
    """Return True if the connection of the player in *place* is lost and was from *address*.

    Seats that were taken before version 0.3 have no address: every address counts as theirs.
    """
    known = place.address
    return not place.connected and (
        known == "" or compare_digest(known, info.identities.address_mark(address))
    )


def locked(info: TableInfo, place: Place, token: str) -> bool:
    """Return True if the free *place* is reserved for a player with another token."""
    return place.token != "" and not _same(info, place, token)


def _same(info: TableInfo, place: Place, token: str) -> bool:
    return compare_digest(info.identities.person(place.token), info.identities.mark(token))


def kept_seat(info: TableInfo, token: str) -> Place | None:
    """Return the seat of a bot that is kept for the player with *token*, or None."""
    mark = info.identities.mark(token)
    return next((place for place in info.places if token and place.next and place.next_token == mark), None)


def own_seat(info: TableInfo, token: str) -> Place | None:
    """Return the place of the account to which *token* belongs, independent of its name there, or None."""
    if info.identities.holder(token) is None:
        return None
    return next((place for place in info.places if place.name and owns(info, place, token)), None)
