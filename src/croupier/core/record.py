"""The record of a match: readable text that replays to the same match on any machine.

A record has a head (game, options, players) and entries, one per line: draws, actions, and the commitments
and seeds that prove the draws. Everything is written in words, so that a record survives a renumbering of
actions. A draw names its pool, so that a program without knowledge of the game can repeat it. docs/record.md
is the reference.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, assert_never

from croupier.core.chance import Stream, commitment, is_nonce, joint_seed
from croupier.core.contract import Draw, Event, Game, State
from croupier.core.options import Value, spell

FORMAT: Final = "croupier record 1"
GIVEN: Final = "cards given"
"""The line in the head of a record whose cards a player could know in advance."""
BY: Final = ("bot", "clock", "fault", "absent")
"""Who acted instead of the seat: its bot, or the stand-in because the seat was late, wrong or away."""

WIDEST: Final = 64 * 1024
"""The maximum number of characters in a line."""
LARGEST: Final = 16 * 1024 * 1024
"""The maximum number of bytes in a file: several thousand deals."""
_NUMBER: Final = re.compile(r"0|-?[1-9][0-9]{0,17}")
_WORD: Final = re.compile(r"[^\s()]*[^\s(),]")
_NAME: Final = re.compile(r"[^\W\d]\w*")
_HEX: Final = re.compile(r"[0-9a-f]{64}")
_BY: Final = re.compile(rf"(.*) \(({'|'.join(BY)})\)")


class BadRecord(ValueError):
    """A record that cannot be read, written or replayed; the message names the line, what was found and what
    is expected.
    """

    def __init__(self, words: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {words}" if line else words)
        self.words = words
        self.line = line


@dataclass(frozen=True, slots=True)
class Commit:
    """The draws from here on belong to deal *deal* and come from a seed with this *digest*."""

    deal: int
    digest: str


@dataclass(frozen=True, slots=True)
class Nonce:
    """What a seat has added to the seed of deal *deal*, after its commitment was published."""

    deal: int
    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class Pool:
    """The items of the following draws, in order, until the next pool."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """The items drawn from the pool, with or without replacement; none if the rules need none."""

    items: tuple[str, ...]
    replace: bool = False


@dataclass(frozen=True, slots=True)
class Acted:
    """The actions of a seat at one time; *by* is one of `BY` if the seat did not decide itself."""

    seat: int
    actions: tuple[str, ...]
    by: str = ""


@dataclass(frozen=True, slots=True)
class Reveal:
    """The seed of a deal that has ended, in hex."""

    deal: int
    seed: str


@dataclass(frozen=True, slots=True)
class Result:
    """The final score in the game's own points."""

    scores: tuple[int, ...]


Entry: TypeAlias = Commit | Nonce | Pool | Drawn | Acted | Reveal | Result


@dataclass(slots=True)
class Record:
    """One match: its configuration, and everything that happened."""

    game: str
    rules: str
    seats: int
    options: dict[str, str] = field(default_factory=dict)
    """As written by `spell`; missing options have their default."""
    players: list[str] = field(default_factory=list)
    """One name per seat, or none at all."""
    seed: str | None = None
    """The seed of the table, if it was given one and the players knew it: its draws could be predicted."""
    started: str = ""
    entries: list[Entry] = field(default_factory=list)
    given: bool = False
    """A player could know the cards in advance: a seed, cards or a position was given, or a decision
    was taken back."""

    @property
    def is_random(self) -> bool:
        """Return True if nobody gave a seed, cards or a position."""
        return self.seed is None and not self.given


def nonces(record: Record) -> dict[int, list[str]]:
    """Return what the seats have added to the seed of each deal: by seat, empty for none."""
    found: dict[int, list[str]] = {}
    for entry in record.entries:
        if isinstance(entry, Nonce):
            row = found.setdefault(entry.deal, [""] * record.seats)
            if entry.seat < record.seats:
                row[entry.seat] = entry.text
    return found


def spelt(options: Mapping[str, Value]) -> dict[str, str]:
    """Return *options* as stored in a record."""
    return {name: spell(value) for name, value in options.items()}


def clean(text: str) -> str:
    """Return *text* on one line and trimmed, so that a record can contain it; for names from outside."""
    return "".join(char if _printable(char) else " " for char in text).strip()


