"""`croupier train`: resumes exactly, does not depend on processes, and trains any game with an encoding."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from croupier import games
from croupier.bots import strengths as bots
from croupier.bots.ismcts import SearchBot
from croupier.bots.learned import Believer, LearnedBot
from croupier.bots.strengths import EXPERT, MASTER, players, searching, strengths
from croupier.core.contract import Game, first_seat, turns
from croupier.core.dice import Dice
from croupier.core.hidden import ELSEWHERE, HOLDERS, Odds
from croupier.core.network import BELIEFS, DOUBT, HAND, NETWORK, BadNetwork, Beliefs, Network, cards
from croupier.envs.setup import Setup
from croupier.learning.places import here
from croupier.learning.selfplay import Play, Players, learns_everything
from croupier.learning.trainer import CHECKPOINT, Row, Settings, Training, TrainingFailed
from croupier.learning.watching import watched
from tests.cli.command import run, spawn
from tests.integration.servers import TIMEOUT, command
from tests.test_plugins import SAMPLE, install

GAME = next(
    name for name in games.names() if not learns_everything(games.game(name), 4, dict(games.game(name).short))
)
"""A game in which a network learns the bids only."""
TINY = Settings(
    GAME,
    4,
    dict(games.game(GAME).options.read(games.game(GAME).short)),
    imitate=2,
    rounds=4,
    matches=3,
    deals=1,
    hidden=(8, 8),
    evaluate=2,
    quick_deals=2,
    expert_deals=0,
)
ENCODING = """
from croupier.core.layout import Field, Layout

LAYOUT = Layout([Field("to_act", 4, "who has to act")], [])


def encode(view, out):
    out.put(view.to_act, 4)
