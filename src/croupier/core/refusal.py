"""Refusals: why a request is not carried out. The server has only this form of them."""

from __future__ import annotations


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
