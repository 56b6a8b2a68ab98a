"""What every game promises to tables, wires, bots and training environments.

A game is a `Game` in the registry. It makes a `State`, one match from the first deal to the last
score, which is deterministic: decisions come in through `apply`, chance through `apply_draw`. Two
types go outward. An `Event` is a fact with the seats that may learn it; a `View` is all that one
seat may know, and a view that hears every event addressed to its seat stays equal to `State.view`.
Wires, pages, bots and records are functions of these two; none of them sees a state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final, TypeAlias

from mypy_extensions import i64, mypyc_attr

from croupier.core.dice import Dice
from croupier.core.options import OptionTable, Value

CHANCE: Final = -1
WATCHER: Final = -2
PUBLIC: Final = -1
"""The audience of a fact that everybody may learn, watchers included."""

Plain: TypeAlias = dict[str, object]
"""What goes into a message: strings, numbers, booleans, lists and dictionaries of them."""


class RulesError(ValueError):
    """The caller asked for something the rules do not have."""


class IllegalAction(RulesError):
    """The action exists, but not for this seat now: a key for wires, words for people."""

    def __init__(self, key: str, words: str) -> None:
        super().__init__(words)
        self.key = key


class BadDraw(RulesError):
    """Chance could not have produced this outcome."""


class ActionTable:
    """The game's whole vocabulary, numbered once: verbs with their arguments."""

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
        """Return the words for *action*, as records and the house protocol spell them."""
        return self.names[action]

    def parse(self, text: str) -> int:
        """Return the number of the action spelt *text*."""
        code = self.codes.get(text)
        if code is None:
            raise RulesError(f"unknown action {text!r}: expected one like {self.names[0]!r}")
        return code


class Draw:
    """What the rules wait for: *take* items of *pool*, with or without putting back."""

    def __init__(self, pool: list[int], take: int, replace: bool = False) -> None:
        self.pool = pool
        self.take = take
        self.replace = replace

    def check(self, outcome: list[int]) -> None:
        """Raise BadDraw unless chance could have produced *outcome*."""
        if len(outcome) != self.take:
            raise BadDraw(f"{len(outcome)} items drawn: expected {self.take}")
        left: dict[int, int] = {}
        for item in self.pool:
            left[item] = left.get(item, 0) + 1
        for item in outcome:
            if left.get(item, 0) == 0:
                raise BadDraw(f"{item} drawn: it is not in the pool or was drawn before")
            if not self.replace:
                left[item] -= 1


@mypyc_attr(allow_interpreted_subclasses=True)
class Event:
    """A fact and the seats that may learn it: bit ``s`` of *audience* is seat ``s``, or PUBLIC."""

    starts_deal: bool
    """A deal begins: a seat that comes back is told everything from here on."""
    opens: bool
    """A new game of the match begins: counts of late and wrong answers start again."""
    rests: bool
    """A game of the match has ended: the table may rest here until it is started again."""

    def __init__(self, audience: int) -> None:
        self.audience = audience
        self.starts_deal = False
        self.opens = False
        self.rests = False

    def heard_by(self, seat: int) -> bool:
        """Say whether *seat* (or WATCHER) may learn this."""
        if seat < 0:
            return self.audience == PUBLIC
        return self.audience >> seat & 1 == 1

    def plain(self) -> Plain:
        """Return the fact for the house protocol: a ``kind`` and its values as words."""
        raise NotImplementedError


