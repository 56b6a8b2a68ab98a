"""Information-set search: one bot for every game, from what a seat may know alone.

A decision is searched in worlds: states that the seat cannot tell from the real one (`Game.sample`). Every
simulation plays one of them to the end of the deal, first along a tree that all worlds share, then by the
game's own quick policy. The tree branches by what the seat could hear: a node is an action of a seat, with
the payoffs that seat got from it, and a choice is judged by how often it was open at all, for what another
may do depends on the world (single-observer information-set Monte Carlo tree search). What stays hidden
when it is done (`State.hidden`) is left to the policy and has no node.

Two things make few simulations go far. Beyond the seat's own decision a node grows only by what the policy
does there, so that visits are not spent on every silly card of everybody; and the word of the game's adviser,
a heuristic, counts as some visits.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import log, sqrt
from random import Random
from typing import Final

from mypy_extensions import i64

from croupier.core.contract import SEAT, Bot, Game, State, View, first_seat
from croupier.core.dice import Dice

EXPLORATION: Final = 0.5
"""The weight of the doubt about a choice, where the values seen so far span 1."""
WORLDS: Final = 24
"""The first so many simulations have a world each; from then on a new one is made once in so many."""
ALONE: Final = 10.0
"""The trust (`Game.trust`) from which on the adviser decides without a search."""
PATIENCE: Final = 16
"""So many simulations are made between two looks at the clock."""
KEPT: Final = 32
"""So many trees wait for the next decision of their seats."""


class Node:
    """One action of one seat, where what came before it leads."""

    def __init__(self, key: i64) -> None:
        self.key: i64 = key
        self.visits: float = 0.0
        self.open: float = 0.0
        """How often it was among the choices."""
        self.total: float = 0.0
        """What its seat got out of all visits."""
        self.first: Node | None = None
        """What may follow, ascending by key, each with the next."""
        self.next: Node | None = None

    def child(self, key: i64) -> Node | None:
        """Return what follows by *key*, if that was ever tried."""
        node = self.first
        while node is not None and node.key < key:
            node = node.next
        return node if node is not None and node.key == key else None

    def grow(self, key: i64) -> Node:
        """Return the new child of *key*."""
        made = Node(key)
        made.open = 1.0
        last: Node | None = None
        after = self.first
        while after is not None and after.key < key:
            last = after
            after = after.next
        made.next = after
        if last is None:
            self.first = made
        else:
            last.next = made
        return made


class Choice:
    """What a search found out about one legal action."""

    def __init__(self, action: int, visits: int, value: float, advised: bool) -> None:
        self.action = action
        self.visits = visits
        self.value = value
        """What the deal is expected to bring the seat from here on, in the game's points as payoffs count
        them; 0 where there were no visits."""
        self.advised = advised
        """Whether the game's adviser would do it."""


