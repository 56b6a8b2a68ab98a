"""Errors between a client and its server: a key for programs, a text for people."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

LATE: Final = ("stale", "too_late")


class ClientError(Exception):
    """The base class of all errors here."""

    def __init__(self, key: str, words: str) -> None:
        super().__init__(f"{key}: {words}")
        self.key = key
        self.words = words


class Refusal(ClientError):
    """The server refuses a request; nothing has changed."""

    def __init__(self, key: str, words: str, about: Mapping[str, object] = MappingProxyType({})) -> None:
        super().__init__(key, words)
        self.about = about
        """What it is about, for programs that have their own words."""


class TooLate(Refusal):
    """The answered question is no longer open: its time ran out, or the server decided."""


class Unreachable(ClientError):
    """No server answers at this address, or it is not a Croupier server."""


class SeatLost(ClientError):
    """The client has lost its seat: ``left``, ``closed``, ``replaced``, ``match_over`` or ``lost``."""


def refusal(key: str, words: str, about: Mapping[str, object] = MappingProxyType({})) -> Refusal:
    """Return the error for a refusal by the server."""
    return TooLate(key, words, about) if key in LATE else Refusal(key, words, about)
