"""The interface between games and tables, wires, bots and training environments.

A game is a `Game` in the registry. It creates a `State`: one match from the first deal to the last score. A
state is deterministic: decisions come in through `apply`, chance through `apply_draw`. Two types go outward.
An `Event` is a fact with the seats that may learn it; a `View` is everything that one seat may know. A view
that hears every event addressed to its seat stays equal to `State.view`. Wires, pages, bots and records are
functions of these two; none of them sees a state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import ClassVar, Final, TypeAlias

import msgspec
from mypy_extensions import i64, mypyc_attr

from croupier.core.cards import bit, lowest
from croupier.core.dice import Dice
from croupier.core.hidden import Odds
from croupier.core.layout import Writer
from croupier.core.options import OptionTable, Preset, Value
from croupier.core.refusal import HOUSE, Arguments, key_of, misused, placeholders

CHANCE: Final = -1
WATCHER: Final = -2
SMALL: Final = 62
"""A set holds numbers below this."""
PUBLIC: Final = -1
"""The audience of a fact that everyone may learn, including watchers."""

Plain: TypeAlias = dict[str, object]
"""The content of messages: strings, numbers, booleans, and lists and dictionaries of them."""


def as_plain(declared: object) -> Plain:
    """Return the content of a declared type as plain data."""
    plain: Plain = msgspec.to_builtins(declared)
    return plain


class RulesError(ValueError):
    """The caller asked for something that the rules do not allow."""


class IllegalAction(RulesError):
    """The action exists, but this seat may not do it now: a reason (core/refusal.py) and English words."""

    def __init__(self, reason: str, words: str, arguments: Arguments | None = None) -> None:
        super().__init__(words)
        self.reason = reason
        self.key = key_of(reason)
        """What wires turn into the code of their protocol."""
        self.arguments: Arguments = arguments or {}
        self.action = -1
        """The refused action, if several were tried together."""


class BadDraw(RulesError):
    """An outcome that chance cannot produce."""


class ActionTable:
    """All actions of a game, numbered: verbs with their arguments."""

    def __init__(self, verbs: list[tuple[str, list[str]]]) -> None:
        self.names: list[str] = []
        self.start: dict[str, int] = {}
        self.codes: dict[str, int] = {}
        for verb, arguments in verbs:
            self.start[verb] = len(self.names)
            for argument in arguments or [""]:
                self.names.append(f"{verb} {argument}".rstrip())
        for code, name in enumerate(self.names):
            self.codes[name] = code

    def __len__(self) -> int:
        return len(self.names)

    def name(self, action: int) -> str:
        """Return the name of *action*, as used in records and the house protocol."""
        return self.names[action]

    def parse(self, text: str) -> int:
        """Return the number of the action called *text*."""
        code = self.codes.get(text)
        if code is None:
            raise RulesError(f"unknown action {text!r}: expected one like {self.names[0]!r}")
        return code


class Refusals:
    """The refusals of a game's rules: for each reason (core/refusal.py) a template of English words.

    The words of a refusal begin with the name of the action, which is not part of the template.
    """

    def __init__(self, actions: ActionTable, templates: dict[str, str]) -> None:
        self.actions = actions
        self.templates = templates

    def of(self, reason: str, action: int, arguments: Arguments | None = None) -> IllegalAction:
        """Return the refusal of *action*; a reason without a template here has one in `HOUSE`.

        It keeps those of the *arguments* that its words mention.
        """
        given = arguments or {}
        template = self.templates.get(reason, HOUSE.get(reason, ""))
        if misused(self.templates, reason, given):  # a fault of the game, which its tests report
            template = reason
        used = {name: given[name] for name in placeholders(template)}
        return IllegalAction(reason, f"{self.actions.name(action)}: {template.format_map(used)}", used)

    def unknown(self, action: int) -> IllegalAction:
        """Return the refusal of a number that is not an action."""
        given: Arguments = {"number": action, "last": len(self.actions) - 1}
        return IllegalAction("unknown_action", HOUSE["unknown_action"].format_map(given), given)


class Draw:
    """A draw that the rules wait for: *take* items of *pool*, with or without replacement."""

    def __init__(self, pool: list[int], take: int, replace: bool = False) -> None:
        self.pool = pool
        self.take = take
        self.replace = replace

    def check(self, outcome: list[int]) -> None:
        """Raise BadDraw unless *outcome* is possible."""
        if len(outcome) != self.take:
            raise BadDraw(f"{len(outcome)} items drawn: expected {self.take}")
        if not self.replace and self._distinct(outcome):
            return
        left: dict[int, int] = {}
        for item in self.pool:
            left[item] = left.get(item, 0) + 1
        for item in outcome:
            if left.get(item, 0) == 0:
                raise BadDraw(f"{item} drawn: it is not in the pool or was drawn before")
            if not self.replace:
                left[item] -= 1

    def _distinct(self, outcome: list[int]) -> bool:
        """Return True if the items of *outcome* are distinct, in the pool, and below `SMALL`."""
        pool: i64 = 0
        for item in self.pool:
            if 0 <= item < SMALL:
                pool |= bit(item)
        for item in outcome:
            if not 0 <= item < SMALL or not pool & bit(item):
                return False
            pool &= ~bit(item)
        return True


@mypyc_attr(allow_interpreted_subclasses=True)
class Event:
    """A fact and the seats that may learn it: bit ``s`` of *audience* is seat ``s``, or PUBLIC."""

    starts_deal: bool
    """A deal begins: a returning seat is told everything from here on."""
    opens: bool
    """A new game of the match begins: timeouts and errors are counted from zero again."""
    rests: bool
    """A game of the match has ended: the table may wait here until it is started again."""

    def __init__(self, audience: int) -> None:
        self.audience = audience
        self.starts_deal = False
        self.opens = False
        self.rests = False

    def heard_by(self, seat: int) -> bool:
        """Return whether *seat* (or WATCHER) may learn this."""
        if seat < 0:
            return self.audience == PUBLIC
        return self.audience >> seat & 1 == 1

    def fact(self) -> object:
        """Return the fact for the house protocol: a ``kind`` and its values as words.

        It is one of `Game.event_types`; a game that declares none overrides `plain` instead.
        """
        return self.plain()

    def plain(self) -> Plain:
        """Return the fact as plain data."""
        return as_plain(self.fact())


@mypyc_attr(allow_interpreted_subclasses=True)
class View:
    """Everything that one seat may know."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.to_act: int = 0
        """The seats that have to decide, as far as this seat may know."""
        self.legal: list[int] = []

    def hear(self, event: Event) -> None:
        """Process an event addressed to this seat (updates everything except `to_act` and `legal`)."""
        raise NotImplementedError

    def typed_facts(self) -> object:
        """Return everything known except `to_act` and `legal`, as words, for the house protocol.

        It is a `Game.view_type`; a game that declares none overrides `facts` instead.
        """
        return self.facts()

    def facts(self) -> Plain:
        """Return what is known as plain data."""
        return as_plain(self.typed_facts())


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """One match, from the first deal to the last score. Deterministic; no I/O, no clock."""

    def __init__(self) -> None:
        self.events: list[Event] | None = None
        """A list that collects events, or None: searches leave it None and no events are created."""

    def to_act(self) -> int:
        """Return the seats that have to decide, as a bit mask; they may answer in any order."""
        raise NotImplementedError

    def awaiting(self) -> Draw | None:
        """Return the draw that must be made before a seat can act, or None."""
        raise NotImplementedError

    def over(self) -> bool:
        """Return whether the match has ended."""
        raise NotImplementedError

    def legal_actions(self, seat: int) -> list[int]:
        """Return the legal actions of *seat*, ascending; empty if it is not to act."""
        raise NotImplementedError

    def apply(self, seat: int, action: int) -> None:
        """Do *action*, or raise the error that `why_not` returns and change nothing."""
        raise NotImplementedError

    def apply_draw(self, outcome: list[int]) -> None:
        """Apply the outcome of the awaited draw, or raise BadDraw and change nothing."""
        raise NotImplementedError

    def view(self, seat: int) -> View:
        """Return everything that *seat* (or WATCHER) may know now."""
        raise NotImplementedError

    def to_act_for(self, seat: int) -> int:
        """Return `to_act` as far as *seat* (or WATCHER) may know it: it may be secret who is asked."""
        return self.view(seat).to_act

    def question(self, seat: int) -> int:
        """Return a number that stays the same while *seat*'s actions form one decision.

        For example, passing three cards is one decision. By default (-1) every action is a decision of its
        own.
        """
        return -1

    def why_not(self, seat: int, action: int) -> IllegalAction:
        """Return the refusal of an illegal action, for the first broken rule."""
        raise NotImplementedError

    def deal(self) -> int:
        """Return the number of finished deals (or rounds)."""
        raise NotImplementedError

    def scores(self) -> list[int]:
        """Return the match score in the game's own points."""
        raise NotImplementedError

    def payoffs(self) -> list[float]:
        """Return the value of the result so far for every seat; higher is always better.

        Bots maximise it, training uses it as reward, tournaments and reviews count it. By default it is the
        difference between a seat's score and the mean score.
        """
        scores = self.scores()
        mean = sum(scores) / len(scores)
        return [score - mean for score in scores]

    def places(self) -> list[int]:
        """Return the places in a finished match: 1 is best, ties share a place."""
        payoffs = self.payoffs()
        return [1 + sum([other > own for other in payoffs]) for own in payoffs]

    def conclude(self, present: int) -> None:
        """End the match here because *present* is the only seat left; events announce the result.

        Called only in games whose pace limits how long a lone player waits.
        """
        raise NotImplementedError

    def clone(self) -> State:
        """Return an independent copy without events."""
        raise NotImplementedError

    # For compiled loops. A game overrides these four with masks, so that a playout creates no lists.

    def choices(self, seat: i64) -> i64:
        """Return how many legal actions *seat* has."""
        return len(self.legal_actions(int(seat)))

    def choice(self, seat: i64, k: i64) -> i64:
        """Return the *k*-th legal action of *seat* in ascending order."""
        return self.legal_actions(int(seat))[int(k)]

    def any_action(self, seat: i64, dice: Dice) -> i64:
        """Return a random legal action of *seat*, uniformly distributed."""
        return self.choice(seat, dice.index(self.choices(seat)))

    def roll(self, dice: Dice) -> None:
        """Make the awaited draw from *dice*."""
        draw = self.awaiting()
        assert draw is not None, "no draw is due"
        self.apply_draw(sample(draw, dice))

    # For environments. A game overrides these two with words of bits, so that a step creates no lists.

    def write_legal(self, seat: i64, out: Writer) -> None:
        """Write the set of the legal actions of *seat*."""
        after: i64 = 0
        k: i64 = 0
        many = self.choices(seat)
        while k < many:
            action = self.choice(seat, k)
            out.skip(action - after)
            out.put(1, 1)
            after = action + 1
            k += 1

    def observe(self, seat: i64, out: Writer) -> bool:
        """Write what the game's encoding writes for the view of *seat*, without creating a view.

        Return False if there is no such short cut: then the view is encoded.
        """
        return False

    # For searches. All have working defaults; a game overrides them if that is worthwhile.

    def policy(self, seat: i64, dice: Dice) -> i64:
        """Return an action of *seat* in a playout; by default a random legal one."""
        return self.any_action(seat, dice)

    def play_on(self, dice: Dice) -> None:
        """Make several of the next decisions of this deal with `policy`, if that is faster than one by one;
        by default none.
        """

    def hidden(self, seat: i64) -> bool:
        """Return whether the others do not learn what *seat* decides now, or only after their own
        decision."""
        return False