"""


WITH_HANDS = [name for name in games.names() if type(games.game(name)).sample_by is not Game.sample_by]
"""The games whose hidden cards can be learned."""
SHIPPED = [
    name for name in games.names() if games.network(games.game(name)) or games.beliefs(games.game(name))
]


def alone(function: Callable[..., Any], jobs: Sequence[tuple[Any, ...]]) -> list[Any]:
    return [function(*job) for job in jobs]


def trained(folder: Path, settings: Settings = TINY) -> Training:
    training = Training.resumed(folder, settings) or Training(folder, settings)
    training.run(alone, lambda row: None)
    return training


def learned(game: str, data: bytes) -> LearnedBot:
    found = games.game(game)
    module = games.part(found, "encoding")
    assert module is not None
    return LearnedBot(found, Network(data, module.LAYOUT, found.actions.names), module.encode)


def test_a_resumed_training_equals_an_uninterrupted_one(tmp_path: Path) -> None:
    whole = trained(tmp_path / "whole")
    trained(tmp_path / "parts", msgspec.structs.replace(TINY, rounds=2))
    resumed = Training.resumed(tmp_path / "parts", TINY)
    assert resumed is not None
    assert resumed.round == 4
    parts = trained(tmp_path / "parts")
    assert parts.network() == whole.network()
    assert parts.rows == whole.rows
    assert parts.deals == whole.deals == 6 * 2 * 3
    for one, other in zip(parts.model.squares, whole.model.squares, strict=True):
        assert (one == other).all()
    assert (tmp_path / "parts" / NETWORK).read_bytes() == whole.network()


def test_the_result_does_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    settings = msgspec.structs.replace(TINY, imitate=1, rounds=1, evaluate=1)
    whole = trained(tmp_path / "whole", settings)
    spread = Training(tmp_path / "spread", settings)
    with here(2) as places:
        spread.run(places, lambda row: None)
    assert spread.network() == whole.network()
    assert spread.rows == whole.rows


def test_a_folder_with_another_training_is_refused(tmp_path: Path) -> None:
    trained(tmp_path, msgspec.structs.replace(TINY, rounds=1))
    with pytest.raises(TrainingFailed, match="another training, with other settings"):
        Training.resumed(tmp_path, msgspec.structs.replace(TINY, seed=2))
    more = Training.resumed(tmp_path, msgspec.structs.replace(TINY, rounds=9, evaluate=1, expert_deals=3))
    assert more is not None


def test_the_file_plays_as_the_network_that_was_trained(tmp_path: Path) -> None:
    training = trained(tmp_path)
    bot = learned(GAME, training.network())
    rng, chance, asked = np.random.default_rng(1), Random(1), 0
    state = bot.game.new(TINY.options, 4)
    for seat in turns(state, Dice(3)):
        view = state.view(seat)
        action = bot.choose(view, chance)
        if bot.knows(view) and len(view.legal) > 1:
            mask = training.setup.mask(view)[None] == 1
            logits = training.model.layers(training.setup.observe(view)[None])[2][0, :-1]
            gap = logits[mask[0]].max() - logits[action]
            assert gap < 0.01  # the file has 16 bits per weight
            asked += 1
            action = int(rng.choice(np.flatnonzero(mask[0])))
        state.apply(seat, action)
    assert asked > 2


def test_self_play_knows_the_result_of_every_decision() -> None:
    play = Play(GAME, 4, TINY.options, everything=False, matches=4, deals=2, guests=0.5, scale=2.0)
    training = Training(Path("unused"), TINY)
    players_here = Players(play, training.model, [1, 2, 3])
    batch = players_here.run().batch()
    assert len(players_here.payoffs) == 4 * 2 * 4
    assert (batch.masks.sum(axis=1) > 1).all()
    assert batch.masks[np.arange(len(batch)), batch.actions].all()
    assert (batch.logs <= 0).all()
    own = Players(play, None, [1, 2, 3])
    results = own.run().batch().results * 2
    assert {round(float(result)) for result in results} <= {round(payoff) for payoff in own.payoffs}


def test_master_bids_by_the_network_and_searches_the_rest(tmp_path: Path) -> None:
    bot = learned(GAME, trained(tmp_path).network())
    master = searching(bot.game, MASTER, bot)
    master.simulations = 4
    state = bot.game.new(TINY.options, 4)
    kinds = set()
    for seat in turns(state, Dice(5)):
        view = state.view(seat)
        action = master.choose(view, Random(1))
        if len(view.legal) > 1:
            kinds.add(bot.knows(view))
            if bot.knows(view):
                assert action == bot.choose(view, Random(1))
        state.apply(seat, action)
    assert kinds == {False, True}


@pytest.mark.parametrize("name", SHIPPED)
def test_master_is_offered_and_plays(name: str) -> None:
    game = games.game(name)
    assert strengths(game)[-1] == MASTER
    shipped, weaker = players(game)[MASTER], players(game)[EXPERT]
    assert isinstance(shipped, SearchBot)
    assert isinstance(weaker, SearchBot)
    assert shipped.simulations == weaker.simulations
    master = SearchBot(game, 4, shipped.learned, shipped.believer)
    expert = SearchBot(game, 4)
    different = 0
    state = game.new(game.options.read(game.short), 4)
    for number, seat in enumerate(turns(state, Dice(5))):
        view = state.view(seat)
        action = master.choose(view, Random(number))
        assert action in view.legal
        different += action != expert.choose(view, Random(number))
        state.apply(seat, action)
    assert state.over()
    assert different


def test_only_games_with_a_network_have_the_strength_master() -> None:
    for name in games.names():
        game = games.game(name)
        assert (MASTER in players(game)) == (name in SHIPPED)
        assert (MASTER in strengths(game)) == (MASTER in players(game))


WATCHING = msgspec.structs.replace(TINY, beliefs=True, imitate=0, rounds=4, matches=1)


def test_beliefs_are_learned_in_the_same_way_after_an_interruption(tmp_path: Path) -> None:
    whole = trained(tmp_path / "whole", WATCHING)
    trained(tmp_path / "parts", msgspec.structs.replace(WATCHING, rounds=2))
    resumed = trained(tmp_path / "parts", WATCHING)
    assert resumed.round == 4
    assert resumed.network() == whole.network()
    assert (tmp_path / "parts" / BELIEFS).read_bytes() == whole.network()
    assert whole.rows[-1].error < whole.rows[0].error
    assert whole.rows[-1].quick is None


@pytest.mark.parametrize("name", WITH_HANDS)
def test_what_is_believed_is_compared_with_the_real_hands(name: str) -> None:
    game = games.game(name)
    play = Play(name, 4, dict(game.options.read({})), False, 2, 1, 0.0, 1.0)
    seen, holders = watched(play, [1, 2, 3])
    layout = play.setup().layout
    begin, many = layout.start[HAND], cards(layout)
    hands = seen[:, begin : begin + many] > 0
    assert len(seen) > 4
    assert holders.shape == (len(seen), many)
    assert ((holders == -1) == hands).all()
    held = (holders >= 0) & (holders < ELSEWHERE)
    assert held.any(axis=1).all()
    shown = {"table", "played", "taken"}
    for field in layout.sets:
        if field.name in shown:
            for at in range(layout.start[field.name], layout.start[field.name] + field.size, many):
                assert not (held & (seen[:, at : at + many] > 0)).any()


def test_the_file_believes_what_was_learned(tmp_path: Path) -> None:
    training = trained(tmp_path, WATCHING)
    game = training.game
    module = games.part(game, "encoding")
    assert module is not None
    believer = Believer(Beliefs(training.network(), module.LAYOUT, game.actions.names), module.encode)
    state = game.new(TINY.options, 4)
    state.roll(Dice(3))
    view = state.view(1)
    logits = training.model.layers(training.setup.observe(view)[None])[2].reshape(-1, HOLDERS)
    likely = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True) + DOUBT
    odds = believer.odds(view)
    assert odds.seat == 1
    assert np.abs(np.array(list(odds.odds)).reshape(-1, HOLDERS) - likely).max() < 0.01


@pytest.mark.parametrize("name", WITH_HANDS)
def test_worlds_follow_the_odds(name: str) -> None:
    game = games.game(name)
    state = game.new(game.options.read({}), 4)
    rng = Random(1)
    setup = Setup.read(name, 4, "deal", {})
    layout = setup.layout
    many = cards(layout)
    played = layout.start["played"]
    adviser = game.adviser()
    assert adviser is not None
    for seat in turns(state, Dice(7)):
        if setup.observe(state.view(seat))[played : played + 4 * many].any():
            break
        state.apply(seat, adviser.choose(state.view(seat), rng))
    me = int(first_seat(state.to_act()))
    liked = [rng.randrange(3) for _ in range(many)]
    weights = [20.0 if who == liked[card] else 1.0 for card in range(many) for who in range(HOLDERS)]
    odds = Odds(me, weights)
    shares = []
    view = state.view(me)
    for worlds in (
        [game.sample(view, rng) for _ in range(20)],
        [game.sample_by(view, rng, odds) for _ in range(20)],
    ):
        hits = total = 0
        for one in worlds:
            assert one.view(me).facts() == view.facts()
            for who in range(3):
                seen = setup.observe(one.view((me + 1 + who) % 4))
                start = layout.start[HAND]
                held = np.flatnonzero(seen[start : start + many])
                hits += sum(liked[card] == who for card in held)
                total += len(held)
        shares.append(hits / total)
    assert shares[1] > shares[0] + 0.2


def test_worlds_of_master_come_from_its_beliefs(tmp_path: Path) -> None:
    training = trained(tmp_path, WATCHING)
    game = training.game
    module = games.part(game, "encoding")
    assert module is not None
    believer = Believer(Beliefs(training.network(), module.LAYOUT, game.actions.names), module.encode)
    state = game.new(TINY.options, 4)
    state.roll(Dice(3))
    view = state.view(int(first_seat(state.to_act())))

    def worths(bot: SearchBot) -> list[float]:
        return [choice.value for choice in bot.values(view, Random(1))]

    assert worths(SearchBot(game, 40, None, believer)) == worths(SearchBot(game, 40, None, believer))
    assert worths(SearchBot(game, 40, None, believer)) != worths(SearchBot(game, 40))


@pytest.fixture
def coins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Install a game without bots, but with an encoding; yield its folder."""
    monkeypatch.syspath_prepend(tmp_path)
    folder = install(tmp_path, "coins", SAMPLE)
    (folder / "encoding.py").write_text(ENCODING)
    games._discovered.cache_clear()
    yield folder
    for name in [name for name in sys.modules if name.split(".")[0] == "coins_game"]:
        del sys.modules[name]
    games._discovered.cache_clear()


