"""examples/ppo_hearts.py: its gradients are those of the loss, and it learns."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def example() -> Any:
    for name in ("train_hearts", "ppo_hearts"):
        spec = spec_from_file_location(name, EXAMPLES / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return module


def batch(example: Any, net: Any, rng: np.random.Generator, rows: int) -> Any:
    """Return decisions about a bandit: action 2 pays if the first input is positive, otherwise action 0."""
    seen = rng.standard_normal((rows, 5)).astype(np.float64)
    masks = np.ones((rows, 4), np.bool_)
    masks[:, 1] = False
    actions, logs, expected = net.draw(seen, masks, rng)
    results = np.where(actions == np.where(seen[:, 0] > 0, 2, 0), 1.0, -1.0)
    return example.Batch(seen, masks, actions, logs, results - expected, results)


def loss(example: Any, net: Any, told: Any) -> float:
    last = net.layers(told.seen)[2]
    logs = example.log_softmax(last[:, :-1], told.masks)
    likely = np.where(told.masks, np.exp(logs), 0)
    ratio = np.exp(logs[np.arange(len(logs)), told.actions] - told.logs)
    low, high = 1 - example.CLIP, 1 + example.CLIP
    gain = np.minimum(ratio * told.gains, np.clip(ratio, low, high) * told.gains)
    entropy = -(likely * np.where(told.masks, logs, 0)).sum(axis=1)
    error = last[:, -1] - told.results
    wrong = np.where(np.abs(error) <= 1, error**2 / 2, np.abs(error) - 0.5)
    return float((-gain - example.ENTROPY * entropy + wrong).mean())


def test_slopes_are_those_of_the_loss(example: Any) -> None:
    rng = np.random.default_rng(1)
    net = example.ActorCritic.fresh(5, 4, rng)
    net.weights = [w.astype(np.float64) for w in net.weights]
    told = batch(example, net, rng, 40)
    net.weights[4] += 0.3 * rng.standard_normal(net.weights[4].shape)  # some changes have gone far enough
    slopes = net.slopes(told)
    for weights, slope in zip(net.weights, slopes, strict=True):
        at = tuple(int(rng.integers(size)) for size in weights.shape)
        before = weights[at]
        found = []
        for step in (1e-6, -1e-6):
            weights[at] = before + step
            found.append(loss(example, net, told))
        weights[at] = before
        assert slope[at] == pytest.approx((found[0] - found[1]) / 2e-6, abs=1e-6)


@pytest.mark.slow
def test_no_illegal_action_is_drawn_and_what_pays_is_learned(example: Any) -> None:
    rng = np.random.default_rng(2)
    net = example.ActorCritic.fresh(5, 4, rng)
    for _ in range(60):
        told = batch(example, net, rng, 256)
        assert told.masks[np.arange(256), told.actions].all()
        net.learn(told, 0.003)
    assert batch(example, net, rng, 500).results.mean() > 0.8


def test_later_results_count_up_to_the_end_of_an_episode(example: Any) -> None:
    rewards = np.array([[0.0], [1.0], [0.0]])
    expected = np.zeros((3, 1))
    ended = np.array([[False], [True], [False]])
    found = example.estimated(rewards, expected, ended, np.array([0.5]))
    assert found[:, 0] == pytest.approx([example.TRACE, 1.0, 0.5])


def test_it_is_kept_and_called(example: Any, tmp_path: Path) -> None:
    net = example.ActorCritic.fresh(5, 4, np.random.default_rng(1))
    net.save(tmp_path / "net.npz")
    again = example.ActorCritic.load(tmp_path / "net.npz")
    assert all(np.array_equal(a, b) for a, b in zip(net.weights, again.weights, strict=True))
    with pytest.raises(SystemExit, match=r"python ppo_hearts\.py train FILE"):
        example.main(["rubbish"])
