"""Hearts learned by self-play with numpy, and played at a table of the server.

    python train_hearts.py train FILE [ROUNDS]             trains, saves and measures
    python train_hearts.py play FILE NAME SEAT TOKEN URL   plays a match in the house protocol

A network predicts, for every action, the result of the deal for the acting seat. All four seats play the
action with the best prediction, and sometimes another one. When a deal has ended, all its predictions are
corrected towards the actual result (deep Monte Carlo). The network learns only from the results of deals.
"""

import contextlib
import os
import sys
import time
from pathlib import Path
from random import Random
from typing import Any, Protocol

# The matrices are small: several threads would mostly wait for each other. Numpy reads this when imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray

from croupier import envs, games
from croupier.bots.duel import duel
from croupier.client import Ask, Event, TooLate, sync
from croupier.core.cards import bit, mask_of
from croupier.core.contract import Bot, RandomBot, View
from croupier.envs.setup import Setup
from croupier.games.hearts.view import HeartsView
from croupier.games.hearts.vocabulary import ACTIONS, CODES, PASS, PHASES, SUITS

MATCHES = 64
ROUNDS = 240  # three minutes with compiled rules
STEPS = 200  # a deal has 53 to 65 decisions, so three deals are complete
HIDDEN = 192
SCALE = 26.0  # the scale of most results
EXPLORE = 0.06
RATE = 1e-3

Floats = NDArray[np.float32]
Ints = NDArray[np.intp]


class Net:
    """Two hidden layers; trained by Adam."""

    def __init__(self, weights: list[Floats]) -> None:
        self.weights = weights
        self.moments = [np.zeros_like(w) for w in weights]
        self.squares = [np.zeros_like(w) for w in weights]
        self.steps = 0

    @classmethod
    def fresh(cls, inputs: int, outputs: int, rng: np.random.Generator) -> "Net":
        weights: list[Floats] = []
        for before, after in [(inputs, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, outputs)]:
            weights.append((rng.standard_normal((before, after)) / np.sqrt(before)).astype(np.float32))
            weights.append(np.zeros(after, np.float32))
        weights[-2] *= 0.1  # small predictions at the start
        return cls(weights)

    def layers(self, seen: Floats) -> tuple[Floats, Floats, Floats]:
        a, b, c, d, e, f = self.weights
        first = np.maximum(seen @ a + b, 0)
        second = np.maximum(first @ c + d, 0)
        return first, second, second @ e + f

    def best(self, seen: Floats, masks: NDArray[np.bool_]) -> Ints:
        """Return for each row the legal action with the best prediction."""
        found: Ints = np.where(masks, self.layers(seen)[2], -np.inf).argmax(axis=1)
        return found

    def learn(self, seen: Floats, actions: Ints, results: Floats, rate: float) -> float:
        """Correct the predictions for *actions* towards *results*; return the mean squared error."""
        first, second, guesses = self.layers(seen)
        rows = np.arange(len(seen))
        error = guesses[rows, actions] - results
        last = np.zeros_like(guesses)
        last[rows, actions] = np.clip(error, -1, 1) / len(seen)
        middle = (last @ self.weights[4].T) * (second > 0)
        front = (middle @ self.weights[2].T) * (first > 0)
        slopes = [seen.T @ front, front.sum(0), first.T @ middle, middle.sum(0), second.T @ last, last.sum(0)]
        self.steps += 1
        for w, m, s, slope in zip(self.weights, self.moments, self.squares, slopes, strict=True):
            m += 0.1 * (slope - m)
            s += 0.001 * (slope * slope - s)
            w -= rate * (m / (1 - 0.9**self.steps)) / (np.sqrt(s / (1 - 0.999**self.steps)) + 1e-6)
        return float((error**2).mean())

    def save(self, path: Path) -> None:
        with path.open("wb") as file:
            np.savez(file, *self.weights)

    @classmethod
    def load(cls, path: Path) -> "Net":
        with np.load(path) as found:
            return cls([found[name] for name in found.files])


class Policy(Protocol):
    """A network that can play."""

    def best(self, seen: Floats, masks: NDArray[np.bool_]) -> Ints: ...


class PolicyBot(Bot):
    """A seat that plays the best action of a network."""

    def __init__(self, net: Policy) -> None:
        self.net = net
        self.setup = Setup.read("hearts", None, "deal", {})

    def choose(self, view: View, rng: Random) -> int:
        mask = self.setup.mask(view).astype(np.bool_)
        return int(self.net.best(self.setup.observe(view)[None], mask[None])[0])