@mypyc_attr(allow_interpreted_subclasses=True)
class View:
    """All that one seat may know."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.to_act: int = 0
        """The seats that owe a decision, as far as this seat may know."""
        self.legal: list[int] = []

    def hear(self, event: Event) -> None:
        """Take in an event addressed to this seat (everything but `to_act` and `legal`)."""
        raise NotImplementedError

    def facts(self) -> Plain:
        """Return all that is known but `to_act` and `legal`, as words, for the house protocol."""
        raise NotImplementedError


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """One match, from the first deal to the last score. Deterministic; no I/O, no clock."""

    def __init__(self) -> None:
        self.events: list[Event] | None = None
        """Filled while it is a list; searches leave it None and nothing is written."""

    def to_act(self) -> int:
        """Return the seats that owe a decision, as a bit mask; any of them may answer first."""
        raise NotImplementedError

    def awaiting(self) -> Draw | None:
        """Return the draw that must come before anyone can act, if one must."""
        raise NotImplementedError

    def over(self) -> bool:
        """Say whether the match has ended."""
        raise NotImplementedError

    def legal_actions(self, seat: int) -> list[int]:
        """Return what *seat* may do now, ascending; empty when it is not to act."""
        raise NotImplementedError

    def apply(self, seat: int, action: int) -> None:
        """Do *action*, or raise what `why_not` returns and change nothing."""
        raise NotImplementedError

    def apply_draw(self, outcome: list[int]) -> None:
        """Feed the awaited draw, or raise BadDraw and change nothing."""
        raise NotImplementedError

    def view(self, seat: int) -> View:
        """Return all that *seat* (or WATCHER) may know now."""
        raise NotImplementedError

    def to_act_for(self, seat: int) -> int:
        """Return `to_act` as far as *seat* (or WATCHER) may know it: who is asked can be a secret."""
        return self.view(seat).to_act

    def question(self, seat: int) -> int:
        """Return a number that stays the same while *seat*'s actions make up one decision.

        Three cards to pass are such a decision; by default (-1) every action is one of its own.
        """
        return -1

    def why_not(self, seat: int, action: int) -> IllegalAction:
        """Return the refusal of an illegal action, first broken rule first."""
        raise NotImplementedError

    def deal(self) -> int:
        """Return how many deals (or rounds) have ended."""
        raise NotImplementedError

    def scores(self) -> list[int]:
        """Return the match score as the game itself counts it."""
        raise NotImplementedError

    def payoffs(self) -> list[float]:
        """Return what the result so far is worth to every seat, more always better.

        Bots play for it, training rewards it, tournaments and reviews count it. By default it is what a
        seat's score has above the mean.
        """
        scores = self.scores()
        mean = sum(scores) / len(scores)
        return [score - mean for score in scores]

    def places(self) -> list[int]:
        """Return who came where in a match that is over: 1 is best, equals share one."""
        payoffs = self.payoffs()
        return [1 + sum([other > own for other in payoffs]) for own in payoffs]

    def conclude(self, present: int) -> None:
        """End the match here because *present* is the only seat left; events tell the result.

        Asked only of games whose pace has an end to solitude.
        """
        raise NotImplementedError

    def clone(self) -> State:
        """Return an independent copy without events."""
        raise NotImplementedError

    # For compiled loops. A game overrides these three with masks, so that a playout builds no list.

    def choices(self, seat: i64) -> i64:
        """Return how many legal actions *seat* has."""
        return len(self.legal_actions(int(seat)))

    def choice(self, seat: i64, k: i64) -> i64:
        """Return the *k*-th legal action of *seat* in ascending order."""
        return self.legal_actions(int(seat))[int(k)]

    def roll(self, dice: Dice) -> None:
        """Feed the awaited draw from *dice*."""
        draw = self.awaiting()
        assert draw is not None, "no draw is due"
        self.apply_draw(sample(draw, dice))

    # For searches. Both have defaults that work; a game overrides what pays.

    def policy(self, seat: i64, dice: Dice) -> i64:
        """Return what *seat* does in a playout: by default any legal action, each as likely as another."""
        many = self.choices(seat)
        return self.choice(seat, dice.below(many) if many > 1 else 0)

    def hidden(self, seat: i64) -> bool:
        """Say whether the others do not hear what *seat* decides now, or only after deciding themselves."""
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
    """Return the lowest seat of a mask that is not empty."""
    seat: i64 = 0
    while not mask & 1:
        mask >>= 1
        seat += 1
    return seat


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
        many = state.choices(seat)
        k = dice.below(many) if many > 1 else 0
        state.apply(int(seat), int(state.choice(seat, k)))
        steps += 1
    return int(steps)


SEAT: Final[i64] = 0x10000
"""A step of a `Trail` is a seat times this, and its action."""


class Trail:
    """What a seat has heard of a deal: what was there to begin with, and the decisions since, in order."""

    def __init__(self, origin: tuple[object, ...], steps: list[tuple[int, int]]) -> None:
        self.origin = origin
        """Tells this deal from every other one that the seat may have seen, its own cards included."""
        self.steps: list[int] = [seat * int(SEAT) + action for seat, action in steps]
        """Who decided what, but for what is `State.hidden` from the seat."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Bot:
    """Whoever decides from a view alone: dummies, heuristics, searches, stand-ins."""

    searches: bool = False
    """Thinking takes time: a server asks such a bot outside its event loop."""

    def choose(self, view: View, rng: Random) -> int:
        """Return one of ``view.legal``."""
        raise NotImplementedError


class RandomBot(Bot):
    """Plays any legal action, each as likely as the others."""

    def choose(self, view: View, rng: Random) -> int:
        return view.legal[rng.randrange(len(view.legal))]


