"""A network chooses what numpy chooses from its weights, interpreted and compiled; others are refused."""

from __future__ import annotations

import numpy as np
import pytest

from croupier.core.layout import Field, Layout
from croupier.core.network import MAGIC, BadNetwork, Network, digest, written

LAYOUT = Layout(
    [Field("hand", 70, "cards"), Field("phase", 3, "phase")], [Field("points", 2, "points", -1, 2)]
)
ACTIONS = [f"play {number}" for number in range(9)]
SIZES = [75, 16, 8, 9]


def weights(seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    inputs, one, two, outputs = SIZES
    shapes = [(inputs, one), (one,), (one, two), (two,), (outputs, two), (outputs,)]
    return [rng.standard_normal(shape).astype("<f2") for shape in shapes]


def file(seed: int = 1, layout: Layout = LAYOUT, sizes: list[int] = SIZES) -> bytes:
    return written(sizes, layout, ACTIONS, False, b"".join(w.tobytes() for w in weights(seed)))


def test_it_chooses_the_legal_action_with_the_highest_logit() -> None:
    rng = np.random.default_rng(2)
    a, b, c, d, e, f = (w.astype(np.float64) for w in weights(1))
    network = Network(file(), LAYOUT, ACTIONS)
    chosen = set()
    for _ in range(200):
        bits, numbers = rng.random(73) < 0.3, rng.uniform(-1, 2, 2)
        legal = sorted(rng.choice(9, size=int(rng.integers(1, 9)), replace=False).tolist())
        seen = LAYOUT.writer(1)
        seen.begin(0)
        seen.several([int(at) for at in np.flatnonzero(bits[:70])], 70)
        seen.several([int(at) for at in np.flatnonzero(bits[70:])], 3)
        for number in numbers:
            seen.number(float(number))
        seen.end()
        first = np.maximum(np.concatenate([bits, numbers]) @ a + b, 0)
        logits = e @ np.maximum(first @ c + d, 0) + f
        best = network.best(seen, legal)
        assert best == max(legal, key=lambda action: logits[action])
        chosen.add(best)
    assert len(chosen) > 4


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "expected 'croupier network 1' in the first line"),
        (MAGIC + b"{", "second line: "),
        (MAGIC + b"[]\n", "second line: TypeError"),
        (MAGIC + b'{"sizes": []}\n', "second line: KeyError: 'digest'"),
        (file(layout=Layout(LAYOUT.sets, [])), "it was trained for another encoding or other actions"),
        (file(sizes=[75, 16, 9]), "sizes [75, 16, 9]: expected 75, two more, 9"),
        (file()[:-1], "bytes of weights: expected "),
        (file() + b"0", "bytes of weights: expected "),
    ],
)
def test_another_file_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(BadNetwork) as refused:
        Network(data, LAYOUT, ACTIONS)
    assert words in str(refused.value)


def test_it_depends_on_fields_and_actions_but_not_on_their_descriptions() -> None:
    same = Layout([Field("hand", 70, "other words"), Field("phase", 3, "")], LAYOUT.numbers)
    assert digest(same, ACTIONS) == digest(LAYOUT, ACTIONS)
    larger = Layout([Field("hand", 71, "cards"), Field("phase", 3, "phase")], LAYOUT.numbers)
    assert digest(larger, ACTIONS) != digest(LAYOUT, ACTIONS) != digest(LAYOUT, ACTIONS[:-1])