def test_a_game_from_outside_is_trained(coins: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "SIMULATIONS", dict.fromkeys(bots.SIMULATIONS, 3))
    small = ["--matches", "2", "--deals", "2", "--evaluate", "2", "--quick-deals", "4", "--expert-deals", "2"]
    small += ["--rounds", "2"]
    out = tmp_path / "out"
    done = run("train", "coins", "-o", out, *small)
    assert done.returncode == 0, done.stderr
    assert "round 2 of 2: 16 deals; without search " in done.stdout
    assert ", master against expert " in done.stdout
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "<h1>Training of coins</h1>" in page
    assert page.count("<polyline") == 4
    again = run("train", "coins", "-o", out, *small[:-1], "3")
    assert f"{out}: resuming after round 2 of 3" in again.stdout
    other = run("train", "coins", "-o", out, *small, "--seed", "2")
    assert other.returncode == 1
    assert "another training" in other.stderr
    network = (out / NETWORK).read_bytes()
    (coins / NETWORK).write_bytes(network)
    games._discovered.cache_clear()
    players.cache_clear()
    assert MASTER in strengths(games.game("coins"))
    (coins / NETWORK).write_bytes(network[:-2])
    games._discovered.cache_clear()
    listed = run("games")
    assert listed.returncode == 1
    assert "coins: cannot be used, from coins_game 1.5: master.network: " in listed.stderr


