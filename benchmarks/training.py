"""Training environments, compared with Shimmy's OpenSpiel Hearts and PettingZoo's card games in the same run.

Agents choose random legal actions. All AEC environments run in the same loop, with observations.
"""

from __future__ import annotations

import importlib.util
import time
import warnings
from collections.abc import Callable
from functools import partial
from importlib import import_module
from random import Random
from typing import Any

from benchmarks.every_game import LINES, best
from benchmarks.report import Figure, Section, compiled
from croupier import envs, games

MATCHES = 1024
"""How many matches are stepped together."""
AIMS = {
    "croupier vector hearts, masks only": 5_000_000,
    "croupier vector hearts, float32": 600_000,
    "croupier vector hearts, uint8": 600_000,
    "croupier single_vector hearts, against heuristic": 200_000,
    "croupier AEC hearts": 85_000,
    **{f"croupier vector {name}, uint8": 400_000 for name in games.names() if name != "hearts"},
}
"""The target in actions per CPU-second."""
CARD_GAMES = {
    "PettingZoo Leduc hold'em": "leduc_holdem_v4",
    "PettingZoo Texas hold'em": "texas_holdem_v4",
    "PettingZoo Texas hold'em, no limit": "texas_holdem_no_limit_v6",
}
"""These games need rlcard and pygame; PettingZoo's Hanabi comes from Shimmy."""


def agents(env: Any, seconds: float) -> float:
    """Return how many actions per CPU-second random agents do in *env*; Any: PettingZoo has no types."""
    import numpy as np

    rng = Random(1)
    actions = episodes = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        env.reset(seed=episodes)
        episodes += 1
        for _ in env.agent_iter():
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            mask = info["action_mask"] if "action_mask" in info else observation["action_mask"]
            legal = np.flatnonzero(mask)
            env.step(int(legal[rng.randrange(len(legal))]))
            actions += 1
    return actions / spent


def ours(name: str, seconds: float) -> float:
    """Return the rate of our AEC environment of a game, configured as in the other benchmarks."""
    line = next(line for line in LINES if line.game == name)
    options: dict[str, Any] = dict(line.options)
    return agents(envs.aec(name, seats=line.seats, **options), seconds)


def shimmy(seconds: float) -> float:
    """Return the rate of OpenSpiel's Hearts through Shimmy."""
    import pyspiel
    from shimmy import OpenSpielCompatibilityV0

    return agents(OpenSpielCompatibilityV0(pyspiel.load_game("hearts(qs_breaks_hearts=False)")), seconds)


def card_game(module: str, seconds: float) -> float:
    """Return the rate of one of PettingZoo's own games."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pygame and rlcard warn at import
        return agents(import_module(f"pettingzoo.classic.{module}").env(), seconds)


def together(name: str, observations: bool, dtype: str, seconds: float) -> float:
    """Return how many actions per CPU-second `vector` does, including their choice."""
    line = next(line for line in LINES if line.game == name)
    options: dict[str, Any] = dict(line.options)
    env = envs.vector(name, MATCHES, seats=line.seats, observations=observations, dtype=dtype, **options)
    env.reset(seed=1)
    return stepped(env, seconds)


def against(name: str, opponents: str, seconds: float) -> float:
    """Return how many decisions of the caller's seat `single_vector` asks for per CPU-second; bots play the
    other seats.
    """
    line = next(line for line in LINES if line.game == name)
    options: dict[str, Any] = dict(line.options)
    env = envs.single_vector(name, MATCHES, opponents=opponents, seats=line.seats, dtype="uint8", **options)
    env.reset(seed=1)
    return stepped(env, seconds)


def stepped(env: Any, seconds: float) -> float:
    """Return how many actions per CPU-second random play does in *env*; Any: two classes with the same
    methods."""
    env.step(env.random())
    steps = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for _ in range(4):
            env.step(env.random())
        steps += 4
    return steps * MATCHES / spent


def there(*modules: str) -> bool:
    """Return whether *modules* are installed: only the developer tools include some of them."""
    return all(importlib.util.find_spec(module) for module in modules)


def ways() -> dict[str, Callable[[float], float]]:
    """Return the benchmarks that can be run here, by name."""
    found: dict[str, Callable[[float], float]] = {
        "croupier vector hearts, masks only": partial(together, "hearts", False, "uint8"),
        "croupier vector hearts, float32": partial(together, "hearts", True, "float32"),
    }
    for name in games.names():
        found[f"croupier vector {name}, uint8"] = partial(together, name, True, "uint8")
    for name in games.names():
        found[f"croupier single_vector {name}, against heuristic"] = partial(against, name, "heuristic")
    for name in games.names():
        found[f"croupier AEC {name}"] = partial(ours, name)
    if there("shimmy", "pyspiel"):
        found["Shimmy OpenSpiel hearts, AEC"] = shimmy
        found["PettingZoo Hanabi, AEC"] = partial(card_game, "hanabi_v5")
    if there("rlcard", "pygame"):
        for title, module in CARD_GAMES.items():
            found[f"{title}, AEC"] = partial(card_game, module)
    return found


def section(quick: bool) -> Section:
    """Measure, and return the section of the report."""
    if not there("numpy", "gymnasium", "pettingzoo"):
        return Section(
            "Environments to train in",
            "Not measured.",
            [["environment", "actions per CPU-second"]],
            ["PettingZoo is not installed: pip install 'croupier[train]'"],
        )
    seconds, rounds = (0.3, 2) if quick else (3.0, 5)
    all_ways = ways()
    rates = best(list(all_ways.values()), seconds, rounds)
    found = dict(zip(all_ways, rates, strict=True))
    base = found["croupier AEC hearts"]
    table = [["environment", "actions per CPU-second", "× croupier AEC hearts"]]
    table += [[name, f"{rate:,.0f}", f"{rate / base:.3g}"] for name, rate in found.items()]
    notes = []
    if not there("shimmy", "pyspiel", "rlcard", "pygame"):
        notes.append("to compare with others: pip install shimmy open_spiel rlcard pygame")
    if not compiled():
        notes.append("the rules are not compiled here: run 'pip install .' with a C compiler")
    return Section(
        "Environments to train in",
        "Agents choose random legal actions, on one core; the best of the rounds in which "
        "all take turns. AEC environments run in the same loop, with observations and masks; `vector` steps "
        f"{MATCHES:,} matches together, including the choice of actions and masks, and observations except "
        "where noted; `single_vector` counts only the decisions of its own seat.",
        table,
        notes,
        [Figure(f"{name}, per CPU-second", found[name], aim, least=True) for name, aim in AIMS.items()],
    )