def sample(draw: Draw, dice: Dice) -> list[int]:
    """Return an outcome of *draw* from *dice*."""
    left = draw.pool[:]
    out: list[int] = []
    for _ in range(draw.take):
        i = int(dice.below(len(left)))
        out.append(left[i])
        if not draw.replace:
            left[i] = left[len(left) - 1]
            left.pop()
    return out


def first_seat(mask: i64) -> i64:
    """Return the lowest seat of a non-empty mask."""
    one = mask & -mask
    if one <= 8:
        return (one >> 1) - (one >> 3)
    return lowest(one)


def turns(state: State, dice: Dice) -> Iterator[int]:
    """Yield the seat that decides next until the match is over; draws come from *dice*.

    The seat must act before the next step. If several seats have to decide, it is the lowest of them.
    """
    while True:
        waiting: i64 = state.to_act()
        if waiting != 0:
            yield int(first_seat(waiting))
        elif state.over():
            return
        else:
            state.roll(dice)


def play_out(state: State, dice: Dice) -> int:
    """Finish the match at random and return the number of decisions."""
    steps: i64 = 0
    while True:
        waiting: i64 = state.to_act()
        if waiting == 0:
            if state.over():
                break
            state.roll(dice)
            continue
        seat = first_seat(waiting)
        state.apply(int(seat), int(state.any_action(seat, dice)))
        steps += 1
    return int(steps)


