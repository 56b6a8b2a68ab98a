"""Checks of names and tokens that all protocols need for joining."""

from __future__ import annotations

import unicodedata
from hmac import compare_digest
from typing import Final

from croupier.wire.talk import BOT, Face, Place

NAME_LIMIT: Final = 64
UNNAMABLE: Final = ("Cc", "Cs")
"""Unicode categories not allowed in names: control characters, and surrogates, which UTF-8 cannot encode."""


def clean_name(raw: object) -> str | None:
    """Return the name in *raw* without surrounding space, or None if it is not a valid name."""
    if not isinstance(raw, str):
        return None
    name = raw.strip()
    if not 1 <= len(name) <= NAME_LIMIT or any(unicodedata.category(sign) in UNNAMABLE for sign in name):
        return None
    return name


def seat_called(face: Face, name: str) -> Place | None:
    """Return the place of the player with this name, or None."""
    return next((place for place in face.places if place.name == name), None)


def owns(face: Face, place: Place, token: str) -> bool:
    """Return True if *place* was taken with *token* or with another token of the same account; False for a
    bot's place."""
    return place.kind != BOT and _same(face, place, token)


def locked(face: Face, place: Place, token: str) -> bool:
    """Return True if the free *place* is reserved for a player with another token."""
    return place.token != "" and not _same(face, place, token)


def _same(face: Face, place: Place, token: str) -> bool:
    return compare_digest(face.identities.person(place.token), face.identities.mark(token))


def own_seat(face: Face, token: str) -> Place | None:
    """Return the place of the account to which *token* belongs, independent of its name there, or None."""
    if face.identities.holder(token) is None:
        return None
    return next((place for place in face.places if place.name and owns(face, place, token)), None)
