"""The conformance kit with every registered game and the sample game, and tests of the kit itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mypy_extensions import i64

from croupier import games
from croupier.core.cards import NOTHING, bit
from croupier.core.contract import PUBLIC, Event, Game, Plain, State, View, play_out
from croupier.core.dice import Dice
from croupier.core.options import Value, spell
from croupier.games.hearts.facts import Passed
from croupier.games.hearts.view import HeartsView
from croupier.games.hearts.vocabulary import ACE_OF_HEARTS, EXPOSING, PASSING
from croupier.games.taroky.facts import PreverEnded
from croupier.testing import conformance
from croupier.testing.conformance import Nonconformance, check_game
from croupier.testing.secrecy import check_secrets
from croupier.testing.strategies import cuts, options, walks
from croupier.testing.walks import fingerprint, random_options, take
from croupier.testing.wrapped import Wrapped, WrappedGame
from tests import sample_game
from tests.sample_game import CoinsState, CoinsView

ONE_LINE = {"coins": games.Entry("coins", "tests.sample_game")}
"""The sample game in the registry."""


@pytest.fixture(autouse=True, scope="module")
def _registered() -> Iterator[None]:
    games.registry().update(ONE_LINE)
    yield
    for name in ONE_LINE:
        del games.registry()[name]


ALL = [*games.names(), *ONE_LINE]


@pytest.mark.parametrize("name", ALL)
def test_a_game_conforms_to_the_contract(name: str) -> None:
    compared = check_game(games.game(name), seeds=[5], rate=0.01)
    assert compared > (10 if name == "coins" else 200), "the swap test had too little to compare"


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_a_game_conforms_to_the_contract_with_random_options(name: str) -> None:
    game = games.game(name)
    options = {key: spell(value) for key, value in random_options(game, Random(name)).items()}
    check_game(game, seeds=[1], rate=0.01, options=options)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("name", ALL)
def test_a_game_conforms_to_the_contract_in_a_long_run(name: str) -> None:
    check_game(games.game(name), seeds=range(100, 112))


@pytest.mark.parametrize("name", ALL)
def test_the_shared_empty_list_is_not_changed(name: str) -> None:
    """All positions of four seats share it, so a change by one of them would affect the others."""
    game = games.game(name)
    state = game.new(game.options.read({}), game.seats[-1])
    play_out(state.clone(), Dice(3))
    play_out(state, Dice(4))
    assert list(NOTHING) == [0, 0, 0, 0]


def test_the_sample_game_has_fewer_than_100_lines() -> None:
    files = list(Path(sample_game.__file__).parent.glob("*.py"))
    assert sum(len(file.read_text().splitlines()) for file in files) < 100


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(games.UnknownGame, match=r"game 'chess': unknown, expected one of hearts.*coins"):
        games.game("chess")


# Games with one fault each, which the kit must find.


class TellsWhoIsAsked(Wrapped):
    """Shows all seats who holds AH while it may be exposed, which is secret."""

    def view(self, seat: int) -> View:
        view = self.inner.view(seat)
        view.to_act = self.inner.to_act()
        return view


class ShowsThePacketEarly(Wrapped):
    """Shows a seat what it will receive before it has passed."""

    def view(self, seat: int) -> View:
        view = self.inner.view(seat)
        assert isinstance(view, HeartsView)
        if seat >= 0 and view.phase == PASSING:
            giver = self.inner.view(view.giver(seat))
            assert isinstance(giver, HeartsView)
            view.received = giver.picked
        return view


class LegalForAWrongReason(Wrapped):
    """Orders the legal actions depending on a card of another hand."""

    def view(self, seat: int) -> View:
        view = self.inner.view(seat)
        other = self.inner.view((max(seat, 0) + 1) % 4)
        assert isinstance(other, HeartsView)
        if other.hand & bit(ACE_OF_HEARTS) and view.legal:
            view.legal = view.legal[::-1]
        return view


class ShowsHiddenCoins(Wrapped):
    """Shows the watcher the first seat's coins."""

    def view(self, seat: int) -> View:
        view = self.inner.view(seat)
        assert isinstance(view, CoinsView)
        assert isinstance(self.inner, CoinsState)
        if seat < 0:
            view.known = {**view.known, "mine": [coins for coins in self.inner.coins[:1] if coins >= 0]}
        return view