@mypyc_attr(allow_interpreted_subclasses=True)
class Bot:
    """Chooses actions from a view only. Dummies, heuristics, searches and stand-ins are bots."""

    searches: ClassVar[bool] = False
    """True if its decisions take long: a server runs such a bot outside its event loop."""

    def choose(self, view: View, rng: Random) -> int:
        """Return one of ``view.legal``."""
        raise NotImplementedError

    def choose_at(self, state: State, seat: int, rng: Random) -> int:
        """Return what `choose` returns for the view of *seat*, for compiled loops.

        A bot overrides it if it needs no view; it must not use more of *state* than the view contains.
        """
        return self.choose(state.view(seat), rng)


class RandomBot(Bot):
    """Plays a random legal action, uniformly distributed."""

    def choose(self, view: View, rng: Random) -> int:
        return view.legal[rng.randrange(len(view.legal))]


@mypyc_attr(allow_interpreted_subclasses=True)
class Pace:
    """The pauses and time limits of a table in seconds, as set by its options."""

    def before(self, event: Event) -> float:
        """Return the pause between the previous event and *event*."""
        return 0.0

    def limit(self, view: View, person: bool) -> float:
        """Return the time limit for the seat of *view*; 0 means none."""
        return 0.0

    def counts(self, view: View) -> bool:
        """Return whether a timeout of the seat of *view* is counted."""
        return True

    def rest(self) -> float:
        """Return the pause after a game of a match if the next one starts automatically."""
        return 0.0

    def begin(self, people: bool) -> None:
        """Note that a match begins, and whether a person plays in it."""

    def floor(self, event: Event) -> float:
        """Return the minimum time between the last public event and *event*.

        Unlike a pause, it includes the time a player has used: if it is secret who is asked, the time must
        not reveal it.
        """
        return 0.0

    def thinking(self, view: View) -> float:
        """Return how long a bot takes for the decision of *view*."""
        return 0.0

    def warning(self) -> float:
        """Return how long before a timeout the seat is warned; 0 means never."""
        return 0.0

    # Absence. A stand-in decides without delay for a seat that is *away*, until its player returns.

    def absence(self) -> float:
        """Return how long a connection may be lost before its seat is away; 0 means that the seat is away
        from its next decision on, a negative number that it never is.
        """
        return -1.0

    def autos(self, connected: bool) -> int:
        """Return after how many consecutive timeouts a seat is away; 0 means never."""
        return 0

    def absence_bot(self, connected: bool) -> str:
        """Return the name of the bot that decides for an absent seat; empty for the stand-in."""
        return ""

    def quitting_aborts(self) -> bool:
        """Return whether a match is aborted when a player leaves it; if not, a bot takes over."""
        return False

    def abandonment(self) -> float:
        """Return how long a match continues without any player; a negative number means an hour."""
        return -1.0

    def solitude(self) -> float:
        """Return how long a match continues with one player present; a negative number means without limit.

        After that `State.conclude` ends it.
        """
        return -1.0

    def filling(self) -> float:
        """Return how long to wait for another player before bots take the free seats; a negative number means
        that they never do.
        """
        return -1.0


