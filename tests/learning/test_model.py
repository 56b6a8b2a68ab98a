"""The gradients of the network are those of its loss, and it learns."""

from __future__ import annotations

import numpy as np
import pytest

from croupier.learning import model
from croupier.learning.model import Batch, Model, log_softmax


def bandit(net: Model, rng: np.random.Generator, rows: int) -> Batch:
    """Return decisions that pay if action 2 is chosen for a positive first input, otherwise action 0."""
    seen = rng.standard_normal((rows, 5)).astype(np.float32)
    masks = np.ones((rows, 4), np.bool_)
    masks[:, 1] = False
    actions, logs, expected = net.draw(seen, masks, rng)
    results = np.where(actions == np.where(seen[:, 0] > 0, 2, 0), 1, -1).astype(np.float32)
    return Batch(seen, masks, actions, logs, results - expected, results)


def precise(net: Model) -> Model:
    return Model([w.astype(np.float64) for w in net.weights], [], [], 0)


def policy_loss(net: Model, batch: Batch) -> float:
    last = net.layers(batch.seen)[2]
    logs = log_softmax(last[:, :-1], batch.masks)
    likely = np.where(batch.masks, np.exp(logs), 0)
    ratio = np.exp(logs[np.arange(len(logs)), batch.actions] - batch.logs)
    gain = np.minimum(ratio * batch.gains, np.clip(ratio, 1 - model.CLIP, 1 + model.CLIP) * batch.gains)
    entropy = -(likely * np.where(batch.masks, logs, 0)).sum(axis=1)
    return float((-gain - model.ENTROPY * entropy + wrong(last[:, -1] - batch.results)).mean())


def imitation_loss(net: Model, batch: Batch) -> float:
    last = net.layers(batch.seen)[2]
    logs = log_softmax(last[:, :-1], batch.masks)
    return float((-logs[np.arange(len(logs)), batch.actions] + wrong(last[:, -1] - batch.results)).mean())


def wrong(error: model.Floats) -> model.Floats:
    found: model.Floats = np.where(np.abs(error) <= 1, error**2 / 2, np.abs(error) - 0.5)
    return found


@pytest.mark.parametrize("imitates", [False, True])
def test_a_step_goes_down_the_slopes_of_the_loss(imitates: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first step of Adam is the gradient divided by its size; here gradients are not shortened."""
    monkeypatch.setattr(model, "LONGEST", 1e9)
    rng = np.random.default_rng(1)
    net = Model.fresh([5, 8, 6, 5], rng)
    batch = bandit(net, rng, 40)
    net.weights[4] += (0.3 * rng.standard_normal(net.weights[4].shape)).astype(np.float32)
    loss = imitation_loss if imitates else policy_loss
    exact = precise(net)
    (net.imitate if imitates else net.improve)(batch, 0.0)
    for number, weights in enumerate(exact.weights):
        for _ in range(4):
            at = tuple(int(rng.integers(size)) for size in weights.shape)
            kept = weights[at]
            weights[at] = kept + 1e-5
            above = loss(exact, batch)
            weights[at] = kept - 1e-5
            below = loss(exact, batch)
            weights[at] = kept
            slope = float(net.moments[number][at]) / 0.1
            assert slope == pytest.approx((above - below) / 2e-5, rel=1e-2, abs=1e-5)


def test_it_learns_what_pays() -> None:
    rng = np.random.default_rng(2)
    net = Model.fresh([5, 16, 16, 5], rng)
    before = bandit(net, rng, 2000).results.mean()
    for _ in range(150):
        net.improve(bandit(net, rng, 256), 5e-3)
    after = bandit(net, rng, 2000)
    assert before < 0 < 0.8 < after.results.mean()
    assert not (after.actions == 1).any()


def test_it_imitates() -> None:
    rng = np.random.default_rng(3)
    net = Model.fresh([5, 16, 16, 5], rng)
    shares = []
    for _ in range(100):
        batch = bandit(net, rng, 256)
        wanted = Batch(
            batch.seen,
            batch.masks,
            np.where(batch.seen[:, 1] > 0, 3, 0),
            batch.logs,
            batch.gains,
            batch.results,
        )
        shares.append(net.imitate(wanted, 1e-2)[0])
    assert shares[0] < 0.8
    assert shares[-1] > 0.95
