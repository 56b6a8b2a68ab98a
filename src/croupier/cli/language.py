"""The language of the texts that people read at the terminal."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

import click

from croupier.texts import LANGUAGES

VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")


def preferred(environment: Mapping[str, str]) -> str:
    """Return the language of the first variable that is set; English if there are no texts in it."""
    locale = next((environment[name] for name in VARIABLES if environment.get(name)), "")
    language = locale[:2].lower()
    return language if language in LANGUAGES and not locale[2:3].isalpha() else LANGUAGES[0]


language_option = click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    default=lambda: preferred(os.environ),
    help="The language of the game and of the coach; what you type stays the same.  [default: that of the "
    "terminal]",
)
