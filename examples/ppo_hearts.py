"""Hearts learned against the built-in heuristic with masked PPO, and played at a table of the server.

    python ppo_hearts.py train FILE [ROUNDS]             trains, saves and measures
    python ppo_hearts.py play FILE NAME SEAT TOKEN URL   plays a match in the house protocol

One network has two outputs: a logit for every action and the expected result of the deal. Each round plays
some deals in 256 matches against three heuristics, with actions drawn from the legal ones, and then makes
actions that turned out better than expected more likely, but never by much at once (proximal policy
optimisation). Needs numpy only, and train_hearts.py beside it for the table.
"""

import os
import sys
import time
from pathlib import Path
from typing import NamedTuple

# The matrices are small: several threads would mostly wait for each other. Numpy reads this when imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray
from train_hearts import PolicyBot, measure, play  # type: ignore[import-not-found]  # it is beside this file

from croupier import envs

MATCHES = 256
ROUNDS = 60  # one to two minutes with compiled rules
STEPS = 34  # about two deals: three cards to pass, thirteen to play
HIDDEN = 128
SCALE = 26.0  # the scale of most results
CLIP = 0.2  # how far the probability of an action may change in one round
ENTROPY = 0.01  # keeps the policy from becoming certain too early
TRACE = 0.95  # the weight of later results in an estimate, compared with the network's expectation (λ)
EPOCHS = 2
PART = 1024
RATE = 1e-3

Floats = NDArray[np.float32]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]


class Batch(NamedTuple):
    """Decisions, each with its mask, the probability with which it was made, and its result."""

    seen: Floats
    masks: Bools
    actions: Ints
    logs: Floats
    """The logarithms of the probabilities."""
    gains: Floats
    """How much better than expected each action turned out."""
    results: Floats

    def part(self, rows: Ints) -> "Batch":
        return Batch(
            self.seen[rows],
            self.masks[rows],
            self.actions[rows],
            self.logs[rows],
            self.gains[rows],
            self.results[rows],
        )


class ActorCritic:
    """Two hidden layers, and two outputs: logits and the expected result; trained by Adam."""

    def __init__(self, weights: list[Floats]) -> None:
        self.weights = weights
        self.moments = [np.zeros_like(w) for w in weights]
        self.squares = [np.zeros_like(w) for w in weights]
        self.steps = 0

    @classmethod
    def fresh(cls, inputs: int, outputs: int, rng: np.random.Generator) -> "ActorCritic":
        weights: list[Floats] = []
        for before, after in [(inputs, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, outputs + 1)]:
            weights.append((rng.standard_normal((before, after)) * np.sqrt(2 / before)).astype(np.float32))
            weights.append(np.zeros(after, np.float32))
        weights[-2] *= 0.01  # at the start all legal actions are equally likely
        return cls(weights)

    def layers(self, seen: Floats) -> tuple[Floats, Floats, Floats]:
        a, b, c, d, e, f = self.weights
        first = np.maximum(seen @ a + b, 0)
        second = np.maximum(first @ c + d, 0)
        return first, second, second @ e + f

    def best(self, seen: Floats, masks: Bools) -> Ints:
        """Return for each row the most likely legal action."""
        found: Ints = np.where(masks, self.layers(seen)[2][:, :-1], -np.inf).argmax(axis=1)
        return found

    def draw(self, seen: Floats, masks: Bools, rng: np.random.Generator) -> tuple[Ints, Floats, Floats]:
        """Return for each row a random action, the logarithm of its probability, and the expected result."""
        last = self.layers(seen)[2]
        logs = log_softmax(last[:, :-1], masks)
        noise = -np.log(-np.log(rng.random(logs.shape, np.float32) + 1e-9) + 1e-9)
        actions: Ints = np.where(masks, logs + noise, -np.inf).argmax(axis=1)
        return actions, logs[np.arange(len(logs)), actions], last[:, -1]

    def slopes(self, batch: Batch) -> list[Floats]:
        """Return the gradients of the loss: of the clipped gains, the error of the results, the entropy."""
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
        down[:, -1] = np.clip(last[:, -1] - batch.results, -1, 1)
        down /= len(rows)
        middle = (down @ self.weights[4].T) * (second > 0)
        front = (middle @ self.weights[2].T) * (first > 0)
        return [
            batch.seen.T @ front,
            front.sum(0),
            first.T @ middle,
            middle.sum(0),
            second.T @ down,
            down.sum(0),
        ]

    def learn(self, batch: Batch, rate: float) -> None:
        slopes = self.slopes(batch)
        size = np.sqrt(sum(float((slope**2).sum()) for slope in slopes))
        self.steps += 1
        for w, m, s, slope in zip(self.weights, self.moments, self.squares, slopes, strict=True):
            slope = slope * min(1.0, 0.5 / (size + 1e-6))
            m += 0.1 * (slope - m)
            s += 0.001 * (slope * slope - s)
            w -= rate * (m / (1 - 0.9**self.steps)) / (np.sqrt(s / (1 - 0.999**self.steps)) + 1e-6)

    def save(self, path: Path) -> None:
        with path.open("wb") as file:
            np.savez(file, *self.weights)

    @classmethod
    def load(cls, path: Path) -> "ActorCritic":
        with np.load(path) as found:
            return cls([found[name] for name in found.files])