def train(rounds: int, seed: int = 1) -> Net:
    """Return a network trained by self-play for the given number of rounds of `STEPS` decisions per match."""
    env = envs.vector("hearts", MATCHES, episode="deal")
    rng = np.random.default_rng(seed)
    net = Net.fresh(env.setup.layout.size, env.actions, rng)
    turn = env.reset(seed=seed)
    begun = time.monotonic()
    deals = told = 0
    for number in range(rounds):
        seen = np.empty((STEPS, MATCHES, env.setup.layout.size), np.float32)
        seats = np.empty((STEPS, MATCHES), np.intp)
        actions = np.empty((STEPS, MATCHES), np.intp)
        results = np.full((STEPS, MATCHES), np.nan, np.float32)
        start = np.zeros(MATCHES, np.intp)
        for step in range(STEPS):
            wild = rng.random(MATCHES) < EXPLORE
            choice = np.where(wild, env.random(), net.best(turn.observations, turn.masks))
            seen[step], seats[step], actions[step] = turn.observations, turn.seats, choice
            turn = env.step(choice)
            for match in np.flatnonzero(turn.ended):
                part = slice(start[match], step + 1)
                results[part, match] = turn.rewards[match, seats[part, match]] / SCALE
                start[match] = step + 1
                deals += 1
        whole = np.flatnonzero(~np.isnan(results))  # omit unfinished deals
        rng.shuffle(whole)
        flat = seen.reshape(-1, seen.shape[2])
        rate = RATE * max(0.1, 1 - number / rounds)
        losses = [
            net.learn(flat[part], actions.reshape(-1)[part], results.reshape(-1)[part], rate)
            for part in np.array_split(whole, max(1, len(whole) // 512))
        ]
        spent = time.monotonic() - begun
        if spent > told or number == rounds - 1:
            told += 10
            print(
                f"{spent:4.0f} s  round {number + 1:3} of {rounds}  {deals:7,} deals  "
                f"squared error {np.mean(losses):.3f}",
                flush=True,
            )
    return net


def measure(net: Policy) -> None:
    game = games.game("hearts")
    one_deal = {"deals": 1, "match_games": 1}
    for name, other in [("random", RandomBot()), ("heuristic", game.bots()["heuristic"])]:
        found = duel(game, PolicyBot(net), other, 200, seed=1, options=one_deal)
        print(f"points per deal more than {name}, over {found.deals} duplicate deals: {found.difference}")


# At a table of the server. A question contains everything that the seat knows, as words; the view is rebuilt
# from them, and the input of the network from the view.


def view_of(facts: dict[str, Any], legal: list[str]) -> HeartsView:
    """Return the view described by the house protocol."""
    view = HeartsView(facts["seat"])
    view.legal = [ACTIONS.parse(word) for word in legal]
    view.to_act = sum(1 << seat for seat in facts["to_act"])
    view.phase = PHASES.index(facts["phase"])
    view.hand = cards(facts["hand"])
    view.picked = [CODES[card] for card in facts["picked"]]
    view.received = [CODES[card] for card in facts["received"]]
    view.table = [CODES[card] if card else -1 for card in facts["table"]]
    view.played = [[CODES[card] for card in played] for played in facts["played"]]
    view.taken = [cards(taken) for taken in facts["taken"]]
    view.void = [sum(1 << SUITS.index(suit) for suit in suits) for suits in facts["void"]]
    view.leader = -1 if facts["leader"] is None else facts["leader"]
    view.exposed = -1 if facts["exposed"] is None else facts["exposed"]
    view.passed = sum(1 << seat for seat in facts["passed"])
    for name in ("direction", "broken", "scores", "totals", "round"):
        setattr(view, name, facts[name])
    return view


def cards(names: list[str]) -> int:
    return mask_of([CODES[name] for name in names])


def answer(bot: Bot, facts: dict[str, Any], legal: list[str]) -> list[str]:
    """Return the actions that answer a question: one, or three cards to pass, chosen one after another."""
    view = view_of(facts, legal)
    rng = Random()
    if facts["phase"] != "passing":
        return [ACTIONS.name(bot.choose(view, rng))]
    while len(view.picked) < 3:
        action = bot.choose(view, rng)
        view.legal.remove(action)
        view.picked.append(action - PASS)
        view.hand &= ~bit(action - PASS)
    return [ACTIONS.name(PASS + card) for card in view.picked[len(facts["picked"]) :]]


def play(bot: Bot, name: str, seat: str, token: str, url: str) -> None:
    """Play one match."""
    with sync.connect(url, name=name, seat=int(seat), token=token) as player:
        for message in player:
            match message:
                case Ask():
                    with contextlib.suppress(TooLate):
                        player.act(*answer(bot, message.view, message.legal))
                case Event(kind="match_ended"):
                    print("totals by seat:", *message.event["totals"])
                    return


def main(arguments: list[str]) -> None:
    match arguments:
        case ["train", file, *rounds] if len(rounds) < 2:
            net = train(int(rounds[0]) if rounds else ROUNDS)
            net.save(Path(file))
            measure(net)
        case ["play", file, name, seat, token, url]:
            play(PolicyBot(Net.load(Path(file))), name, seat, token, url)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