def drawn(game: Game, draw: Draw, outcome: Sequence[int], before: Sequence[Entry]) -> list[Entry]:
    """Return the entries for *outcome* after the entries *before*: its pool (unless unchanged) and the
    draw."""
    pool = Pool(tuple(game.draw_name(item) for item in draw.pool))
    entry = Drawn(tuple(game.draw_name(item) for item in outcome), draw.replace)
    if not outcome:
        return [entry]
    for earlier in reversed(before):
        if isinstance(earlier, Pool):
            return [entry] if earlier == pool else [pool, entry]
    return [pool, entry]


# Writing


def write(record: Record) -> str:
    """Return the text of *record*."""
    lines = write_head(record)
    for number, entry in enumerate(record.entries):
        if number == 0 or isinstance(entry, Commit):
            lines.append("")
        lines.append(write_entry(entry))
    return "\n".join(lines) + "\n"


def write_head(record: Record) -> list[str]:
    """Return the lines before the first entry."""
    if len(record.players) not in (0, record.seats):
        raise BadRecord(
            f"{len(record.players)} players: expected one for each of {record.seats} seats, or none"
        )
    if record.seats < 1:
        raise BadRecord(f"{record.seats} seats: expected at least one")
    lines = [FORMAT, f"game {_word(record.game)} {_word(record.rules)}", f"seats {record.seats}"]
    lines += [f"option {_option(name)} {_free(value)}".rstrip() for name, value in record.options.items()]
    lines += [f"player {seat} {_free(name)}".rstrip() for seat, name in enumerate(record.players)]
    if record.seed is not None:
        lines.append(f"seed {_free(record.seed)}".rstrip())
    if record.given:
        lines.append(GIVEN)
    if record.started:
        lines.append(f"started {_free(record.started)}")
    return lines


def write_entry(entry: Entry) -> str:
    """Return the line of *entry*, which can be read without other lines."""
    match entry:
        case Commit(deal, digest):
            return f"commit {_number(deal, low=1)} {_hex(digest)}"
        case Nonce(deal, seat, text):
            return f"nonce {_number(deal, low=1)} {_number(seat, low=0)} {_nonce(text)}"
        case Pool(items):
            if not items:
                raise BadRecord("an empty pool: expected one item or more")
            return f"pool {_items(items)}"
        case Drawn(items, replace):
            return f"{'roll' if replace else 'draw'} {_items(items)}".rstrip()
        case Acted(seat, actions, by):
            if by and by not in BY:
                raise BadRecord(f"an action by {by!r}: expected one of {', '.join(BY)}")
            if not actions:
                raise BadRecord("no actions: expected one or more")
            line = f"{_number(seat, low=0)} {', '.join(_action(action) for action in actions)}"
            return f"{line} ({by})" if by else line
        case Reveal(deal, seed):
            return f"reveal {_number(deal, low=1)} {_hex(seed)}"
        case Result(scores):
            if not scores:
                raise BadRecord("no scores: expected one for each seat")
            return f"result {' '.join(_number(score) for score in scores)}"
    assert_never(entry)


def _word(text: str) -> str:
    if not _WORD.fullmatch(text) or not all(_printable(char) for char in text):
        raise BadRecord(f"{_shown(text)}: expected a word without spaces, brackets and a comma at its end")
    return text


def _items(items: Sequence[str]) -> str:
    return " ".join([_word(item) for item in items])


def _action(text: str) -> str:
    for word in text.split(" "):
        _word(word)
    return text