@pytest.mark.parametrize(
    ("name", "fault", "words"),
    [
        ("hearts", TellsWhoIsAsked, "to_act"),
        ("hearts", ShowsThePacketEarly, "received"),
        ("hearts", LegalForAWrongReason, "legal"),
        ("coins", ShowsHiddenCoins, "mine"),
    ],
)
def test_the_swap_test_finds_a_leak(name: str, fault: type[Wrapped], words: str) -> None:
    game = WrappedGame(games.game(name), fault)
    with pytest.raises(Nonconformance, match=f"heard the same but sees.*{words}"):
        check_secrets(game, game.options.read({}), seed=3, twins=400)


def test_hearts_itself_does_not_show_who_is_asked() -> None:
    game = games.game("hearts")
    state = game.new(game.options.read({"pass_sequence": ["none"]}), 4)
    state.roll(Dice(1))
    holder = next(seat for seat in range(4) if state.legal_actions(seat))
    for seat in range(-2, 4):
        view = state.view(seat)
        assert isinstance(view, HeartsView)
        assert view.phase == EXPOSING
        assert view.to_act == (1 << seat if seat == holder else 0)


class IgnoresIllegal(Wrapped):
    def apply(self, seat: int, action: int) -> None:
        if action in self.inner.legal_actions(seat):
            super().apply(seat, action)


class ChangesWhenRefusing(Wrapped):
    def apply(self, seat: int, action: int) -> None:
        draw = self.inner.awaiting()
        if action < 0 and draw is not None:
            self.inner.roll(Dice(1))
        super().apply(seat, action)


class SharesItsClones(Wrapped):
    def clone(self) -> State:
        return type(self)(self.inner)


class CountsBackwards(Wrapped):
    def legal_actions(self, seat: int) -> list[int]:
        return self.inner.legal_actions(seat)[::-1]


class AlwaysTakesTheFirst(Wrapped):
    def any_action(self, seat: i64, dice: Dice) -> i64:
        return self.inner.choice(seat, 0)


class ForgetsTheWatcher(Wrapped):
    def apply_draw(self, outcome: list[int]) -> None:
        super().apply_draw(outcome)
        for event in self.events or []:
            if event.audience == PUBLIC:
                event.audience = 0b1111


class PaysTheLast(Wrapped):
    def payoffs(self) -> list[float]:
        return [float(seat) for seat in range(len(self.inner.scores()))]


class FirstComeFirstServed(Wrapped):
    """The order of answers matters: the last seat to hide coins hides none."""

    def apply(self, seat: int, action: int) -> None:
        assert isinstance(self.inner, CoinsState)
        super().apply(seat, action)
        if self.inner.to_act() == 0:
            self.inner.coins[seat] = 0


Check: TypeAlias = Callable[[Game, Mapping[str, Value]], object]


def walk(game: Game, values: Mapping[str, Value]) -> None:
    conformance.check_walk(game, values, 1, 0.2)


def commuting(game: Game, values: Mapping[str, Value]) -> None:
    conformance.check_commuting(game, values, 1, 0.5)


def events(game: Game, values: Mapping[str, Value]) -> None:
    conformance.check_events(game, values, 1, 0.2)


def results(game: Game, values: Mapping[str, Value]) -> None:
    conformance.check_results(game, values, 1)


