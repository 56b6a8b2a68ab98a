"""The conformance kit and the swap test on Tarock, and leaks that the swap test must find."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from croupier.core.contract import WATCHER, Draw, Game, IllegalAction, State, View
from croupier.core.options import Value
from croupier.games.tarock import GAME
from croupier.games.tarock.state import TarockState
from croupier.games.tarock.view import TarockView
from croupier.games.tarock.vocabulary import ACTIONS, BIDDING, CONTRACT_NAMES, PLAYING
from croupier.testing.conformance import check_events, check_game
from croupier.testing.secrecy import check_secrets
from croupier.testing.walks import Nonconformance, walk


@pytest.mark.slow
@pytest.mark.compiled
def test_tarock_conforms_over_many_matches() -> None:
    check_game(GAME, seeds=range(112, 160), rate=0.1)


# Random auctions end with high contracts, without a king, an exchange or announcements. To test these as
# well, the auction is steered to one contract after the other; everything else stays random.


class Steered(State):
    """Tarock whose bidders go for a given contract in each deal."""

    def __init__(self, inner: TarockState, contracts: list[str], kind: type[Steered]) -> None:
        super().__init__()
        self.inner = inner
        self.contracts = contracts
        self.kind = kind

    def to_act(self) -> int:
        return self.inner.to_act()

    def awaiting(self) -> Draw | None:
        return self.inner.awaiting()

    def over(self) -> bool:
        return self.inner.over()

    def legal_actions(self, seat: int) -> list[int]:
        legal = self.inner.legal_actions(seat)
        if self.inner.phase != BIDDING or not legal:
            return legal
        wish = self.contracts[self.inner.deal() % len(self.contracts)]
        action = ACTIONS.parse(f"bid {wish}")
        return [action] if action in legal and (seat + self.inner.deal()) % 3 else [legal[0]]

    def why_not(self, seat: int, action: int) -> IllegalAction:
        return self.inner.why_not(seat, action)

    def apply(self, seat: int, action: int) -> None:
        self.inner.events = self.events
        self.inner.apply(seat, action)

    def apply_draw(self, outcome: list[int]) -> None:
        self.inner.events = self.events
        self.inner.apply_draw(outcome)

    def deal(self) -> int:
        return self.inner.deal()

    def scores(self) -> list[int]:
        return self.inner.scores()

    def clone(self) -> State:
        return self.kind(self.inner.clone(), self.contracts, self.kind)

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


class SteeredGame(Game):
    """The game of such states."""

    name, title, rules, seats = GAME.name, GAME.title, GAME.rules, GAME.seats
    actions, options, table_options = GAME.actions, GAME.options, GAME.table_options
    event_types, view_type = GAME.event_types, GAME.view_type

    def __init__(self, contracts: list[str], kind: type[Steered] = Steered) -> None:
        self.contracts = contracts
        self.kind = kind

    def new(self, options: Mapping[str, Value], seats: int) -> State:
        return self.kind(GAME.new(options, seats), self.contracts, self.kind)

    def sample(self, view: View, rng: Random) -> State:
        return GAME.sample(view, rng)

    def draw_name(self, item: int) -> str:
        return GAME.draw_name(item)

    def parse_draw(self, text: str) -> int:
        return GAME.parse_draw(text)


@pytest.mark.parametrize("kontra", [False, True])
@pytest.mark.parametrize("contract", CONTRACT_NAMES)
def test_secrets_stay_in_every_contract(contract: str, kontra: bool) -> None:
    game = SteeredGame([contract])
    options = game.options.read({"deals": 1, "kontra": kontra})
    compared = sum(check_secrets(game, options, seed, twins=30, steps=30) for seed in range(3))
    assert compared > 80


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("preset", ["standard", "exact"])
@pytest.mark.parametrize("kontra", [False, True])
def test_secrets_stay_in_every_contract_for_long(preset: str, kontra: bool) -> None:
    game = SteeredGame(CONTRACT_NAMES)
    options = game.options.read({"preset": preset, "deals": 12, "kontra": kontra})
    for seed in range(4):
        assert check_secrets(game, options, seed, twins=300, steps=1000) > 1000


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("kontra", [False, True])
def test_samples_and_events_hold_in_every_contract(kontra: bool) -> None:
    game = SteeredGame(CONTRACT_NAMES)
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
    game = SteeredGame([contract], fault)
    options = game.options.read({"deals": 1})
    with pytest.raises(Nonconformance, match="heard the same but sees"):
        _look_long(game, options)


def _look_long(game: Game, options: Mapping[str, Value]) -> None:
    for seed in range(20):
        check_secrets(game, options, seed, twins=80, steps=20)