def _option(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise BadRecord(f"{_shown(text)}: expected the name of an option")
    return text


def _free(text: str) -> str:
    if text != clean(text):
        raise BadRecord(f"{_shown(text)}: expected text on one line without spaces around it")
    return text


def _hex(text: str) -> str:
    if not _HEX.fullmatch(text):
        raise BadRecord(f"{_shown(text)}: expected 64 hexadecimal digits, lower case")
    return text


def _nonce(text: str) -> str:
    if not is_nonce(text):
        raise BadRecord(f"{_shown(text)}: expected 1 to 64 letters, digits, - and _")
    return text


def _number(value: int, low: int | None = None) -> str:
    text = str(value)
    _read_number(text, "a number of at most 18 digits" if low is None else f"a number of at least {low}", low)
    return text


def _printable(char: str) -> bool:
    # Control characters and line ends would break a line; halves of surrogate pairs cannot be stored.
    return unicodedata.category(char) not in ("Cc", "Cs", "Zl", "Zp")


def _shown(text: str) -> str:
    return ascii(text) if len(text) <= 40 else ascii(text[:37] + "...")


# Reading


def read(text: str) -> Record:
    """Return the record in *text*, or raise BadRecord with the line number."""
    lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
    if lines[0] != FORMAT:
        raise BadRecord(f"found {_shown(lines[0])}, expected {FORMAT!r}", 1)
    head = _Head()
    in_head = True
    for number, line in enumerate(lines[1:], 2):
        try:
            if len(line) > WIDEST:
                raise BadRecord(f"found {len(line)} characters, expected at most {WIDEST}")
            if not line:
                in_head = in_head and not head.lines
            elif line.startswith("#"):
                continue
            elif in_head:
                head.take(line)
            else:
                head.record.entries.append(read_entry(line))
        except BadRecord as error:
            raise BadRecord(error.words, number) from None
    try:
        return head.finished()
    except BadRecord as error:
        raise BadRecord(error.words, len(lines)) from None


def read_entry(line: str) -> Entry:
    """Return the entry that `write_entry` wrote."""
    verb, _, rest = line.partition(" ")
    if _NUMBER.fullmatch(verb):
        seat = _read_number(verb, "a seat", low=0)
        by = ""
        if found := _BY.fullmatch(rest):
            rest, by = found[1], found[2]
        return Acted(seat, tuple(_action(action) for action in rest.split(", ")), by)
    match verb:
        case "pool":
            return Pool(_read_items(rest))
        case "draw" | "roll":
            return Drawn(_read_items(rest) if rest else (), verb == "roll")
        case "commit" | "reveal":
            deal, _, digest = rest.partition(" ")
            number = _read_number(deal, "the number of a deal", low=1)
            return Commit(number, _hex(digest)) if verb == "commit" else Reveal(number, _hex(digest))
        case "nonce":
            deal, _, rest = rest.partition(" ")
            place, _, text = rest.partition(" ")
            number = _read_number(deal, "the number of a deal", low=1)
            return Nonce(number, _read_number(place, "a seat", low=0), _nonce(text))
        case "result":
            return Result(tuple(_read_number(score, "a score") for score in rest.split(" ")))
    raise BadRecord(
        f"found {_shown(line)}, expected a seat's actions, commit, nonce, pool, draw, roll, reveal or result"
    )


class _Head:
    """The head lines read so far."""

    def __init__(self) -> None:
        self.record = Record("", "", 0)
        self.lines = 0

    def take(self, line: str) -> None:
        self.lines += 1
        record = self.record
        key, _, rest = line.partition(" ")
        match key:
            case "game" if not record.game:
                game, _, rules = rest.partition(" ")
                record.game, record.rules = _word(game), _word(rules)
            case "seats" if not record.seats:
                record.seats = _read_number(rest, "the number of seats", low=1)
            case "option":
                name, _, value = rest.partition(" ")
                if _option(name) in record.options:
                    raise BadRecord(f"option {_shown(name)} appears twice")
                record.options[name] = _free(value)
            case "player":
                seat, _, name = rest.partition(" ")
                if _read_number(seat, "a seat", low=0) != len(record.players):
                    raise BadRecord(f"found player {seat}, expected player {len(record.players)}")
                record.players.append(_free(name))
            case "seed" if record.seed is None:
                record.seed = _free(rest)
            case "started" if not record.started and rest:
                record.started = _free(rest)
            case "cards" if not record.given and line == GIVEN:
                record.given = True
            case "game" | "seats" | "seed" | "started":
                raise BadRecord(f"found {_shown(line)}, expected {key} once, with its value")
            case _:
                expected = f"game, seats, option, player, seed, {GIVEN}, started or a blank line"
                raise BadRecord(f"found {_shown(line)}, expected {expected}")

    def finished(self) -> Record:
        record = self.record
        if not record.game:
            raise BadRecord("the record ends without a game line, expected one like 'game NAME 1'")
        if not record.seats:
            raise BadRecord("the record ends without a seats line, expected one like 'seats 4'")
        if len(record.players) not in (0, record.seats):
            raise BadRecord(f"{len(record.players)} player lines, expected {record.seats} or none")
        return record


def _read_number(text: str, what: str, low: int | None = None) -> int:
    if not _NUMBER.fullmatch(text) or (low is not None and int(text) < low):
        raise BadRecord(f"found {_shown(text)}, expected {what}")
    return int(text)


def _read_items(text: str) -> tuple[str, ...]:
    return tuple(_word(item) for item in text.split(" "))


# Replaying


class Replayer:
    """A match that is rebuilt entry by entry."""

    def __init__(self, record: Record, game: Game) -> None:
        """Start the match described by the head of *record*; its entries are not read here."""
        if (record.game, record.rules) != (game.name, game.rules):
            raise BadRecord(
                f"a record of {record.game} {record.rules}: expected {game.name}, rules version {game.rules}"
            )
        if record.seats not in game.seats:
            raise BadRecord(f"{record.seats} seats: expected {' or '.join(str(n) for n in game.seats)}")
        self.game = game
        self.seats = record.seats
        try:
            self.state = game.new(game.options.read(record.options), record.seats)
        except ValueError as error:
            raise BadRecord(str(error)) from None
        self.fed = 0
        self._pool: tuple[str, ...] | None = None
        self._finished = False

    def feed(self, entry: Entry) -> list[Event]:
        """Apply *entry* and return its events; raise BadRecord if it is not possible now."""
        self.fed += 1
        events: list[Event] = []
        self.state.events = events
        try:
            self._feed(entry)
        except ValueError as error:
            raise BadRecord(f"entry {self.fed} ({_told(entry)}): {error}") from None
        finally:
            self.state.events = None
        return events

    def _feed(self, entry: Entry) -> None:
        if self._finished and not isinstance(entry, Reveal):
            raise BadRecord("only a reveal can follow the result")
        match entry:
            case Nonce(seat=seat):
                if seat >= self.seats:
                    raise BadRecord(f"expected a seat from 0 to {self.seats - 1}")
            case Commit() | Reveal():
                pass
            case Pool(items):
                self._pool = items
            case Drawn(items, replace):
                self._draw(items, replace)
            case Acted(seat, actions):
                if not 0 <= seat < self.seats:
                    raise BadRecord(f"expected a seat from 0 to {self.seats - 1}")
                for action in actions:
                    if self.state.awaiting() is not None:
                        raise BadRecord("a draw is due first")
                    self.state.apply(seat, self.game.actions.parse(action))
            case Result(scores):
                if not self.state.over():
                    raise BadRecord("the match is not over here")
                if list(scores) != list(self.state.scores()):
                    raise BadRecord(f"the match ends with {' '.join(map(str, self.state.scores()))}")
                self._finished = True
            case _:
                assert_never(entry)

    def _draw(self, items: tuple[str, ...], replace: bool) -> None:
        draw = self.state.awaiting()
        if draw is None:
            raise BadRecord("no draw is due here")
        if replace != draw.replace:
            raise BadRecord("expected 'roll'" if draw.replace else "expected 'draw'")
        pool = tuple(self.game.draw_name(item) for item in draw.pool)
        # Hand-written records may omit the pool: the rules know it.
        if items and self._pool is not None and self._pool != pool:
            raise BadRecord(f"expected the pool {_short(pool)} before it, found {_short(self._pool)}")
        # Like Draw.check, but with the names used in the record.
        if len(items) != draw.take:
            raise BadRecord(f"{len(items)} items: expected {draw.take}")
        left = list(pool)
        for item in items:
            if item not in left:
                raise BadRecord(f"{item} is not in the pool or was drawn before")
            if not replace:
                left.remove(item)
        self.state.apply_draw([self.game.parse_draw(item) for item in items])


def steps(record: Record, game: Game) -> Iterator[tuple[Entry, State, list[Event]]]:
    """Yield each entry with its events and the state after it; the state is the same object each time."""
    replayer = Replayer(record, game)
    for entry in record.entries:
        events = replayer.feed(entry)
        yield entry, replayer.state, events


def replay(record: Record, game: Game, upto: int | None = None, events: list[Event] | None = None) -> State:
    """Return the state after the first *upto* entries (all if None), and append their events to *events*, if
    given.
    """
    replayer = Replayer(record, game)
    for entry in record.entries[:upto]:
        told = replayer.feed(entry)
        if events is not None:
            events += told
    return replayer.state


def _told(entry: Entry) -> str:
    try:
        return _cut(write_entry(entry))
    except BadRecord:
        return _cut(ascii(entry))


def _short(items: tuple[str, ...]) -> str:
    return _cut(" ".join(items))


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


# Verifying


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of `verify` for one deal."""

    kind: Literal["proved", "given", "open", "broken"]
    """Proved; not random, because cards were given; not revealed yet; or wrong: the seed, the draws or the
    record were changed."""
    deal: int
    words: str


def verify(record: Record, game: Game) -> list[Finding]:
    """Check every deal's seed against its commitment and its draws against the seed.

    Raise BadRecord for a record that does not replay: then there is nothing to prove.
    """
    seeds: dict[int, str] = {}
    for entry in record.entries:
        if isinstance(entry, Reveal):
            seeds.setdefault(entry.deal, entry.seed)
    replayer = Replayer(record, game)
    deals: list[_Deal] = []
    latest: dict[int, _Deal] = {}
    for entry in record.entries:
        match entry:
            case Commit(number, digest):
                if record.given and deals and deals[-1].number == number and not deals[-1].digest:
                    deals.pop()  # only the first draws of this deal were given
                deals.append(_Deal(number, digest, seeds.get(number)))
                if number in latest:
                    deals[-1].blame("there are two commitments for this deal")
                latest[number] = deals[-1]
            case Nonce():
                if not deals:
                    deals.append(_Deal(entry.deal, "", None))
                    deals[0].blame("a nonce comes before any commitment")
                deals[-1].add(entry)
            case Drawn(items) if items:
                now = replayer.state.deal() + 1
                if record.given and (not deals or deals[-1].number != now):
                    deals.append(_Deal(now, "", None))
                elif not deals:
                    deals.append(_Deal(0, "", None))
                    deals[0].blame("a draw comes before any commitment")
                draw = replayer.state.awaiting()
                if draw is not None:  # if it is None, feed() raises the error
                    deals[-1].drawn(draw, items, game)
            case Reveal(number, seed):
                known = latest.get(number)
                if known is None:
                    deals.append(_Deal(number, "", None))
                    deals[-1].blame("a seed was revealed without a commitment")
                    latest[number] = deals[-1]
                else:
                    known.revealed(seed)
            case _:
                pass
        replayer.feed(entry)
    return [deal.finding(record.is_random) for deal in deals]


class _Deal:
    """The facts about one deal while its record is read."""

    def __init__(self, number: int, digest: str, seed: str | None) -> None:
        self.number = number
        self.digest = digest
        self.seed = seed
        self.nonces: list[str] = []
        self.stream: Stream | None = None
        self.is_open = True
        self.draws = 0
        self.faults: list[str] = []

    def blame(self, words: str) -> None:
        self.faults.append(words)

    def add(self, nonce: Nonce) -> None:
        if nonce.deal != self.number or self.draws or not self.is_open:
            self.blame(f"the nonce of seat {nonce.seat} is not between the commitment and the first draw")
        if nonce.seat < len(self.nonces):
            self.blame(f"the nonce of seat {nonce.seat} is not in the order of the seats")
        self.nonces += [""] * (nonce.seat - len(self.nonces)) + [nonce.text]

    def drawn(self, draw: Draw, items: tuple[str, ...], game: Game) -> None:
        if not self.draws and self.seed is not None:
            self.stream = Stream(joint_seed(bytes.fromhex(self.seed), self.nonces))
        self.draws += 1
        if not self.is_open:
            self.blame(f"draw {self.draws} was made after the seed was revealed")
        if self.stream is not None:
            expected = tuple(game.draw_name(item) for item in self.stream.draw(draw))
            if expected != items:
                self.blame(f"draw {self.draws} is {_short(items)}, but the seed gives {_short(expected)}")

    def revealed(self, seed: str) -> None:
        if seed != self.seed:
            self.blame("two seeds were revealed")
        elif self.is_open and commitment(bytes.fromhex(seed)) != self.digest:
            self.blame("the seed does not match the commitment")
        self.is_open = False

    def finding(self, is_random: bool) -> Finding:
        if self.faults:
            return Finding("broken", self.number, "; ".join(self.faults))
        if not is_random:
            return Finding("given", self.number, "not random: cards were given")
        if self.is_open:
            return Finding("open", self.number, "not yet revealed")
        draws = "1 draw" if self.draws == 1 else f"{self.draws} draws"
        added = sum(map(bool, self.nonces))
        nonces = "" if not added else " with 1 nonce" if added == 1 else f" with {added} nonces"
        return Finding("proved", self.number, f"the seed matches the commitment and gives {draws}{nonces}")
