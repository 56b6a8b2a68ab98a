"""The seed of the next deal: the server's part, which is sealed in advance, and what the seats add to it.

The commitment to the server's part is published before a seat adds anything, so nobody can choose the cards.
"""

from __future__ import annotations

from croupier.core.chance import commitment
from croupier.core.refusal import house_refusal
from croupier.table import journal
from croupier.wire import talk


class NextDeal:
    """The server's part and the nonces of the seats."""

    def __init__(self, seats: int) -> None:
        self.seed: bytes | None = None
        """The server's part; None if cards are given."""
        self.digest: str | None = None
        """The commitment to it."""
        self.nonces = [""] * seats
        """What the seats have added, by seat."""

    def seal(self, seed: bytes) -> None:
        """Make *seed* the server's part; nothing has been added to it."""
        self.seed = seed
        self.digest = commitment(seed)
        self.forget()

    def check(self, seat: int, given: talk.Contribute) -> None:
        """Raise Refusal if *seat* cannot add *given*."""
        if given.digest != self.digest:
            if self.digest is None:
                raise house_refusal("stale.given_cards")
            raise house_refusal("stale.other_digest", {"digest": self.digest})
        if self.nonces[seat] not in ("", given.nonce):
            raise house_refusal("already_added")

    def add(self, seat: int, given: talk.Contribute) -> journal.Contributed | None:
        """Add the nonce of *given*; return None if that is impossible or was done before."""
        if self.seed is None or given.digest != self.digest or self.nonces[seat]:
            return None
        self.nonces[seat] = given.nonce
        return journal.Contributed(seat, given.nonce, self.seed.hex())

    def restore(self, entry: journal.Contributed) -> None:
        """Add a nonce from the journal; the entry also has the server's part."""
        seed = bytes.fromhex(entry.seed)
        if self.seed != seed:
            self.seal(seed)
        self.nonces[entry.seat] = entry.nonce

    def withdraw(self, seat: int) -> None:
        """Forget what the former player of *seat* has added."""
        self.nonces[seat] = ""

    def forget(self) -> None:
        """Forget what all seats have added."""
        self.nonces = [""] * len(self.nonces)