def log_softmax(logits: Floats, masks: Bools) -> Floats:
    """Return the logarithms of the probabilities of the legal actions; those of the others are -inf."""
    legal = np.where(masks, logits, -np.inf)
    legal -= legal.max(axis=1, keepdims=True)
    with np.errstate(divide="ignore"):
        found: Floats = legal - np.log(np.exp(legal).sum(axis=1, keepdims=True))
    return found


def estimated(rewards: Floats, expected: Floats, ended: Bools, after: Floats) -> Floats:
    """Return the result of each action: rewards and expectations of the following steps, weighted by `TRACE`.

    All arrays are steps × matches; *after* is the result expected after the last step.
    """
    gains = np.zeros_like(rewards)
    later = np.zeros_like(after)
    for step in reversed(range(len(rewards))):
        following = after if step == len(rewards) - 1 else expected[step + 1]
        goes_on = ~ended[step]
        later = rewards[step] + goes_on * following - expected[step] + goes_on * TRACE * later
        gains[step] = later
    return gains + expected


def train(rounds: int, seed: int = 1) -> ActorCritic:
    """Return a network trained for the given number of rounds of `STEPS` decisions per match."""
    env = envs.single_vector("hearts", MATCHES, opponents="heuristic", episode="deal")
    rng = np.random.default_rng(seed)
    size, many = env.setup.layout.size, len(env.setup.game.actions)
    net = ActorCritic.fresh(size, many, rng)
    seen, _ = env.reset(seed=seed)
    begun = time.monotonic()
    told = 0.0
    deals: list[float] = []
    for number in range(rounds):
        shape = (STEPS, MATCHES)
        inputs, masks = np.empty((*shape, size), np.float32), np.empty((*shape, many), np.bool_)
        actions, ended = np.empty(shape, np.intp), np.empty(shape, np.bool_)
        logs, expected, rewards = (np.empty(shape, np.float32) for _ in range(3))
        for step in range(STEPS):
            inputs[step], masks[step] = seen["observation"], seen["action_mask"] == 1
            actions[step], logs[step], expected[step] = net.draw(inputs[step], masks[step], rng)
            seen, paid, ended[step], _, _ = env.step(actions[step])
            rewards[step] = paid / SCALE
            deals += list(paid[ended[step]])
        after = net.layers(seen["observation"])[2][:, -1]
        results = estimated(rewards, expected, ended, after)
        gains = results - expected
        gains = (gains - gains.mean()) / (gains.std() + 1e-6)
        batch = Batch(
            inputs.reshape(-1, size),
            masks.reshape(-1, many),
            actions.reshape(-1),
            logs.reshape(-1),
            gains.reshape(-1),
            results.reshape(-1),
        )
        for _ in range(EPOCHS):
            for rows in np.array_split(rng.permutation(STEPS * MATCHES), STEPS * MATCHES // PART):
                net.learn(batch.part(rows), RATE * max(0.1, 1 - number / rounds))
        spent = time.monotonic() - begun
        if spent > told or number == rounds - 1:
            told += 10
            last = np.mean(deals[-4000:])
            print(
                f"{spent:4.0f} s  round {number + 1:3} of {rounds}  {len(deals):7,} deals  "
                f"{last:+.2f} points per deal more than the mean of the table",
                flush=True,
            )
    return net


def main(arguments: list[str]) -> None:
    match arguments:
        case ["train", file, *rounds] if len(rounds) < 2:
            net = train(int(rounds[0]) if rounds else ROUNDS)
            net.save(Path(file))
            measure(net)
        case ["play", file, name, seat, token, url]:
            play(PolicyBot(ActorCritic.load(Path(file))), name, seat, token, url)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
