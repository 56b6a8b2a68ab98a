"""What is not to be read again by anybody: tokens and passwords in frames that are kept for their author."""

from __future__ import annotations

import re
from typing import Final

VEIL: Final = "…"

_JSON: Final = re.compile(r'("(?:token|password)"\s*:\s*")(?:[^"\\]|\\.)*')
_LINES: Final = {
    "coinche": (
        re.compile(r"(?i)^(\s*name[ \t]+\S+[ \t]+)\S.*"),
        re.compile(r"^(108 \S+ \S+ )(?!-(?:\s|$))\S+"),
    ),
    "sagrada": (
        re.compile(r"(?i)^(token[\t ]).+"),
        re.compile(r"(?i)^(login[\t ][^\t ]+[\t ])(?!token\s*$).+"),
    ),
}
"""By game: the lines of its own protocol that may hold such a thing."""


def veiled(protocol: str, text: str) -> str:
    """Return a frame of *protocol* (``house``, or a game's own) with everything secret covered."""
    patterns = _LINES.get(protocol)
    if patterns is None:
        return _JSON.sub(rf"\1{VEIL}", text) if '"token"' in text or '"password"' in text else text
    for pattern in patterns:
        text = pattern.sub(rf"\1{VEIL}", text)
    return text
