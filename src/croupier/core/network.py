"""The network of a game: two hidden layers, from an observation to a logit for every action.

`croupier train` writes the file, which belongs in the folder of the game. The first line identifies the
format, the second describes the network as JSON, and the rest are the weights as 16-bit floats. No other
library is needed to read it.
"""

from __future__ import annotations

import hashlib
import json
import struct
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import bit, lowest
from croupier.core.layout import WORD, Layout, Writer

NETWORK: Final = "master.network"
"""The name of the file in the folder of a game."""
MAGIC: Final = b"croupier network 1\n"
SEARCHED: Final = 1.0
"""Up to this trust (`Game.trust`) a decision is left to the search, unless the network learned everything."""


class BadNetwork(ValueError):
    """The file is not a network, or it was trained for another encoding of the game."""


def digest(layout: Layout, actions: list[str]) -> str:
    """Return what a network depends on: the fields of the observation and the actions, as a digest."""
    fields = [f"{field.name} {field.size}" for field in [*layout.sets, *layout.numbers]]
    return hashlib.sha256("\n".join([*fields, "", *actions]).encode()).hexdigest()[:16]


class Network:
    """The weights of one game."""

    def __init__(self, data: bytes, layout: Layout, actions: list[str]) -> None:
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
        if len(sizes) != 4 or sizes[0] != layout.size or sizes[3] != len(actions):
            raise BadNetwork(f"sizes {sizes}: expected {layout.size}, two more, {len(actions)}")
        inputs, one, two, outputs = sizes
        many = (inputs + 1) * one + (one + 1) * two + (two + 1) * outputs
        if len(data) - end - 1 != 2 * many:
            raise BadNetwork(f"{len(data) - end - 1} bytes of weights: expected {2 * many}")
        self.layout = layout
        self.everything: bool = everything
        """Whether it learned every decision, not only those with a high trust."""
        self.one: i64 = one
        self.two: i64 = two
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
        """A row for every action."""
        self.last_bias: vec[float] = vec[float](parts[5])

    def best(self, seen: Writer, legal: list[int]) -> int:
        """Return the action of *legal* with the highest logit, or the first of them; *seen* has one row."""
        middle = self._second(self._first(seen))
        best = -1
        most = 0.0
        for action in legal:
            row = self.two * action
            logit = self.last_bias[action]
            j: i64 = 0
            while j < self.two:
                logit += middle[j] * self.last[row + j]
                j += 1
            if best < 0 or logit > most:
                best, most = action, logit
        return best

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


def written(sizes: list[int], layout: Layout, actions: list[str], everything: bool, weights: bytes) -> bytes:
    """Return the file of a network; *weights* are in the order in which `Network` reads them."""
    head = {"sizes": sizes, "digest": digest(layout, actions), "everything": everything}
    return MAGIC + json.dumps(head).encode() + b"\n" + weights
