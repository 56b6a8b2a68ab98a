"""Hypothesis strategies: options of a game, matches in progress, byte streams cut into pieces; and how many
examples a test tries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from hypothesis import settings
from hypothesis import strategies as st

from croupier.core.contract import CHANCE, Game
from croupier.core.options import Option, Value
from croupier.testing.walks import Walk, seats_of


def examples(many: int) -> settings:
    """Let a test try *many* examples in `make test`, and fewer or more with other profiles."""
    return settings(max_examples=max(5, many * settings().max_examples // 100))


def values(option: Option) -> st.SearchStrategy[Value]:
    """Any value of *option*; free text keeps its default."""
    kind = option.kind()
    if kind == "switch":
        return st.booleans()
    if kind == "number" and option.choices:
        return st.sampled_from([int(choice) for choice in option.choices])
    if kind == "number":
        numbers = st.integers(option.low, option.high)
        return st.just(0) | numbers if option.or_zero else numbers
    if kind == "list" and option.choices:
        items = st.sampled_from(option.choices)
        return st.lists(items, min_size=max(option.low, 1), max_size=option.high or 8)
    return st.sampled_from(option.choices) if option.choices else st.just(option.default)


def options(
    game: Game, fixed: Mapping[str, Value] = MappingProxyType({})
) -> st.SearchStrategy[dict[str, Value]]:
    """Options of *game* as returned by ``game.options.read``; *fixed* ones do not vary."""
    table = game.options.options
    return st.fixed_dictionaries(
        {name: st.just(fixed[name]) if name in fixed else values(option) for name, option in table.items()}
    )


@st.composite
def walks(
    draw: st.DrawFn, game: Game, steps: int = 100, fixed: Mapping[str, Value] = MappingProxyType({})
) -> Walk:
    """A match of *game* after up to *steps* steps, with all choices and draws made by hypothesis."""
    chosen = draw(options(game, fixed))
    seats = draw(st.sampled_from(list(game.seats)))
    here = Walk(game, chosen, seats, 0, game.new(chosen, seats))
    for _ in range(draw(st.integers(0, steps))):
        state = here.state
        if state.over():
            break
        due = state.awaiting()
        if due is None:
            seat = draw(st.sampled_from(seats_of(state.to_act())))
            here.take((seat, [draw(st.sampled_from(state.legal_actions(seat)))]))
        elif due.replace:
            here.take((CHANCE, [draw(st.sampled_from(due.pool)) for _ in range(due.take)]))
        else:
            here.take((CHANCE, list(draw(st.permutations(due.pool)))[: due.take]))
    return here


@st.composite
def cuts(draw: st.DrawFn, stream: bytes) -> Sequence[bytes]:
    """The bytes of *stream*, cut into pieces as a network might do."""
    places = draw(st.lists(st.integers(0, len(stream)), max_size=8).map(sorted))
    return [stream[start:end] for start, end in zip([0, *places], [*places, len(stream)], strict=True)]
