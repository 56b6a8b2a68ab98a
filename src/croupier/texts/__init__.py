"""Texts of the house in every language: those that pages and terminal share, the coach's, the terminal's, and
why requests are refused (in English that is in core/refusal.py).

The texts of a game are in its folder; those of the pages alone are in `web/src`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

LANGUAGES: Final = ("en", "de", "fr", "sl", "cs")


@cache
def catalogue(part: str, language: str) -> Mapping[str, str]:
    """Return the texts of one *part*: ``shared``, ``coach``, ``terminal`` or ``refusals``."""
    file = files(__package__) / part / f"{language}.json"
    found: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return found


@cache
def house(language: str) -> Mapping[str, str]:
    """Return all texts in *language*, English if there are none; those of a part begin with its name."""
    language = language if language in LANGUAGES else LANGUAGES[0]
    found = dict(catalogue("shared", language))
    for part in ("coach", "terminal"):
        found |= {f"{part}.{key}": text for key, text in catalogue(part, language).items()}
    if language != LANGUAGES[0]:
        found |= {f"refusal.{reason}": text for reason, text in catalogue("refusals", language).items()}
    return found