@mypyc_attr(allow_interpreted_subclasses=True)
class Pace:
    """The pauses and time limits of a table, in seconds, as its options set them."""

    def before(self, event: Event) -> float:
        """Return the pause between what was told last and telling *event*."""
        return 0.0

    def limit(self, view: View, person: bool) -> float:
        """Return how long the seat of *view* may think; 0 is for ever."""
        return 0.0

    def counts(self, view: View) -> bool:
        """Say whether the seat of *view*, answering too late now, has that counted."""
        return True

    def rest(self) -> float:
        """Return the pause after a game of a match, where the next one starts by itself."""
        return 0.0

    def begin(self, people: bool) -> None:
        """Hear that a match begins, and whether a person plays in it."""

    def floor(self, event: Event) -> float:
        """Return the least time between the last event that everybody heard and telling *event*.

        Unlike a pause it has passed already when somebody thought so long: where it is secret who is asked,
        time must not tell.
        """
        return 0.0

    def thinking(self, view: View) -> float:
        """Return how long a bot takes over the decision of *view*."""
        return 0.0

    def warning(self) -> float:
        """Return how long before its time is up a seat is warned; 0 is never."""
        return 0.0

    # Absence. A seat that is *away* is decided for without waiting, until its player shows up.

    def absence(self) -> float:
        """Return how long a lost connection may be gone before its seat is away: 0 from the next decision
        on, less than 0 never."""
        return -1.0

    def autos(self, connected: bool) -> int:
        """Return after how many late answers in a row a seat is away; 0 is never."""
        return 0

    def minder(self, connected: bool) -> str:
        """Return the bot that decides for a seat that is away; empty: the stand-in."""
        return ""

    def quitting_aborts(self) -> bool:
        """Say whether a match is broken off when a player leaves it; if not, a bot plays on."""
        return False

    def abandonment(self) -> float:
        """Return how long a match goes on when no player is present; less than 0 is for ever."""
        return -1.0

    def solitude(self) -> float:
        """Return how long a match goes on with one player present; less than 0 is for ever.

        Then `State.conclude` ends it.
        """
        return -1.0

    def filling(self) -> float:
        """Return after how long without a newcomer bots take the free seats; less than 0 is never."""
        return -1.0


@mypyc_attr(allow_interpreted_subclasses=True)
class Game:
    """What the registry finds: one game, whole."""

    name: str
    title: str
    rules: str
    """The version of the rules; a record names it."""
    seats: Sequence[int]
    """The numbers of seats a match may have."""
    actions: ActionTable
    options: OptionTable
    """What changes the rules of a match; a record keeps these."""
    table_options: OptionTable
    """What changes a table's clocks, pauses and wire, never the rules."""

    def reserved(self) -> Sequence[int]:
        """Return the actions that only the clock may take; they are offered to nobody."""
        return ()

    def retreats(self) -> Sequence[int]:
        """Return the actions that only take back what a seat has begun; a search goes on where it can."""
        return ()

    def rematch(self, options: Mapping[str, Value], state: State) -> Mapping[str, Value]:
        """Return the options of the match that follows the one that ended in *state* at the same table."""
        return options

    def new(self, options: Mapping[str, Value], seats: int) -> State:
        """Return the start of a match; *options* come from ``self.options.read``."""
        raise NotImplementedError

    def sample(self, view: View, rng: Random) -> State:
        """Return a state the seat of *view* cannot tell from the real one (for search)."""
        raise NotImplementedError

    def sides(self, seats: int) -> list[list[int]]:
        """Return who wins and loses together in every match: by default everybody plays for himself."""
        return [[seat] for seat in range(seats)]

    def trail(self, view: View) -> Trail | None:
        """Return how the seat of *view* came here, for searches that go on where they were; None: unknown."""
        return None

    def draw_name(self, item: int) -> str:
        """Return the word for an item of a draw (a card, a die), as records spell it."""
        return str(item)

    def parse_draw(self, text: str) -> int:
        """Return the item spelt *text* by `draw_name`."""
        if not text.isascii() or not text.isdigit():
            raise RulesError(f"unknown item {text!r}: expected a number")
        return int(text)

    def bots(self) -> Mapping[str, Bot]:
        """Return the bots that sit at this game's tables, weakest first; ``random`` is one."""
        return {"random": RandomBot()}

    def adviser(self) -> Bot | None:
        """Return the bot whose choice a search gives credit beforehand, if there is one worth it."""
        return self.bots().get("heuristic")

    def trust(self, view: View) -> float:
        """Return how much a search believes its adviser here, where what it sees itself counts about 10.

        More for calls, which say little in playouts; from 10 on the adviser decides alone.
        """
        return 0.5

    def stand_in(self) -> Bot:
        """Return who decides for a seat that does not answer: the spec's default action."""
        return RandomBot()

    def pace(self, options: Mapping[str, Value]) -> Pace:
        """Return the clocks of a table; *options* come from ``self.table_options.read``."""
        return Pace()
