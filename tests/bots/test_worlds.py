"""Sampled worlds agree with everything the seat has seen: 20,000 per game, without a contradiction.

Positions come from whole matches under random options, played by heuristics and at random. A world must give
the seat exactly the view it has. In addition a second, simple reading of the rules checks its hands: what was
played, card by card, must have been legal with the cards that were held in this world.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

import pytest

from croupier import games
from croupier.core.cards import count
from croupier.core.contract import CHANCE, Game, State
from croupier.games.coinche.state import CoincheState
from croupier.games.hearts.state import HeartsState
from croupier.games.hearts.tests.positions import dealt as hearts_dealt
from croupier.games.sagrada.position import unpack
from croupier.games.sagrada.state import GlassState
from croupier.games.tarock.state import TarockState
from croupier.games.taroky.state import TarokyState
from croupier.games.taroky.tests.positions import dealt as taroky_dealt
from croupier.testing.walks import random_options, random_step, seats_of, seen, take

SHORT = {"match_games": 1, "deals": 2, "hands": 2, "target": 300}
"""Options that would make matches long, where a game has them."""
EACH = 4
"""Worlds per position."""
PLAYING = {"hearts": 3, "coinche": 2, "tarock": 5, "taroky": 10}
FIRST_CARD = {"hearts": 0, "coinche": 69, "tarock": 0, "taroky": 7}
"""The action that plays card 0."""
RARE = {
    "hearts": {"exposed", "only hearts"},
    "coinche": {"trump on the partner's"},
    "tarock": {"overtaking"},
    "taroky": {"two trumps", "the I announced"},
    "sagrada": set[str](),
}
"""Checks that apply to few positions but occur in many worlds; for even rarer ones the deal is given."""


@dataclass(slots=True)
class Position:
    """The state of a match, the cards that were played in its deal, and the rare checks made so far."""

    game: Game
    state: State
    met: set[str]
    plays: list[tuple[int, int]] = field(default_factory=list)


def positions(game: Game, seed: int, met: set[str]) -> Iterator[Position]:
    """Yield every position of matches under random options, without end."""
    rng = Random(f"{game.name} {seed}")
    while True:
        raw = random_options(game, rng)
        raw.update({name: value for name, value in SHORT.items() if name in raw})
        here = Position(game, game.new(game.options.read(raw), rng.choice(list(game.seats))), met)
        yield from played(here, rng, rng.choice([0.0, 0.2, 1.0]))


def played(here: Position, rng: Random, wild: float) -> Iterator[Position]:
    """Play the first deals of a match, the share *wild* of all actions at random; yield after each step."""
    game, state = here.game, here.state
    heuristic = game.bots()["heuristic"]
    while not state.over() and state.deal() < 3:
        seat, items = random_step(state, rng)
        if seat == CHANCE:
            here.plays = []
        else:
            if rng.random() >= wild or items[0] in game.reserved():
                items = [heuristic.choose(state.view(seat), rng)]
            if getattr(state, "phase", 0) == PLAYING.get(game.name, -1):
                here.plays.append((seat, items[0] - FIRST_CARD[game.name]))
        take(state, (seat, items))
        yield here


def check(game: Game, worlds: int, seed: int) -> set[str]:
    """Sample the given number of worlds, each from a seat's view at some position, and check them.

    Return the rare checks that were made.
    """
    rng = Random(seed)
    judge = JUDGES[game.name]
    done = 0
    met: set[str] = set()
    for here in positions(game, seed, met):
        if rng.random() < 0.75:
            continue
        state = here.state
        asked = seats_of(state.to_act())
        everybody = len(state.scores())
        seat = rng.choice(asked) if asked and rng.random() < 0.7 else rng.randrange(everybody)
        expected = seen(state, seat)
        view = state.view(seat)
        for _ in range(EACH):
            world = game.sample(view, rng)
            assert seen(world, seat) == expected
            assert (
                world.scores() == state.scores() or game.name == "sagrada"
            )  # private objectives count there
            if asked:
                judge(here, world, seat)
            done += 1
        if done >= worlds:
            break
    return met


# The simple rules. A hand is the set of cards a seat held when the first card of the deal was played.


def hands_of(world: State, plays: list[tuple[int, int]]) -> list[set[int]]:
    assert isinstance(world, HeartsState | CoincheState | TarockState | TarokyState)
    hands = [{card for card in range(54) if world.hands[seat] >> card & 1} for seat in range(4)]
    for seat, card in plays:
        assert all(card not in hand for hand in hands), "a card that was played is held"
        hands[seat].add(card)
    return hands


def tricks(plays: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    for at in range(0, len(plays), 4):
        yield plays[at : at + 4]


def judge_hearts(here: Position, world: State, seat: int) -> None:
    assert isinstance(world, HeartsState)
    assert isinstance(here.state, HeartsState)
    real = here.state
    rules = real.rules
    assert sum(count(world.dealt[s]) for s in range(4)) == 52
    assert world.dealt[0] | world.dealt[1] | world.dealt[2] | world.dealt[3] == (1 << 52) - 1
    assert world.dealt[seat] == real.dealt[seat]
    if real.phase < 3:
        return
    if real.step:
        assert world.picked(seat) == real.picked(seat)
        for card in real.received(seat):
            assert world.dealt[(seat - int(real.step)) % 4] >> card & 1
    hands = hands_of(world, here.plays)
    assert {len(hand) for hand in hands} == {13}
    if real.exposed >= 0:
        here.met.add("exposed")
        assert 38 in hands[int(real.exposed)]
    broken = False
    for number, trick in enumerate(tricks(here.plays)):
        led = trick[0][1] // 13
        for at, (who, card) in enumerate(trick):
            hand = hands[who]
            suit = card // 13
            penalty = {c for c in hand if c // 13 == 2 or c == 49}
            if at and any(c // 13 == led for c in hand):
                assert suit == led
            elif at and number == 0 and rules.clean_start and card in penalty:
                here.met.add("only penalty cards")
                assert hand == penalty
            elif not at and number == 0:
                assert card == 13  # 2C
            elif not at and suit == 2 and not broken:
                here.met.add("only hearts")
                assert all(c // 13 == 2 for c in hand)
            broken = broken or suit == 2 or (card == 49 and rules.queen_breaks)
            hand.remove(card)


def judge_coinche(here: Position, world: State, seat: int) -> None:
    assert isinstance(world, CoincheState)
    assert isinstance(here.state, CoincheState)
    real = here.state
    hands = hands_of(world, here.plays)
    assert {len(hand) for hand in hands} == {8}
    assert set.union(*hands) == set(range(32))
    assert world.dealt[seat] == real.dealt[seat]
    if not here.plays:
        return
    kind = int(real.auction.denomination)  # a suit, 4 all trumps, 5 none
    trump_order = [0, 1, 5, 6, 3, 7, 2, 4]  # 7 8 Q K 10 A 9 J
    plain_order = [0, 1, 2, 4, 5, 6, 3, 7]

    def strength(card: int, led: int) -> int:
        suit, rank = divmod(card, 8)
        if suit == kind:
            return 100 + trump_order.index(rank)
        if suit == led:
            return (trump_order if kind == 4 else plain_order).index(rank)
        return -1

    for trick in tricks(here.plays):
        led = trick[0][1] // 8
        for at, (who, card) in enumerate(trick):
            hand = hands[who]
            if at:
                best_seat, best = max(trick[:at], key=lambda play: strength(play[1], led))
                top = strength(best, led)
                higher = {c for c in hand if strength(c, led) > top}
                follow = {c for c in hand if c // 8 == led}
                trumps = {c for c in hand if c // 8 == kind}
                partner = (best_seat - who) % 2 == 0
                if follow:
                    assert card in follow
                    if (kind in (4, led)) and higher & follow:
                        assert card in higher
                elif not partner and trumps:
                    if higher & trumps:
                        assert card in higher & trumps
                    elif not real.rules.undertrump_free:
                        assert card in trumps
                elif partner and real.rules.partner_strict and card in trumps and best // 8 == kind:
                    here.met.add("trump on the partner's")
                    assert card in higher or not higher
            hand.remove(card)


def judge_tarock(here: Position, world: State, seat: int) -> None:
    assert isinstance(world, TarockState)
    assert isinstance(here.state, TarockState)
    real = here.state
    assert world.dealt[seat] == real.dealt[seat]
    assert all(count(world.dealt[s]) == 12 and world.dealt[s] >> 32 for s in range(4))
    if real.phase < 5:
        return
    hands = hands_of(world, here.plays)
    assert {len(hand) for hand in hands} == {12}
    assert sum(map(len, hands)) == len(set.union(*hands))
    kings = {7, 15, 23, 31}
    assert not kings & {card for card in range(54) if world.laid >> card & 1}
    for trick in tricks(here.plays):
        led = min(trick[0][1] // 8, 4)
        for at, (who, card) in enumerate(trick):
            hand = hands[who]
            follow = {c for c in hand if min(c // 8, 4) == led}
            tarocks = {c for c in hand if c >= 32}
            if at:
                kin = follow or tarocks or hand
                assert card in kin
                best = max(c for _, c in trick[:at] if min(c // 8, 4) == led or (c >= 32 and real.trumps))
                emperor = {52, 53} <= {c for _, c in trick[:at]} and 32 in kin
                if real.negative and kin is not hand and not emperor:
                    higher = {c for c in kin if c > best} if (best >= 32) == (max(kin) >= 32) else set()
                    here.met.add("overtaking")
                    assert card in (higher or kin) - {32} or (higher or kin) == {32}
            hand.remove(card)


def judge_taroky(here: Position, world: State, seat: int) -> None:
    assert isinstance(world, TarokyState)
    assert isinstance(here.state, TarokyState)
    real = here.state
    assert world.dealt(seat) == real.dealt(seat)
    if real.phase < 6:
        return
    hands = hands_of(world, here.plays)
    assert {len(hand) for hand in hands} == {12}
    view = real.view(seat)
    for who, hand in enumerate(hands):
        codes = int(view.money[view.player(who) - 1])
        trumps = sum(card >= 32 for card in hand)
        declined = view.player(who) == 1 and not codes & 15
        if codes & 1:
            here.met.add("no trumps")
            assert trumps == 0
        elif codes & 2:
            here.met.add("two trumps")
            assert 1 <= trumps <= 2
        elif not declined:
            assert (trumps >= 10) == bool(codes & 8)
            assert (8 <= trumps <= 9) == bool(codes & 4)
            assert trumps > 2
        assert ({32, 52, 53} <= hand) == bool(codes & 16)
        assert ({7, 15, 23, 31} <= hand) == bool(codes & 192)
    if real.phase == PLAYING["taroky"] and real.iote >= 0:
        here.met.add("the I announced")
        assert 32 in hands[int(real.iote)]
    for trick in tricks(here.plays):
        led = min(trick[0][1] // 8, 4)
        for at, (who, card) in enumerate(trick):
            hand = hands[who]
            follow = {c for c in hand if min(c // 8, 4) == led}
            if at:
                assert card in (follow or {c for c in hand if c >= 32} or hand)
            hand.remove(card)


def judge_sagrada(here: Position, world: State, seat: int) -> None:
    assert isinstance(world, GlassState)
    assert isinstance(here.state, GlassState)
    real = here.state
    assert world.privates[seat] == real.privates[seat]
    held = [number for numbers in world.privates for number in numbers]
    assert len(set(held)) == len(held)
    if not world.windows:
        return
    lying = [die for window in world.windows for die in window.dice() if die >= 0]
    lying += [die for slot in [*world.track, int(world.pool)] for die in unpack(slot)]
    lying += world.paid
    colours = [die // 6 for die in lying]
    if 0 <= world.hand < 30:
        colours.append(int(world.hand) // 6)
    elif world.hand >= 30:
        colours.append(int(world.hand) - 30)
    for colour in range(5):
        assert (int(world.bag) >> 5 * colour & 31) + colours.count(colour) == 18


JUDGES: dict[str, Callable[[Position, State, int], None]] = {
    "hearts": judge_hearts,
    "coinche": judge_coinche,
    "tarock": judge_tarock,
    "taroky": judge_taroky,
    "sagrada": judge_sagrada,
}


@pytest.mark.parametrize("name", games.names())
def test_worlds_contradict_nothing(name: str) -> None:
    check(games.game(name), 100, seed=1)


def given_deals() -> list[tuple[str, State, str]]:
    """Return deals in which a seat has only penalty cards, or no trumps, and the check that this needs."""
    clubs, hearts, diamonds, spades = [
        " ".join(f"{rank}{suit}" for rank in "23456789TJQKA") for suit in "CHDS"
    ]
    suits = [clubs, hearts, diamonds, spades]
    plain = "S1 S2 S3 S4 C1 C2 C3 C4 H1 H2 H3 H4"
    return [
        ("hearts", hearts_dealt(suits, pass_sequence="none", expose=False), "only penalty cards"),
        ("taroky", taroky_dealt(["", "", "", plain]), "no trumps"),
    ]


@pytest.mark.parametrize(("name", "state", "needed"), given_deals())
def test_worlds_of_a_given_deal_contradict_nothing(name: str, state: State, needed: str) -> None:
    rng = Random(4)
    met: set[str] = set()
    for here in played(Position(games.game(name), state, met), rng, 0.0):
        for seat in seats_of(state.to_act()):
            JUDGES[name](here, here.game.sample(state.view(seat), rng), seat)
    assert needed in met


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("name", games.names())
def test_many_worlds_contradict_nothing(name: str) -> None:
    assert check(games.game(name), 3_000, seed=2) >= RARE[name]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.nightly
@pytest.mark.parametrize("name", games.names())
def test_twenty_thousand_worlds_contradict_nothing(name: str) -> None:
    assert check(games.game(name), 20_000, seed=3) >= RARE[name]
