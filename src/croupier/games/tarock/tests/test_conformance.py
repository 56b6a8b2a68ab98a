"""The conformance kit and the swap test on Tarock, and leaks that the swap test must find."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from random import Random

import pytest

from croupier.core.contract import WATCHER, Game, State, View
from croupier.core.options import Value
from croupier.games.tarock import GAME
from croupier.games.tarock.state import TarockState
from croupier.games.tarock.view import TarockView
from croupier.games.tarock.vocabulary import ACTIONS, BIDDING, CONTRACT_NAMES, PLAYING
from croupier.testing.conformance import check_events, check_game
from croupier.testing.secrecy import check_secrets
from croupier.testing.walks import Nonconformance, walk
from croupier.testing.wrapped import Wrapped, WrappedGame


@pytest.mark.slow
@pytest.mark.compiled
def test_tarock_conforms_over_many_matches() -> None:
    check_game(GAME, seeds=range(112, 160), rate=0.1)


# Random auctions end with high contracts, without a king, an exchange or announcements. To test these as
# well, the auction is steered to one contract after another; everything else stays random.


class Steered(Wrapped):
    """Tarock whose bidders go for a given contract in each deal."""

    inner: TarockState

    def __init__(self, contracts: list[str], inner: State) -> None:
        super().__init__(inner)
        self.contracts = contracts

    def legal_actions(self, seat: int) -> list[int]:
        legal = self.inner.legal_actions(seat)
        if self.inner.phase != BIDDING or not legal:
            return legal
        wish = self.contracts[self.inner.deal() % len(self.contracts)]
        action = ACTIONS.parse(f"bid {wish}")
        return [action] if action in legal and (seat + self.inner.deal()) % 3 else [legal[0]]

    def clone(self) -> State:
        return type(self)(self.contracts, self.inner.clone())

    def view(self, seat: int) -> View:
        view = self.inner.view(seat)
        view.legal = self.legal_actions(seat)
        self.spoil(view)
        return view

    def spoil(self, view: TarockView) -> None:
        """Add something secret to *view*."""


class ShowsThePartner(Steered):
    """Everyone knows who the partner is as soon as the king is called."""

    def spoil(self, view: TarockView) -> None:
        if view.king >= 0:
            view.found = int(self.inner.partner)


class ShowsTheDiscards(Steered):
    """Everyone sees the discards."""

    def spoil(self, view: TarockView) -> None:
        if self.inner.exchanged:
            view.discarded = self.inner.laid


class ShowsTheTalon(Steered):
    """The talon is shown in every contract."""

    def spoil(self, view: TarockView) -> None:
        view.whole_talon = [int(self.inner.talon >> 6 * at & 63) for at in range(6)]


class ShowsClaims(Steered):
    """Unfinished announcements are seen."""

    def spoil(self, view: TarockView) -> None:
        view.claimed = int(self.inner.claimed)


class MarksByTheOthers(Steered):
    """Legal plays depend on another hand."""

    def spoil(self, view: TarockView) -> None:
        if self.inner.phase == PLAYING and view.legal and self.inner.hands[(view.seat + 1) % 4] & 1 << 53:
            view.legal = view.legal[::-1]


def steered(contracts: list[str], kind: type[Steered] = Steered) -> Game:
    """Return the game of such states."""
    return WrappedGame(GAME, partial(kind, contracts))


@pytest.mark.parametrize("kontra", [False, True])
@pytest.mark.parametrize("contract", CONTRACT_NAMES)
def test_secrets_stay_in_every_contract(contract: str, kontra: bool) -> None:
    game = steered([contract])
    options = game.options.read({"deals": 1, "kontra": kontra})
    compared = sum(check_secrets(game, options, seed, twins=30, steps=30) for seed in range(3))
    assert compared > 80


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("preset", ["standard", "exact"])
@pytest.mark.parametrize("kontra", [False, True])
def test_secrets_stay_in_every_contract_for_long(preset: str, kontra: bool) -> None:
    game = steered(CONTRACT_NAMES)
    options = game.options.read({"preset": preset, "deals": 12, "kontra": kontra})
    for seed in range(4):
        assert check_secrets(game, options, seed, twins=300, steps=1000) > 1000


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("kontra", [False, True])
def test_samples_and_events_hold_in_every_contract(kontra: bool) -> None:
    game = steered(CONTRACT_NAMES)
    options = game.options.read({"deals": 12, "kontra": kontra})
    sampled = 0
    for seed in range(6):
        check_events(game, options, seed, 0.5)
        for here in walk(game, options, seed):
            public = here.state.view(WATCHER)
            assert isinstance(public, TarockView)
            if len(here.steps) % 5 or public.phase == BIDDING:
                continue
            for seat in range(4):
                view = here.state.view(seat)
                assert isinstance(view, TarockView)
                found = GAME.sample(view, Random(seed)).view(seat)
                assert (found.facts(), found.to_act) == (view.facts(), view.to_act)
                assert found.legal == view.legal
                sampled += 1
    assert sampled > 1000


@pytest.mark.parametrize(
    ("fault", "contract"),
    [
        (ShowsThePartner, "two"),
        (ShowsTheDiscards, "solo_three"),
        (ShowsTheTalon, "beggar"),
        (ShowsClaims, "one"),
        (MarksByTheOthers, "solo_without"),
    ],
)
def test_the_swap_test_finds_a_leak(fault: type[Steered], contract: str) -> None:
    game = steered([contract], fault)
    options = game.options.read({"deals": 1})
    with pytest.raises(Nonconformance, match="heard the same but sees"):
        _look_long(game, options)


def _look_long(game: Game, options: Mapping[str, Value]) -> None:
    for seed in range(20):
        check_secrets(game, options, seed, twins=80, steps=20)
