"""What every wire asks of somebody who wants to sit down: a name, and a token to come back with."""

from __future__ import annotations

import unicodedata
from hmac import compare_digest
from typing import Final

from croupier.wire.talk import BOT, Face, Place

NAME_LIMIT: Final = 64
UNNAMABLE: Final = ("Cc", "Cs")
"""Control characters, and halves of surrogate pairs, which UTF-8 cannot tell to others."""


def clean_name(raw: object) -> str | None:
    """Return the name in *raw* without the space around it, None if it cannot be one."""
    if not isinstance(raw, str):
        return None
    name = raw.strip()
    if not 1 <= len(name) <= NAME_LIMIT or any(unicodedata.category(sign) in UNNAMABLE for sign in name):
        return None
    return name


def seat_called(face: Face, name: str) -> Place | None:
    """Return the place of whoever at the table has this name."""
    return next((place for place in face.places if place.name == name), None)


def owns(face: Face, place: Place, token: str) -> bool:
    """Say whether *token* is the one its player joined *place* with, or another one of the same account; a
    bot's place is nobody's."""
    return place.kind != BOT and _same(face, place, token)


def locked(face: Face, place: Place, token: str) -> bool:
    """Say whether the free *place* is kept for somebody with another token."""
    return place.token != "" and not _same(face, place, token)


def _same(face: Face, place: Place, token: str) -> bool:
    return compare_digest(face.register.person(place.token), face.register.seal(token))


def own_seat(face: Face, token: str) -> Place | None:
    """Return where the account sits that *token* is of, under whatever name."""
    if face.register.holder(token) is None:
        return None
    return next((place for place in face.places if place.name and owns(face, place, token)), None)