def test_what_cannot_be_trained_is_refused(coins: Path, tmp_path: Path) -> None:
    (coins / "encoding.py").unlink()
    done = run("train", "coins", "-o", tmp_path / "out")
    assert done.returncode == 1
    assert done.stderr == "croupier: coins: the game has no encoding.py, so there is nothing to observe\n"
    without = next(name for name in games.BUILT_IN if name not in WITH_HANDS)
    done = run("train", without, "--beliefs", "-o", tmp_path / "out")
    assert done.stderr == f"croupier: {without}: its hidden cards cannot be dealt by odds (Game.sample_by)\n"
    assert run("train", "chess").stderr.startswith("croupier: game 'chess': unknown")
    assert "expected NAME=VALUE" in run("train", GAME, "--option", "deals").stderr
    assert not (tmp_path / "out").exists()


def test_a_checkpoint_is_replaced_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    training = trained(tmp_path, msgspec.structs.replace(TINY, rounds=1))
    before = (tmp_path / CHECKPOINT).read_bytes()

    def full(file: Any, **arrays: Any) -> None:
        file.write(b"half")
        raise OSError("no space left on device")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(OSError, match="no space"):
        training.save()
    assert (tmp_path / CHECKPOINT).read_bytes() == before


def test_a_network_for_another_encoding_is_refused() -> None:
    other = next(name for name in games.names() if name != GAME)
    with pytest.raises(BadNetwork, match="another encoding"):
        learned(other, Training(Path("unused"), TINY).network())


def test_rows_are_told_as_they_are_made(tmp_path: Path) -> None:
    told: list[Row | None] = []
    Training(tmp_path, TINY).run(alone, told.append)
    assert [row.round for row in told if row is not None] == [2, 4, 6]
    assert len(told) == 6


@pytest.mark.parametrize("module", ["model", "places", "report", "selfplay", "trainer"])
def test_numpy_multiplies_with_one_thread(module: str) -> None:
    # With several threads the results differ from those with one thread, which processes of a Ray cluster
    # use.
    program = f"""
import os, sys

class Finder:
    def find_spec(self, name, path, target=None):
        if name == "numpy":
            print(os.environ.get("OPENBLAS_NUM_THREADS"))

os.environ.pop("OPENBLAS_NUM_THREADS", None)
sys.meta_path.insert(0, Finder())
import croupier.learning.{module}
import numpy
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"


@pytest.mark.slow
def test_a_ray_cluster_learns_the_same(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    small = [GAME, "--imitate", "1", "--rounds", "1", "--matches", "2", "--deals", "1", "--evaluate", "1"]
    small += ["--quick-deals", "2", "--expert-deals", "0"]
    own = spawn("train", *small, "-o", tmp_path / "own")  # numpy may have more threads in this process
    assert own.returncode == 0, own.stderr
    done = subprocess.run(
        command("train", *small, "-o", str(tmp_path / "ray"), "--on", "ray"),
        capture_output=True,
        text=True,
        timeout=3 * TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "ray" / NETWORK).read_bytes() == (tmp_path / "own" / NETWORK).read_bytes()
