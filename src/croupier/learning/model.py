"""The network that is trained: two hidden layers, a logit for every action, and the expected result."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.intp]
Bools: TypeAlias = NDArray[np.bool_]

CLIP: Final = 0.2
"""How far the probability of an action may change in one round."""
ENTROPY: Final = 0.01
"""How much a policy is rewarded for staying uncertain, so that it does not settle too early."""
LONGEST: Final = 0.5
"""The maximum length of a gradient; longer ones are shortened."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Decisions, one per row."""

    seen: Floats
    """What the seat observed."""
    masks: Bools
    """The legal actions."""
    actions: Ints
    """The chosen ones."""
    logs: Floats
    """The logarithms of the probabilities with which they were chosen."""
    gains: Floats
    """How much better than expected the actions turned out."""
    results: Floats
    """The result that the network should have expected."""

    def __len__(self) -> int:
        return len(self.actions)

    def part(self, rows: Ints) -> Batch:
        """Return some of the rows."""
        return Batch(*(getattr(self, field.name)[rows] for field in fields(self)))

    def scaled(self, factor: float) -> Batch:
        """Return a copy with all results multiplied by *factor*."""
        return replace(self, results=self.results * np.float32(factor))

    @classmethod
    def joined(cls, batches: list[Batch]) -> Batch:
        """Return all rows of *batches*."""
        return cls(*(np.concatenate([getattr(b, field.name) for b in batches]) for field in fields(cls)))


