"""The networks of a game: two hidden layers, from an observation to logits.

One has a logit for every action, the other one for every holder of every card.

`croupier train` writes the files, which belong in the folder of the game. The first line identifies the
format, the second describes the network as JSON, and the rest are the weights as 16-bit floats. No other
library is needed to read them.
"""

from __future__ import annotations

import hashlib
import json
import struct
from math import exp
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import bit, lowest
from croupier.core.hidden import HOLDERS
from croupier.core.layout import WORD, Layout, Writer

NETWORK: Final = "master.network"
"""The file of the decisions in the folder of a game."""
BELIEFS: Final = "master.beliefs"
"""The file of the beliefs."""
HAND: Final = "hand"
"""The field with the seat's own cards: a game that has it can learn who holds the others."""
MAGIC: Final = b"croupier network 1\n"
DOUBT: Final = 0.03
"""Added to every probability: others may play differently from the bots that the network has watched."""
SEARCHED: Final = 1.0
"""Up to this trust (`Game.trust`) a decision is left to the search, unless the network learned everything."""


class BadNetwork(ValueError):
    """The file is not a network, or it was trained for another encoding of the game."""


def digest(layout: Layout, actions: list[str]) -> str:
    """Return what a network depends on: the fields of the observation and the actions, as a digest."""
    fields = [f"{field.name} {field.size}" for field in [*layout.sets, *layout.numbers]]
    return hashlib.sha256("\n".join([*fields, "", *actions]).encode()).hexdigest()[:16]


class Layers:
    """The weights of a network."""

    def __init__(self, data: bytes, layout: Layout, actions: list[str], outputs: int) -> None:
        if not data.startswith(MAGIC):
            raise BadNetwork(f"expected {MAGIC.decode().strip()!r} in the first line")
        end = data.find(b"\n", len(MAGIC))
        try:
            head = json.loads(data[len(MAGIC) : end])
            sizes = [int(size) for size in head["sizes"]]
            made_for = str(head["digest"])
            everything = bool(head["everything"])
        except (ValueError, KeyError, TypeError) as error:
            raise BadNetwork(f"second line: {type(error).__name__}: {error}") from None
        if made_for != digest(layout, actions):
            raise BadNetwork("it was trained for another encoding or other actions: train it again")
        if len(sizes) != 4 or sizes[0] != layout.size or sizes[3] != outputs:
            raise BadNetwork(f"sizes {sizes}: expected {layout.size}, two more, {outputs}")
        inputs, one, two, _ = sizes
        many = (inputs + 1) * one + (one + 1) * two + (two + 1) * outputs
        if len(data) - end - 1 != 2 * many:
            raise BadNetwork(f"{len(data) - end - 1} bytes of weights: expected {2 * many}")
        self.layout = layout
        self.everything: bool = everything
        """Whether it learned every decision, not only those with a high trust."""
        self.one: i64 = one
        self.two: i64 = two
        self.outputs: i64 = outputs
        weights = list(struct.unpack_from(f"<{many}e", data, end + 1))
        parts: list[list[float]] = []
        at = 0
        for size in (inputs * one, one, one * two, two, two * outputs, outputs):
            parts.append(weights[at : at + size])
            at += size
        self.first: vec[float] = vec[float](parts[0])
        """A row for every input."""
        self.first_bias: vec[float] = vec[float](parts[1])
        self.second: vec[float] = vec[float](parts[2])
        """A row for every value of the first layer."""
        self.second_bias: vec[float] = vec[float](parts[3])
        self.last: vec[float] = vec[float](parts[4])
        """A row for every output."""
        self.last_bias: vec[float] = vec[float](parts[5])

    def middle(self, seen: Writer) -> vec[float]:
        """Return the values of the second hidden layer; *seen* has one row."""
        return self._second(self._first(seen))

    def output(self, middle: vec[float], number: i64) -> float:
        """Return one output."""
        row = self.two * number
        found = self.last_bias[number]
        j: i64 = 0
        while j < self.two:
            found += middle[j] * self.last[row + j]
            j += 1
        return found

    def _first(self, seen: Writer) -> vec[float]:
        out = self.first_bias[:]
        k: i64 = 0
        while k < seen.width:
            word = seen.words[k]
            while word != 0:
                at = lowest(word)
                word ^= bit(at)
                self._add(out, WORD * k + at, 1.0)
            k += 1
        bits: i64 = self.layout.bits
        k = 0
        while k < seen.floats:
            self._add(out, bits + k, seen.numbers[k])
            k += 1
        return out

    def _add(self, out: vec[float], number: i64, value: float) -> None:
        """Add the row of one input, times its value."""
        row = number * self.one
        j: i64 = 0
        while j < self.one:
            out[j] += value * self.first[row + j]
            j += 1

    def _second(self, before: vec[float]) -> vec[float]:
        out = self.second_bias[:]
        i: i64 = 0
        while i < self.one:
            value = before[i]
            if value > 0.0:
                row = i * self.two
                j: i64 = 0
                while j < self.two:
                    out[j] += value * self.second[row + j]
                    j += 1
            i += 1
        j = 0
        while j < self.two:
            if out[j] < 0.0:
                out[j] = 0.0
            j += 1
        return out


class Network(Layers):
    """A logit for every action."""

    def __init__(self, data: bytes, layout: Layout, actions: list[str]) -> None:
        super().__init__(data, layout, actions, len(actions))

    def best(self, seen: Writer, legal: list[int]) -> int:
        """Return the action of *legal* with the highest logit, or the first of them; *seen* has one row."""
        middle = self.middle(seen)
        best = -1
        most = 0.0
        for action in legal:
            logit = self.output(middle, action)
            if best < 0 or logit > most:
                best, most = action, logit
        return best


class Beliefs(Layers):
    """A logit for every holder of every card."""

    def __init__(self, data: bytes, layout: Layout, actions: list[str]) -> None:
        super().__init__(data, layout, actions, HOLDERS * cards(layout))

    def odds(self, seen: Writer) -> list[float]:
        """Return how likely each holder of each card is; *seen* has one row."""
        middle = self.middle(seen)
        found: list[float] = []
        k: i64 = 0
        while k < self.outputs:
            logits = [self.output(middle, k + i) for i in range(HOLDERS)]
            most = max(logits)
            likely = [exp(logit - most) for logit in logits]
            total = sum(likely)
            found += [one / total + DOUBT for one in likely]
            k += HOLDERS
        return found


def cards(layout: Layout) -> int:
    """Return the number of cards in a game with this *layout*; 0 if it has no field for a hand."""
    for field in layout.sets:
        if field.name == HAND:
            return field.size
    return 0


def written(sizes: list[int], layout: Layout, actions: list[str], everything: bool, weights: bytes) -> bytes:
    """Return the file of a network; *weights* are in the order in which `Network` reads them."""
    head = {"sizes": sizes, "digest": digest(layout, actions), "everything": everything}
    return MAGIC + json.dumps(head).encode() + b"\n" + weights