@mypyc_attr(allow_interpreted_subclasses=True)
class Game:
    """A game in the registry."""

    name: ClassVar[str]
    title: ClassVar[str]
    rules: ClassVar[str]
    """The version of the rules; stored in records."""
    seats: ClassVar[Sequence[int]]
    """The possible numbers of seats in a match."""
    actions: ClassVar[ActionTable]
    options: ClassVar[OptionTable]
    """Options that change the rules of a match; stored in records."""
    table_options: ClassVar[OptionTable]
    """Options that change the clocks, pauses and wire of a table, never the rules."""
    event_types: ClassVar[Sequence[type]] = ()
    """The declared type of every kind of event; empty if the game declares none."""
    view_type: ClassVar[type] = dict
    """The declared type of what a view knows."""
    body_types: ClassVar[Sequence[type]] = ()
    """The declared types of the bodies of its own HTTP routes."""

    # Everything else that the server knows about a game. Every part is optional.

    protocol: ClassVar[object] = None
    """Its published protocol, a `croupier.wire.protocol.Protocol`; without one it has the house protocol
    only."""
    presets: ClassVar[Sequence[Preset]] = ()
    """Option sets for people; the first one is the default."""
    short: ClassVar[Mapping[str, Value]] = {}
    """Options for a match of about one deal."""
    clocks: ClassVar[Sequence[str]] = ()
    """The table options with the time limits of a decision."""
    person_clocks: ClassVar[Sequence[str]] = ()
    """The same for people, if theirs differ from those of programs."""
    for_people: ClassVar[Mapping[str, Value]] = {}
    """Table options at tables with people: pauses that let them follow."""
    refusals: ClassVar[Mapping[str, str]] = {}
    """Why its rules refuse actions: English words by reason (core/refusal.py), with ``{named}`` arguments."""
    page: ClassVar[Mapping[str, str]] = {}
    """How pages and terminals find the parts of the table in the facts of a view: role to name, if they
    differ. Roles: phase, deal, hand, counts, table, leader, last, last_leader, last_taker, bids, taken,
    deals, totals."""
    penalties: ClassVar[bool] = False
    """True if pages show scores as penalty points, which the players try to avoid."""
    commands: ClassVar[Mapping[str, Sequence[str]]] = {}
    """Subcommands by name: module, function and one line of help."""
    http: ClassVar[str] = ""
    """The module with its HTTP routes: ``routes(house)``."""
    pages: ClassVar[Sequence[str]] = ()
    """Paths of further pages in the browser."""

    def preset(self) -> Mapping[str, Value]:
        """Return the options of the default preset."""
        return self.presets[0].options if self.presets else {}

    def limits(self, seconds: float, person: bool = False) -> dict[str, Value]:
        """Return the table options for a time limit of *seconds*, within their ranges."""
        found: dict[str, Value] = {}
        for name in (self.person_clocks or self.clocks) if person else self.clocks:
            option = self.table_options.options[name]
            units = round(seconds * (1000 if option.unit == "ms" else 1))
            found[name] = min(max(units, option.low, 1), option.high)
        return found

    def reserved(self) -> Sequence[int]:
        """Return the actions that only the clock may take; they are never offered."""
        return ()

    def retreats(self) -> Sequence[int]:
        """Return the actions that only undo what a seat has begun; a search avoids them if it can."""
        return ()

    def rematch(self, options: Mapping[str, Value], state: State) -> Mapping[str, Value]:
        """Return the options of the match that follows *state* at the same table."""
        return options

    def new(self, options: Mapping[str, Value], seats: int) -> State:
        """Return the start of a match; *options* come from ``self.options.read``."""
        raise NotImplementedError

    def sample(self, view: View, rng: Random) -> State:
        """Return a state that the seat of *view* cannot distinguish from the real one (for search)."""
        raise NotImplementedError

    def sample_by(self, view: View, rng: Random, odds: Odds) -> State:
        """Return such a state, weighted by how likely the seat considers each holder of each hidden card."""
        return self.sample(view, rng)

    def sides(self, seats: int) -> list[list[int]]:
        """Return the sides that win and lose together in every match; by default each seat plays alone."""
        return [[seat] for seat in range(seats)]

    def draw_name(self, item: int) -> str:
        """Return the name of an item of a draw (a card, a die), as used in records."""
        return str(item)

    def parse_draw(self, text: str) -> int:
        """Return the item called *text* by `draw_name`."""
        if not text.isascii() or not text.isdigit():
            raise RulesError(f"unknown item {text!r}: expected a number")
        return int(text)

    def bots(self) -> Mapping[str, Bot]:
        """Return the bots of this game, weakest first, including ``random``."""
        return {"random": RandomBot()}

    def adviser(self) -> Bot | None:
        """Return the bot whose choice a search prefers initially, if there is a useful one."""
        return self.bots().get("heuristic")

    def trust(self, view: View) -> float:
        """Return how much a search trusts its adviser here, compared with about 10 for its own results.

        Bids and calls get more, because playouts say little about them; at 10 or more the adviser decides
        alone.
        """
        return 0.5

    def reasons(self, view: View) -> list[Plain]:
        """Return facts that matter for the next decision of this seat, for the coach (core/reasons.py)."""
        return []

    def stand_in(self) -> Bot:
        """Return the bot that decides for a seat that does not answer: the default action of the spec."""
        return RandomBot()

    def pace(self, options: Mapping[str, Value]) -> Pace:
        """Return the clocks of a table; *options* come from ``self.table_options.read``."""
        return Pace()