class Model:
    """The weights, and Adam's moments of each of them."""

    def __init__(
        self, weights: list[Floats], moments: list[Floats], squares: list[Floats], steps: int
    ) -> None:
        self.weights = weights
        self.moments = moments
        self.squares = squares
        self.steps = steps

    @classmethod
    def fresh(cls, sizes: list[int], rng: np.random.Generator) -> Model:
        """Return an untrained network with layers of these *sizes*, from the inputs to the outputs."""
        weights: list[Floats] = []
        for before, after in pairwise(sizes):
            weights.append((rng.standard_normal((before, after)) * np.sqrt(2 / before)).astype(np.float32))
            weights.append(np.zeros(after, np.float32))
        weights[-2] *= 0.01  # at the start all legal actions are equally likely
        return cls(weights, [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights], 0)

    def layers(self, seen: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the values of all layers; the last column of the last one is the expected result."""
        a, b, c, d, e, f = self.weights
        first = np.maximum(seen @ a + b, 0)
        second = np.maximum(first @ c + d, 0)
        return first, second, second @ e + f

    def draw(self, seen: Floats, masks: Bools, rng: np.random.Generator) -> tuple[Ints, Floats, Floats]:
        """Return for each row a random action, the logarithm of its probability, and the expected result."""
        last = self.layers(seen)[2]
        logs = log_softmax(last[:, :-1], masks)
        noise = -np.log(-np.log(rng.random(logs.shape, np.float32) + 1e-9) + 1e-9)
        actions: Ints = np.where(masks, logs + noise, -np.inf).argmax(axis=1)
        return actions, logs[np.arange(len(logs)), actions], last[:, -1]

    def improve(self, batch: Batch, rate: float) -> tuple[float, float]:
        """Make actions more likely that turned out better than expected; return the mean entropy and the mean
        square error of the expected results."""
        first, second, last = self.layers(batch.seen)
        logs = log_softmax(last[:, :-1], batch.masks)
        likely = np.where(batch.masks, np.exp(logs), 0)
        rows = np.arange(len(logs))
        ratio = np.exp(logs[rows, batch.actions] - batch.logs)
        # An action whose probability has already changed enough in the right direction has no gradient.
        stopped = np.where(batch.gains > 0, ratio > 1 + CLIP, ratio < 1 - CLIP)
        pull = np.where(stopped, 0, -ratio * batch.gains)
        known = np.where(batch.masks, logs, 0)
        entropy = -(likely * known).sum(axis=1, keepdims=True)
        down = np.empty_like(last)
        down[:, :-1] = -pull[:, None] * likely + ENTROPY * likely * (known + entropy)
        down[rows, batch.actions] += pull
        error = self._descend(batch, down, (first, second, last), rate)
        return float(entropy.mean()), error

    def imitate(self, batch: Batch, rate: float) -> tuple[float, float]:
        """Make the chosen actions more likely; return the share of rows in which they are already the most
        likely ones, and the mean square error of the expected results."""
        first, second, last = self.layers(batch.seen)
        logs = log_softmax(last[:, :-1], batch.masks)
        down = np.empty_like(last)
        down[:, :-1] = np.where(batch.masks, np.exp(logs), 0)
        down[np.arange(len(logs)), batch.actions] -= 1
        same = float((logs.argmax(axis=1) == batch.actions).mean())
        return same, self._descend(batch, down, (first, second, last), rate)

    def believe(self, seen: Floats, holders: Ints, rate: float) -> tuple[float, float]:
        """Make the true *holders* of the cards more likely (-1: it does not matter); return the mean entropy
        of the beliefs, and the mean of -log(the probability that the truth had)."""
        first, second, last = self.layers(seen)
        logits = last.reshape(*holders.shape, -1)
        logs = log_softmax(logits, np.ones_like(logits, np.bool_))
        likely = np.exp(logs)
        asked = (holders >= 0)[:, :, None]
        truth = np.maximum(holders, 0)[:, :, None]
        entropy = -(likely * logs * asked).sum() / asked.sum()
        error = -(np.take_along_axis(logs, truth, 2) * asked).sum() / asked.sum()
        down = likely * asked
        np.put_along_axis(down, truth, np.take_along_axis(down, truth, 2) - asked, 2)
        down *= np.float32(len(seen) / asked.sum())
        self._step(seen, down.reshape(last.shape), first, second, rate)
        return float(entropy), float(error)

    def _descend(
        self, batch: Batch, down: Floats, layers: tuple[Floats, Floats, Floats], rate: float
    ) -> float:
        """Take a step of Adam against the gradient for decisions; *down* is the gradient of the logits.

        Return the error of the expected results.
        """
        first, second, last = layers
        off = last[:, -1] - batch.results
        down[:, -1] = np.clip(off, -1, 1)
        self._step(batch.seen, down, first, second, rate)
        return float((off**2).mean())

    def _step(self, seen: Floats, down: Floats, first: Floats, second: Floats, rate: float) -> None:
        """Take a step of Adam against the slopes; *down* has those of the outputs."""
        down /= len(down)
        middle = (down @ self.weights[4].T) * (second > 0)
        front = (middle @ self.weights[2].T) * (first > 0)
        slopes = [
            seen.T @ front,
            front.sum(0),
            first.T @ middle,
            middle.sum(0),
            second.T @ down,
            down.sum(0),
        ]
        size = float(np.sqrt(sum(float((slope**2).sum()) for slope in slopes)))
        shorter = np.float32(min(1.0, LONGEST / (size + 1e-6)))
        self.steps += 1
        fade, fade2 = np.float32(1 - 0.9**self.steps), np.float32(1 - 0.999**self.steps)
        for w, m, s, slope in zip(self.weights, self.moments, self.squares, slopes, strict=True):
            slope *= shorter
            m += np.float32(0.1) * (slope - m)
            s += np.float32(0.001) * (slope * slope - s)
            w -= np.float32(rate) * (m / fade) / (np.sqrt(s / fade2) + np.float32(1e-6))


def log_softmax(logits: Floats, masks: Bools) -> Floats:
    """Return the logarithms of the probabilities of the legal actions in the last dimension; those of the
    others are -inf."""
    legal = np.where(masks, logits, np.float32(-np.inf))
    legal -= legal.max(axis=-1, keepdims=True)
    found: Floats = legal - np.log(np.exp(legal).sum(axis=-1, keepdims=True))
    return found
