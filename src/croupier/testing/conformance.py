"""Checks of the contract for every game, on random matches.

`check_game(game)` plays random matches with random options and checks:

1. the walk: exactly one of draw due, seats to act, over; everything illegal is refused and changes nothing;
   clones are independent;
2. the record, written and read back, replays to equal views and scores;
3. secrets, by the swap test (secrecy.py);
4. simultaneous answers commute;
5. `sample(view)` is a state with exactly that view, and it can be played to its end;
6. names and options parse back, payoffs agree with scores and places, bots choose legal actions;
7. interpreted and compiled rules agree (parity.py; needs two interpreters, so it is not run here);
8. a view that only hears events stays equal to `State.view`; both are of the types that the game declares.

A failure is a `Nonconformance` with its position: game, options, seed, step.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import permutations
from random import Random

import msgspec

from croupier.core import record
from croupier.core.contract import CHANCE, Bot, Draw, Event, Game, IllegalAction, RulesError, View, play_out
from croupier.core.dice import Dice
from croupier.core.options import BadOptions, Value, spell
from croupier.core.refusal import misused
from croupier.testing.secrecy import check_secrets
from croupier.testing.walks import (
    Nonconformance,
    Walk,
    fingerprint,
    observers,
    random_options,
    random_outcome,
    random_step,
    seats_of,
    seen,
    walk,
)

__all__ = ["Nonconformance", "check_game"]


def check_game(
    game: Game,
    seeds: Iterable[int] = range(4),
    rate: float = 0.1,
    options: Mapping[str, object] | None = None,
) -> int:
    """Run all checks on one match per seed, at about *rate* of its steps.

    Without *options* the first match has the defaults and the others have random options. Return the number
    of comparisons of the swap test.
    """
    check_names(game)
    compared = 0
    for number, seed in enumerate(seeds):
        rng = Random(f"options {game.name} {seed}")
        if options is None and number > 0:
            values = random_options(game, rng)
        else:
            values = game.options.read(options or {})
        check_walk(game, values, seed, rate)
        check_replay(game, values, seed)
        compared += check_secrets(game, values, seed)
        check_commuting(game, values, seed, rate)
        check_sample(game, values, seed, rate)
        check_results(game, values, seed)
        check_bots(game, values, seed, rate)
        check_events(game, values, seed, rate)
    return compared


# 1. The walk


def check_walk(game: Game, options: Mapping[str, Value], seed: int, rate: float) -> None:
    """Check the invariants of a random match, its refusals and its clones."""
    rng = Random(f"walk {seed}")
    deals = 0
    for here in walk(game, options, seed):
        state = here.state
        due = [state.awaiting() is not None, state.to_act() != 0, state.over()]
        here.demand(sum(due) == 1, f"exactly one of draw due, to act, over must hold: {due}")
        here.demand(state.deal() >= deals, f"deal() fell from {deals} to {state.deal()}")
        here.demand(state.events is None, "events were written although state.events is None")
        deals = state.deal()
        if rng.random() < rate or state.over() or not here.steps:
            check_legal(here)
            check_refusals(here, rng)
            check_clones(here, rng)


def check_legal(here: Walk) -> None:
    """Check that legal actions ascend, exist exactly for the seats to act, and can be counted."""
    state = here.state
    for seat in range(here.seats):
        legal = state.legal_actions(seat)
        is_due = state.to_act() >> seat & 1 == 1
        here.demand(bool(legal) == is_due, f"seat {seat}: to act {is_due}, legal {legal}")
        here.demand(legal == sorted(set(legal)), f"seat {seat}: legal does not ascend: {legal}")
        here.demand(int(state.choices(seat)) == len(legal), f"seat {seat}: choices() is not {len(legal)}")
        picked = [int(state.choice(seat, k)) for k in range(len(legal))]
        here.demand(picked == legal, f"seat {seat}: choice() gives {picked}, legal {legal}")
        if legal:
            given = int(state.any_action(seat, Dice(len(legal))))
            drawn = legal[int(Dice(len(legal)).index(len(legal)))]
            here.demand(given == drawn, f"seat {seat}: any_action() gives {given}, not {drawn}")
        view = state.view(seat)
        here.demand(view.legal == legal, f"seat {seat}: its view's legal is {view.legal}, not {legal}")
        here.demand(
            view.to_act >> seat & 1 == is_due, f"seat {seat}: its view does not contain that it is to act"
        )


def check_refusals(here: Walk, rng: Random) -> None:
    """Check that illegal actions, and draws that are not due or not possible, change nothing."""
    state = here.state
    before = fingerprint(state, here.seats)
    many = len(here.game.actions)
    for seat in range(-2, here.seats + 1):
        legal = set(state.legal_actions(seat)) if 0 <= seat < here.seats else set()
        tries = [-1, many, 1 << 70, *rng.sample(range(many), min(many, 12))]
        for action in tries:
            if action not in legal:
                check_refusal(here, seat, action)
    draw = state.awaiting()
    bad = [[1 << 40]] if draw is None else [[*draw.pool, 1 << 40], [1 << 40] * (draw.take or 1)]
    if draw is not None and not draw.replace and draw.take > 1:
        outcome = random_outcome(draw, rng)
        twice = [outcome[1], *outcome[1:]]
        if twice.count(outcome[1]) > draw.pool.count(outcome[1]):  # a bag may hold equal dice
            bad.append(twice)
    for outcome in bad:
        try:
            state.apply_draw(outcome)
        except RulesError:
            continue
        here.demand(False, f"the draw {outcome} was accepted")
    here.demand(fingerprint(state, here.seats) == before, "a refusal changed the state")


def check_refusal(here: Walk, seat: int, action: int) -> None:
    """Check that *action* is refused with the key and words of `why_not`."""
    expected = here.state.why_not(seat, action)
    try:
        here.state.apply(seat, action)
    except IllegalAction as error:
        here.demand(bool(error.key), f"seat {seat}, action {action}: a refusal without a key")
        told = (error.key, str(error)), (expected.key, str(expected))
        here.demand(told[0] == told[1], f"seat {seat}, action {action}: apply and why_not differ: {told}")
        if here.game.refusals:
            wrong = misused(here.game.refusals, error.reason, error.arguments)
            here.demand(not wrong, f"seat {seat}, action {action}: refusals: {wrong}")
        return
    here.demand(False, f"seat {seat}, action {action} is illegal but was accepted")


def check_clones(here: Walk, rng: Random) -> None:
    """Check that a clone is equal and independent."""
    before = fingerprint(here.state, here.seats)
    twin = here.state.clone()
    here.demand(twin.events is None, "a clone has events")
    here.demand(fingerprint(twin, here.seats) == before, "a clone differs")
    for _ in range(20):
        if twin.over():
            break
        actor, items = random_step(twin, rng)
        if actor != CHANCE:
            twin.apply(actor, items[0])
        elif rng.random() < 0.5:
            twin.apply_draw(items)
        else:
            twin.roll(Dice(rng.getrandbits(32)))
    here.demand(fingerprint(here.state, here.seats) == before, "playing a clone changed its original")


# 2. The record


def check_replay(game: Game, options: Mapping[str, Value], seed: int) -> None:
    """Check that the written record of a match replays to the same match."""
    entries: list[record.Entry] = []
    prints: dict[int, tuple[object, ...]] = {}
    rng = Random(f"replay {seed}")
    draw: Draw | None = None
    here = None
    for here in walk(game, options, seed):
        if here.steps:
            actor, items = here.steps[-1]
            if draw is not None:
                entries += record.drawn(game, draw, items, entries)
            else:
                entries.append(record.Acted(actor, (game.actions.name(items[0]),)))
        draw = here.state.awaiting()
        if rng.random() < 0.02 or here.state.over():
            prints[len(entries)] = fingerprint(here.state, here.seats)
    assert here is not None
    entries.append(record.Result(tuple(here.state.scores())))
    whole = record.Record(game.name, game.rules, here.seats, record.spelt(options), entries=entries)
    again = record.read(record.write(whole))
    here.demand(again == whole, "the record does not read back as it was written")
    for upto, expected in prints.items():
        found = fingerprint(record.replay(again, game, upto), here.seats)
        here.demand(found == expected, f"the replay of {upto} entries differs from the match")
    record.replay(again, game)


# 4. Simultaneous answers


def check_commuting(game: Game, options: Mapping[str, Value], seed: int, rate: float) -> None:
    """Check that simultaneous answers have the same effect in any order."""
    rng = Random(f"commuting {seed}")
    for here in walk(game, options, seed):
        waiting = seats_of(here.state.to_act())
        if len(waiting) < 2 or rng.random() >= 2 * rate:
            continue
        answers = {seat: rng.choice(here.state.legal_actions(seat)) for seat in waiting}
        ends: list[tuple[object, ...]] = []
        orders = list(permutations(waiting))
        for order in rng.sample(orders, min(len(orders), 6)):
            twin = here.state.clone()
            for seat in order:
                legal = twin.legal_actions(seat)
                words = (
                    f"seat {seat} may no longer {game.actions.name(answers[seat])!r} after others: {order}"
                )
                here.demand(answers[seat] in legal, words)
                twin.apply(seat, answers[seat])
            ends.append(fingerprint(twin, here.seats))
            here.demand(ends[-1] == ends[0], f"the order of answers matters: {order} of {answers}")


# 5. Sampling


def check_sample(game: Game, options: Mapping[str, Value], seed: int, rate: float) -> None:
    """Check that a sampled state has the view it was sampled from, and can be played to its end."""
    rng = Random(f"sample {seed}")
    for here in walk(game, options, seed):
        if rng.random() >= rate and not here.state.over():
            continue
        for seat in range(here.seats):
            view = here.state.view(seat)
            expected = (view.seat, view.to_act, view.legal, view.facts())
            state = game.sample(view, rng)
            found = seen(state, seat)
            here.demand(found == expected, f"a state sampled for seat {seat} has a different view")
            here.demand(seen(here.state, seat) == expected, f"sampling for seat {seat} changed its view")
            play_out(state, Dice(rng.getrandbits(32)))


# 6. Names, options, results, bots


def check_names(game: Game) -> None:
    """Check that actions, items of draws and options are parsed back from their text."""
    names = [game.actions.name(action) for action in range(len(game.actions))]
    _demand(game, len(set(names)) == len(names), "two actions have the same name")
    for action, name in enumerate(names):
        _demand(game, game.actions.parse(name) == action, f"action {name!r} does not parse back")
    for text in ("", "no such action"):
        _refused(game, partial(game.actions.parse, text), f"the action {text!r} was accepted")
        _refused(game, partial(game.parse_draw, text), f"the item {text!r} was accepted")
    defaults = game.options.read({})
    for table in (game.options, game.table_options):
        for name, option in table.options.items():
            _demand(game, option.read(spell(option.default)) == option.default, f"default of option {name}")
    rng = Random(game.name)
    for _ in range(20):
        values = random_options(game, rng)
        again = game.options.read({name: spell(value) for name, value in values.items()})
        _demand(game, again == values, f"options do not read back: {values} as {again}")
    _refused(game, partial(game.options.read, {"no_such_option": 1}), "an unknown option was accepted")
    for seats in game.seats:
        draw = game.new(defaults, seats).awaiting()
        for item in draw.pool if draw is not None else []:
            name = game.draw_name(item)
            _demand(game, game.parse_draw(name) == item, f"item {name!r} does not parse back")


def _demand(game: Game, promise: bool, words: str) -> None:
    if not promise:
        raise Nonconformance(f"{game.name}: {words}")


def _refused(game: Game, call: Callable[[], object], words: str) -> None:
    try:
        call()
    except (RulesError, BadOptions):
        return
    raise Nonconformance(f"{game.name}: {words}")


def check_results(game: Game, options: Mapping[str, Value], seed: int) -> None:
    """Check that payoffs rank the seats like the scores, or always in the opposite order."""
    for here in walk(game, options, seed):
        scores = here.state.scores()
        payoffs = here.state.payoffs()
        here.demand(len(scores) == here.seats == len(payoffs), "scores and payoffs: expected one per seat")
        pairs = [(i, j) for i in range(here.seats) for j in range(here.seats) if scores[i] > scores[j]]
        ups = all(payoffs[i] > payoffs[j] for i, j in pairs)
        downs = all(payoffs[i] < payoffs[j] for i, j in pairs)
        equal = all(
            payoffs[i] == payoffs[j]
            for i in range(here.seats)
            for j in range(here.seats)
            if scores[i] == scores[j]
        )
        here.demand((ups or downs) and equal, f"scores {scores}, payoffs {payoffs}: not the same order")
        if here.state.over():
            places = here.state.places()
            better = all(places[i] <= places[j] for i, j in _pairs(payoffs))
            here.demand(
                better and min(places) >= 1, f"payoffs {payoffs}, places {places}: not the same order"
            )
    sides = game.sides(here.seats)
    seats = sorted(seat for side in sides for seat in side)
    _demand(game, seats == list(range(here.seats)), f"sides {sides}: expected each seat once")


def _pairs(payoffs: Sequence[float]) -> list[tuple[int, int]]:
    """Return the pairs of seats of which the first did better."""
    many = range(len(payoffs))
    return [(i, j) for i in many for j in many if payoffs[i] > payoffs[j]]


def check_bots(game: Game, options: Mapping[str, Value], seed: int, rate: float) -> None:
    """Check that the game's bots and its stand-in choose legal actions."""
    rng = Random(f"bots {seed}")
    bots: dict[str, Bot] = {**game.bots(), "stand-in": game.stand_in()}
    _demand(game, "random" in bots, "there is no bot called random")
    for here in walk(game, options, seed):
        if rng.random() >= rate:
            continue
        for seat in seats_of(here.state.to_act()):
            for name, bot in bots.items():
                view = here.state.view(seat)
                action = bot.choose(view, rng)
                here.demand(action in view.legal, f"seat {seat}: bot {name} chose {action}, not legal")