@pytest.mark.parametrize(
    ("name", "fault", "check", "words"),
    [
        ("hearts", IgnoresIllegal, walk, "is illegal but was accepted"),
        ("hearts", ChangesWhenRefusing, walk, "a refusal changed the state"),
        ("hearts", SharesItsClones, walk, "playing a clone changed its original"),
        ("hearts", CountsBackwards, walk, "legal does not ascend"),
        ("hearts", AlwaysTakesTheFirst, walk, "any_action\\(\\) gives"),
        ("hearts", ForgetsTheWatcher, events, "the events for seat -2 give a different view"),
        ("hearts", PaysTheLast, results, "not the same order"),
        ("coins", FirstComeFirstServed, commuting, "the order of answers matters"),
    ],
)
def test_the_kit_finds_a_fault(name: str, fault: type[Wrapped], check: Check, words: str) -> None:
    game = WrappedGame(games.game(name), fault)
    raw: dict[str, object] = {"deals": 1, "match_games": 1} if name == "hearts" else {}
    with pytest.raises(Nonconformance, match=words):
        check(game, game.options.read(raw))


class Unread(WrappedGame):
    """A game whose second action cannot be read back."""

    def parse_draw(self, text: str) -> int:
        return 0


def test_the_kit_finds_names_that_do_not_read_back() -> None:
    with pytest.raises(Nonconformance, match="the item '' was accepted"):
        conformance.check_names(Unread(games.game("hearts"), Wrapped))


class Dreamer(WrappedGame):
    """A game whose sample does not match the view."""

    def sample(self, view: View, rng: Random) -> State:
        state = self.inner.new(random_options(self.inner, rng), 4)
        state.roll(Dice(7))
        return state


def test_the_kit_finds_a_sample_with_another_view() -> None:
    game = Dreamer(games.game("hearts"), Wrapped)
    with pytest.raises(Nonconformance, match="has a different view"):
        conformance.check_sample(game, game.options.read({"deals": 1}), 1, 1.0)


class Told(Event):
    def plain(self) -> Plain:
        return {"values": (1, 2)}


class Unspeakable(Wrapped):
    def apply_draw(self, outcome: list[int]) -> None:
        super().apply_draw(outcome)
        if self.events is not None:
            self.events.append(Told(0))


def test_the_kit_finds_an_event_without_a_kind() -> None:
    game = WrappedGame(games.game("hearts"), Unspeakable)
    with pytest.raises(Nonconformance, match="an event without a kind"):
        conformance.check_events(game, game.options.read({"deals": 1, "match_games": 1}), 1, 0.1)


class Undeclared(Event):
    """A fact of a type that the game does not declare."""

    def fact(self) -> object:
        return PreverEnded(seat=0)


class Mistyped(Event):
    """A fact with a value of an undeclared type."""

    def fact(self) -> object:
        return Passed(seat="0")  # type: ignore[arg-type]  # the mistake to find


@pytest.mark.parametrize(
    ("event", "words"),
    [(Undeclared, "not of a declared type: PreverEnded"), (Mistyped, "not as declared: .*seat")],
)
def test_the_kit_finds_an_event_that_is_not_as_declared(event: type[Event], words: str) -> None:
    class Mistaken(Wrapped):
        def apply_draw(self, outcome: list[int]) -> None:
            super().apply_draw(outcome)
            if self.events is not None:
                self.events.append(event(0))

    game = WrappedGame(games.game("hearts"), Mistaken)
    with pytest.raises(Nonconformance, match=words):
        conformance.check_events(game, game.options.read({"deals": 1, "match_games": 1}), 1, 0.1)


# The strategies


@given(st.binary(max_size=60), st.data())
def test_cuts_contain_the_whole_stream(stream: bytes, data: st.DataObject) -> None:
    assert b"".join(data.draw(cuts(stream))) == stream


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
@given(data=st.data())
def test_generated_options_and_walks_are_valid_for_the_game(name: str, data: st.DataObject) -> None:
    game = games.game(name)
    chosen = data.draw(options(game))
    assert game.options.read({key: spell(value) for key, value in chosen.items()}) == chosen
    here = data.draw(walks(game, steps=10, fixed=chosen))
    assert here.options == chosen
    again = game.new(chosen, here.seats)
    for step in here.steps:
        take(again, step)
    assert fingerprint(again, here.seats) == fingerprint(here.state, here.seats)
