"""Training of one game's networks, round by round; an interrupted training resumes with the same results.

To learn decisions, the first rounds imitate the game's adviser, which is a much better start than chance.
The others learn from self-play by proximal policy optimisation. To learn beliefs, a network observes deals of
bots and is told who holds which cards. The numbers of round and shard determine all random numbers, so a
training with more processes, on other machines or after an interruption gives the same result.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any, Final

import msgspec
import numpy as np

from croupier import games
from croupier.bots.duel import Duel, duplicate, result
from croupier.bots.learned import Believer, LearnedBot
from croupier.bots.strengths import EXPERT, MASTER, believer_of, learned_bot, players, quick, searching
from croupier.core.contract import Bot, Game
from croupier.core.hidden import HOLDERS
from croupier.core.network import BELIEFS, NETWORK, Beliefs, Network, cards, written
from croupier.core.options import Value
from croupier.learning.model import Batch, Floats, Ints, Model
from croupier.learning.selfplay import Play, Players, learns_everything
from croupier.learning.watching import watched

CHECKPOINT: Final = "checkpoint.npz"
EVERY: Final = 10
"""A checkpoint is written after this many rounds."""
PART: Final = 1024
"""Decisions per step of the optimiser."""
HALF_LIFE: Final = 150
"""After this many rounds of self-play the rate is halved."""
IMITATION_RATE: Final = 1e-3
IMITATION_EPOCHS: Final = 4
EPOCHS: Final = 3
BELIEFS_RATE: Final = 2e-3
BELIEFS_HALF_LIFE: Final = 30
"""The rate of beliefs is halved after this many rounds."""

Map = Callable[[Callable[..., Any], Sequence[tuple[Any, ...]]], list[Any]]
"""Calls a function with each tuple of arguments, here or elsewhere, and returns the results in order."""


class Settings(msgspec.Struct, frozen=True):
    """What a training depends on."""

    game: str
    seats: int
    options: dict[str, Value]
    beliefs: bool = False
    """Learn who holds the hidden cards, instead of decisions."""
    seed: int = 1
    imitate: int = 20
    """Rounds that imitate the adviser, before ..."""
    rounds: int = 300
    """... the rounds of self-play."""
    shards: int = 2
    """Parts of a round that can be played at the same time."""
    matches: int = 128
    """Matches of a shard that are played together."""
    deals: int = 8
    """Deals of each match in a round."""
    guests: float = 0.5
    """The share of matches in which the adviser plays one of the sides."""
    hidden: tuple[int, int] = (128, 64)
    rate: float = 5e-4
    evaluate: int = 25
    """Rounds between two evaluations."""
    quick_deals: int = 1000
    """Duplicate deals of an evaluation against the bot that needs no search."""
    expert_deals: int = 40
    """Duplicate deals of an evaluation against `expert`."""

    def essence(self) -> Settings:
        """Return the settings without those that do not change what is learned."""
        return msgspec.structs.replace(self, rounds=0, evaluate=0, quick_deals=0, expert_deals=0)


class Row(msgspec.Struct, frozen=True):
    """One evaluation."""

    round: int
    deals: int
    """Deals played so far."""
    entropy: float
    """The mean entropy of the decisions or beliefs."""
    error: float
    """The mean square error of the expected results; of beliefs the mean of -log(the probability of the
    truth)."""
    quick: tuple[float, float] | None
    """The points per deal by which the network alone is better than the best bot without search, and their
    95 % interval; None for beliefs."""
    expert: tuple[float, float] | None
    """The same for `master` and `expert`, with equal numbers of simulations."""


class TrainingFailed(ValueError):
    """The game cannot be trained, or the folder has another training."""


class Training:
    """The state of one training, in a folder."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder = folder
        self.settings = settings
        self.file = BELIEFS if settings.beliefs else NETWORK
        self.game: Game = games.game(settings.game)
        if games.part(self.game, "encoding") is None:
            raise TrainingFailed(
                f"{settings.game}: the game has no encoding.py, so there is nothing to observe"
            )
        self.everything = not settings.beliefs and learns_everything(
            self.game, settings.seats, settings.options
        )
        self.setup = self._play(1.0).setup()
        outputs = len(self.game.actions) + 1
        if settings.beliefs:
            outputs = HOLDERS * cards(self.setup.layout)
            if type(self.game).sample_by is Game.sample_by:
                raise TrainingFailed(
                    f"{settings.game}: its hidden cards cannot be dealt by odds (Game.sample_by)"
                )
        sizes = [self.setup.layout.size, *settings.hidden, outputs]
        self.model = Model.fresh(sizes, np.random.default_rng([settings.seed, 0]))
        self.round = 0
        self.deals = 0
        self.scale = 0.0
        """The payoff that counts as 1: the standard deviation in the first round."""
        self.rows: list[Row] = []
        self.last = (0.0, 0.0)

    # Checkpoints.

    @classmethod
    def resumed(cls, folder: Path, settings: Settings | None = None) -> Training | None:
        """Return the training in *folder*, None if there is none; *settings* must be its own, except for the
        number of rounds and evaluations."""
        path = folder / CHECKPOINT
        if not path.exists():
            return None
        with np.load(path) as found:
            plain = json.loads(found["plain"].tobytes())
            arrays = [found[f"array{i}"] for i in range(len(found.files) - 1)]
        kept = msgspec.convert(plain["settings"], Settings)
        if settings is not None and settings.essence() != kept.essence():
            raise TrainingFailed(f"{path}: another training, with other settings; choose another folder")
        training = cls(folder, settings or kept)
        third = len(arrays) // 3
        training.model = Model(arrays[:third], arrays[third : 2 * third], arrays[2 * third :], plain["steps"])
        training.round, training.deals, training.scale = plain["round"], plain["deals"], plain["scale"]
        training.rows = msgspec.convert(plain["rows"], list[Row])
        return training

    def save(self) -> None:
        """Write the checkpoint and the network."""
        plain = {
            "settings": self.settings,
            "steps": self.model.steps,
            "round": self.round,
            "deals": self.deals,
            "scale": self.scale,
            "rows": self.rows,
        }
        arrays = [*self.model.weights, *self.model.moments, *self.model.squares]
        named = {f"array{i}": array for i, array in enumerate(arrays)}
        self.folder.mkdir(parents=True, exist_ok=True)
        new = self.folder / f"{CHECKPOINT}.new"
        with new.open("wb") as file:
            np.savez(file, plain=np.frombuffer(msgspec.json.encode(plain), np.uint8), **named)  # type: ignore[arg-type]  # numpy's stubs take them for its flag
        new.replace(self.folder / CHECKPOINT)
        (self.folder / self.file).write_bytes(self.network())

    def network(self) -> bytes:
        """Return the file of the network: without the expected result, which only training needs."""
        a, b, c, d, e, f = self.model.weights
        if not self.settings.beliefs:
            e, f = e[:, :-1], f[:-1]
        weights = b"".join(w.astype("<f2").tobytes() for w in (a, b, c, d, e.T, f))
        sizes = [len(a), len(b), len(d), len(f)]
        return written(sizes, self.setup.layout, self.game.actions.names, self.everything, weights)

    # Rounds.

    def run(self, spread: Map, told: Callable[[Row | None], None]) -> None:
        """Train until the last round; *told* is called after every round, with a row if it was evaluated."""
        settings = self.settings
        total = settings.imitate + settings.rounds
        while self.round < total:
            if settings.beliefs:
                self._watch(spread)
            else:
                self._learn(spread)
            self.round += 1
            row = None
            ready = self.round >= settings.imitate
            if ready and ((self.round - settings.imitate) % settings.evaluate == 0 or self.round == total):
                row = self._evaluate(spread)
                self.rows.append(row)
            if row is not None or self.round % EVERY == 0:
                self.save()
            told(row)

    def _learn(self, spread: Map) -> None:
        """Play one round and learn from it."""
        settings = self.settings
        imitates = self.round < settings.imitate and self.game.adviser() is not None
        model = None if imitates else self.model.weights
        jobs = [
            (self._play(self.scale or 1.0), model, [settings.seed, self.round, shard])
            for shard in range(settings.shards)
        ]
        found: list[tuple[Batch, list[float]]] = spread(played, jobs)
        batch = Batch.joined([batch for batch, _ in found])
        self.deals += settings.shards * settings.matches * settings.deals
        if not self.scale:
            self.scale = pstdev([payoff for _, payoffs in found for payoff in payoffs]) or 1.0
            batch = batch.scaled(1 / self.scale)
        rng = np.random.default_rng([settings.seed, self.round, settings.shards])
        means: list[tuple[float, float]] = []
        for _ in range(IMITATION_EPOCHS if imitates else EPOCHS):
            for rows in np.array_split(rng.permutation(len(batch)), max(1, len(batch) // PART)):
                part = batch.part(rows)
                step = self.model.imitate if imitates else self.model.improve
                means.append(step(part, self._rate(imitates)))
        self.last = (fmean(one for one, _ in means), fmean(two for _, two in means))

    def _watch(self, spread: Map) -> None:
        """Watch one round and learn who held which cards."""
        settings = self.settings
        jobs = [(self._play(1.0), [settings.seed, self.round, shard]) for shard in range(settings.shards)]
        found: list[tuple[Floats, Ints]] = spread(watched, jobs)
        seen = np.concatenate([seen for seen, _ in found])
        holders = np.concatenate([holders for _, holders in found])
        self.deals += settings.shards * settings.matches * settings.deals
        rng = np.random.default_rng([settings.seed, self.round, settings.shards])
        rate = BELIEFS_RATE * 0.5 ** (self.round / BELIEFS_HALF_LIFE)
        means = [
            self.model.believe(seen[rows], holders[rows], rate)
            for rows in np.array_split(rng.permutation(len(seen)), max(1, len(seen) // PART))
        ]
        self.last = (fmean(one for one, _ in means), fmean(two for _, two in means))

    def _rate(self, imitates: bool) -> float:
        settings = self.settings
        if imitates:
            return IMITATION_RATE * (1 - self.round / settings.imitate)
        return float(settings.rate * 0.5 ** ((self.round - settings.imitate) / HALF_LIFE))

    def _play(self, scale: float) -> Play:
        own = self.settings
        return Play(
            own.game, own.seats, own.options, self.everything, own.matches, own.deals, own.guests, scale
        )

    # Evaluation.

    def _evaluate(self, spread: Map) -> Row:
        settings = self.settings
        network = self.network()
        alone = None
        if not settings.beliefs:
            found = _duel(spread, settings, network, "", settings.quick_deals).difference
            alone = (found.value, found.margin)
        expert = None
        if EXPERT in players(self.game) and settings.expert_deals:
            duel = _duel(spread, settings, network, EXPERT, settings.expert_deals)
            expert = (duel.difference.value, duel.difference.margin)
        return Row(self.round, self.deals, *self.last, alone, expert)


def played(play: Play, weights: list[Floats] | None, seed: list[int]) -> tuple[Batch, list[float]]:
    """Play one shard; without *weights* the adviser plays, to be imitated."""
    model = Model(weights, [], [], 0) if weights is not None else None
    players_here = Players(play, model, seed)
    return players_here.run().batch(), players_here.payoffs


def _duel(spread: Map, settings: Settings, network: bytes, opponent: str, deals: int) -> Duel:
    """Return the result of *network* against a bot on duplicate deals."""
    part = max(1, deals // 8)
    jobs = [(settings, network, opponent, first, min(part, deals - first)) for first in range(0, deals, part)]
    return result([pair for pairs in spread(compared, jobs) for pair in pairs])


def compared(
    settings: Settings, data: bytes, opponent: str, first: int, deals: int
) -> list[tuple[float, float]]:
    """Play some duplicate deals and return the points of both sides: `master` and the searching bot
    *opponent*; without *opponent*, the network alone and the best bot that needs no search.

    `master` also uses the game's other network, if it has one.
    """
    game = games.game(settings.game)
    module = games.part(game, "encoding")
    assert module is not None, "a game without an encoding cannot be trained"
    names = game.actions.names
    learned, believer = learned_bot(game), believer_of(game)
    if settings.beliefs:
        believer = Believer(Beliefs(data, module.LAYOUT, names), module.encode)
    else:
        learned = LearnedBot(game, Network(data, module.LAYOUT, names), module.encode)
    own: Bot | None = searching(game, MASTER, learned, believer) if opponent else learned
    other = players(game)[opponent] if opponent else quick(game)
    assert own is not None, "beliefs alone decide nothing"
    numbers = range(first, first + deals)
    return [
        duplicate(game, own, other, number, settings.seed, settings.options, settings.seats)
        for number in numbers
    ]