# 8. Events


def check_events(game: Game, options: Mapping[str, Value], seed: int, rate: float) -> None:
    """Check that views which only hear events stay equal to those of the state."""
    rng = Random(f"events {seed}")
    views: dict[int, View] = {}
    told: list[Event] = []
    for here in walk(game, options, seed):
        if not here.steps:
            views = {seat: here.state.view(seat) for seat in observers(here.seats)}
        for event in here.state.events or []:
            told.append(event)
            for seat, view in views.items():
                if event.heard_by(seat):
                    view.hear(event)
        here.state.events = []
        if rng.random() < rate or here.state.over():
            for seat, view in views.items():
                _check_type(here, view.typed_facts(), (game.view_type,))
                expected = here.state.view(seat).facts()
                words = _difference(view.facts(), expected)
                here.demand(
                    view.facts() == expected, f"the events for seat {seat} give a different view: {words}"
                )
    for event in told:
        plain = event.plain()
        here.demand(isinstance(plain.get("kind"), str), f"an event without a kind: {plain}")
        here.demand(json.loads(json.dumps(plain)) == plain, f"an event is not plain: {plain}")
        _check_type(here, event.fact(), game.event_types)


def _check_type(here: Walk, found: object, declared: Sequence[type]) -> None:
    """Check that *found* is of one of the *declared* types, if there are any, and that its values have the
    declared types.
    """
    here.demand(type(found) in (declared or (dict,)), f"not of a declared type: {found}")
    try:
        again = msgspec.json.decode(msgspec.json.encode(found), type=type(found))
    except msgspec.ValidationError as error:
        here.demand(False, f"not as declared: {error}: {found}")
    else:
        here.demand(again == found, f"not as declared: {found} became {again}")


def _difference(found: Mapping[str, object], expected: Mapping[str, object]) -> str:
    keys = [key for key in {**found, **expected} if found.get(key) != expected.get(key)]
    return ", ".join(f"{key}: {found.get(key)} for {expected.get(key)}" for key in keys)