class Tree:
    """All that was found out about one decision of *seat*."""

    def __init__(self, seat: i64, barred: list[int]) -> None:
        self.seat: i64 = seat
        self.root = Node(-1)
        self.barred = barred
        """What is legal but not to be chosen now."""
        self.low: float = 0.0
        self.high: float = 0.0
        """The least and the most that anybody got so far: the values are compared on this scale."""
        self.path: list[Node] = []

    def simulate(self, state: State, dice: Dice) -> None:
        """Play *state* to the end of its deal and note what that says."""
        before = state.payoffs()
        deal = state.deal()
        self.path = []
        node = self.root
        while True:
            seat = self.turn(state, deal, dice)
            if seat < 0:
                break
            if seat != self.seat and state.hidden(seat):
                state.apply(int(seat), int(state.policy(seat, dice)))
                continue
            node = self.descend(node, state, seat, dice)
            self.path.append(node)
            state.apply(int(seat), int(node.key % SEAT))
            if node.visits == 0.0:
                break
        while True:
            seat = self.turn(state, deal, dice)
            if seat < 0:
                break
            state.apply(int(seat), int(state.policy(seat, dice)))
        self.note(before, state.payoffs())

    def turn(self, state: State, deal: int, dice: Dice) -> i64:
        """Let chance have its turn, and return who acts then, or -1 when the deal is over."""
        while True:
            waiting: i64 = state.to_act()
            if waiting != 0:
                return self.seat if waiting >> self.seat & 1 else first_seat(waiting)
            if state.over() or state.deal() != deal:
                return -1
            state.roll(dice)

    def descend(self, node: Node, state: State, seat: i64, dice: Dice) -> Node:
        """Return what *seat* tries next: something new if there is, else what promises most."""
        if node is not self.root:
            key = seat * SEAT + state.policy(seat, dice)
            if node.child(key) is None:
                return node.grow(key)
        many = state.choices(seat)
        at = node.first
        best: Node | None = None
        most: float = -1e300
        fresh: i64 = 0
        fresh_key: i64 = -1
        scale: float = EXPLORATION * (self.high - self.low)
        k: i64 = 0
        while k < many:
            key = seat * SEAT + state.choice(seat, k)
            k += 1
            while at is not None and at.key < key:
                at = at.next
            if at is None or at.key != key:
                if node is self.root and not (self.barred and int(key % SEAT) in self.barred):
                    fresh += 1
                    if dice.below(fresh) == 0:
                        fresh_key = key
                continue
            at.open += 1.0
            worth: float = at.total / at.visits + scale * sqrt(log(at.open) / at.visits)
            if worth > most:
                most = worth
                best = at
        if fresh_key >= 0:
            return node.grow(fresh_key)
        assert best is not None, "somebody to act has nothing to do"
        return best

    def note(self, before: list[float], after: list[float]) -> None:
        """Add what a simulation brought to every choice on its path."""
        gains: list[float] = []
        for seat in range(len(after)):
            gain = after[seat] - before[seat]
            gains.append(gain)
            if gain < self.low:
                self.low = gain
            if gain > self.high:
                self.high = gain
        for node in self.path:
            node.visits += 1.0
            node.total += gains[int(node.key // SEAT)]


class SearchBot(Bot):
    """Decides by a search of so many *simulations*.

    What it found out about a decision helps with the next one of the same seat in the same deal, so the same
    answers come from the same questions in the same order.
    """

    searches: bool = True

    def __init__(self, game: Game, simulations: int) -> None:
        self.game = game
        self.simulations = simulations
        self.adviser = game.adviser()
        self.kept: dict[tuple[object, ...], tuple[list[int], Tree]] = {}

    def choose(self, view: View, rng: Random) -> int:
        """Return the action that most simulations took."""
        return self.choose_within(view, rng, -1.0)

    def choose_within(
        self, view: View, rng: Random, seconds: float, stop: Callable[[], bool] | None = None
    ) -> int:
        """Choose after *seconds* at the latest (less than 0: never mind), or when *stop* says so."""
        legal = self.legal(view)
        if len(legal) == 1:
            return legal[0]
        trust = self.game.trust(view)
        if self.adviser is not None and trust >= ALONE:
            return self.adviser.choose(view, rng)
        found = self.values(view, rng, seconds, stop)
        visits = 0
        for one in found:
            visits += one.visits
        credit = trust * sqrt(visits)
        best = found[0]
        most = -1.0
        for one in found:
            worth = one.visits + credit if one.advised else float(one.visits)
            if worth > most or (worth == most and one.value > best.value):
                most = worth
                best = one
        return best.action

    def values(
        self, view: View, rng: Random, seconds: float = -1.0, stop: Callable[[], bool] | None = None
    ) -> list[Choice]:
        """Return what a search finds out about every legal action, ascending by action."""
        tree = self.tree(view)
        dice = Dice(rng.getrandbits(62))
        until = time.monotonic() + seconds if seconds >= 0.0 else 0.0
        worlds: list[State] = []
        done = 0
        while done < self.simulations:
            if done < WORLDS or done % WORLDS == 0:
                worlds.append(self.game.sample(view, rng))
            tree.simulate(worlds[done % len(worlds)].clone(), dice)
            done += 1
            if done % PATIENCE == 0:
                if stop is not None and stop():
                    break
                if seconds >= 0.0 and time.monotonic() >= until:
                    break
        advised = self.adviser.choose(view, rng) if self.adviser is not None else -1
        found: list[Choice] = []
        for action in self.legal(view):
            node = tree.root.child(view.seat * SEAT + action)
            if node is None or node.visits == 0.0:
                found.append(Choice(action, 0, 0.0, action == advised))
            else:
                found.append(Choice(action, int(node.visits), node.total / node.visits, action == advised))
        return found

    def tree(self, view: View) -> Tree:
        """Return the tree of this decision: what an earlier one knows of it, or a new one."""
        legal = self.legal(view)
        tree = Tree(view.seat, [action for action in view.legal if action not in legal])
        trail = self.game.trail(view)
        if trail is None:
            return tree
        kept = self.kept.pop(trail.origin, None)
        if kept is not None:
            steps, old = kept
            node: Node | None = old.root if trail.steps[: len(steps)] == steps else None
            for key in trail.steps[len(steps) :]:
                if node is not None:
                    node = node.child(key)
            if node is not None:
                tree.root = node
                tree.low = old.low
                tree.high = old.high
        while len(self.kept) >= KEPT:
            del self.kept[next(iter(self.kept))]
        self.kept[trail.origin] = (trail.steps, tree)
        return tree

    def legal(self, view: View) -> list[int]:
        """Return what may be chosen: not what only a clock may do, and no retreat where there is a way on."""
        reserved = self.game.reserved()
        legal = [action for action in view.legal if action not in reserved]
        retreats = self.game.retreats()
        onward = [action for action in legal if action not in retreats]
        return onward if onward else legal

    def forget(self) -> None:
        """Drop what is kept for the next decisions."""
        self.kept = {}
