"""Records: text and back, replay, proof. Played on the toy game, which draws and rolls in every deal."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from croupier.core.chance import Stream, commitment
from croupier.core.contract import Draw, Event
from croupier.core.record import (
    BY,
    Acted,
    BadRecord,
    Commit,
    Drawn,
    Entry,
    Finding,
    Pool,
    Record,
    Replayer,
    Result,
    Reveal,
    clean,
    drawn,
    read,
    read_entry,
    replay,
    spelt,
    steps,
    verify,
    write,
    write_entry,
)
from tests.core.toy import TOY, Scored

EXAMPLE = """\
croupier record 1
game toy 3
seats 2
option deals 1
player 0 ann
player 1 Zoë (the third)
seed 7
started 2026-11-15T20:31:26Z

pool C1 C2 C3 C4 C5 C6
draw C6 C2
1 bid 1,1 (clock)
0 hold
pool 1 2 3 4 5 6
roll 4 4
result -3 6
"""


def played(deals: int = 2, seed: int = 1, reveal_last: bool = True) -> Record:
    """Return the record of a random match, with commitments and seeds as a table writes them."""
    random = Random(seed)
    record = Record("toy", "3", 2, {"deals": str(deals)}, ["ann", "bob"])
    entries = record.entries
    state = TOY.new(TOY.options.read({"deals": deals}), 2)
    for deal in range(1, deals + 1):
        key = random.randbytes(32)
        stream = Stream(key)
        entries.append(Commit(deal, commitment(key)))
        while state.deal() < deal:
            draw = state.awaiting()
            if draw is not None:
                outcome = stream.draw(draw)
                entries += drawn(TOY, draw, outcome, entries)
                state.apply_draw(outcome)
            else:
                seat = random.choice([seat for seat in (0, 1) if state.to_act() >> seat & 1])
                action = random.choice(state.legal_actions(seat))
                entries.append(Acted(seat, (TOY.actions.name(action),)))
                state.apply(seat, action)
        if deal < deals or reveal_last:
            entries.append(Reveal(deal, key.hex()))
    entries.append(Result(tuple(state.scores())))
    return record


# Text


def test_the_example_is_read_as_it_looks() -> None:
    assert read(EXAMPLE) == Record(
        game="toy",
        rules="3",
        seats=2,
        options={"deals": "1"},
        players=["ann", "Zoë (the third)"],
        seed="7",
        started="2026-11-15T20:31:26Z",
        entries=[
            Pool(("C1", "C2", "C3", "C4", "C5", "C6")),
            Drawn(("C6", "C2")),
            Acted(1, ("bid 1,1",), "clock"),
            Acted(0, ("hold",)),
            Pool(("1", "2", "3", "4", "5", "6")),
            Drawn(("4", "4"), replace=True),
            Result((-3, 6)),
        ],
    )
    assert write(read(EXAMPLE)) == EXAMPLE


def test_several_actions_in_one_go_stand_on_one_line() -> None:
    entry = Acted(2, ("pass 3H", "pass 2C", "pass 9S"), "clock")
    assert write_entry(entry) == "2 pass 3H, pass 2C, pass 9S (clock)"
    assert read_entry("2 pass 3H, pass 2C, pass 9S (clock)") == entry


def test_a_blank_line_comes_before_every_deal() -> None:
    paragraphs = write(played(deals=3)).split("\n\n")
    assert len(paragraphs) == 4
    assert all(paragraph.startswith("commit ") for paragraph in paragraphs[1:])


def test_comments_blank_lines_and_foreign_line_ends_do_no_harm() -> None:
    text = EXAMPLE.replace("seats 2", "# two of them\nseats 2").replace("0 hold", "\n# so far\n0 hold")
    assert read("\ufeff" + text.replace("\n", "\r\n")) == read(EXAMPLE)


_characters = st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp", "Zs"), exclude_characters="(),")
_word = st.text(_characters, min_size=1)
_words = st.lists(_word, min_size=1, max_size=4).map(tuple)
_free = st.text(max_size=30).map(clean)
_number = st.integers(-(10**18) + 1, 10**18 - 1)
_hex = st.binary(min_size=32, max_size=32).map(bytes.hex)
_entry: st.SearchStrategy[Entry] = st.one_of(
    st.builds(Commit, st.integers(1, 99), _hex),
    st.builds(Pool, _words),
    st.builds(Drawn, _words | st.just(()), st.booleans()),
    st.builds(
        Acted,
        st.integers(0, 9),
        st.lists(_words.map(" ".join), min_size=1, max_size=3).map(tuple),
        st.sampled_from(["", *BY]),
    ),
    st.builds(Reveal, st.integers(1, 99), _hex),
    st.builds(Result, st.lists(_number, min_size=1, max_size=6).map(tuple)),
)


@st.composite
def _records(draw: st.DrawFn) -> Record:
    seats = draw(st.integers(1, 6))
    return Record(
        game=draw(_word),
        rules=draw(_word),
        seats=seats,
        options=draw(
            st.dictionaries(st.from_regex(r"[a-z_][a-z_0-9]{0,9}", fullmatch=True), _free, max_size=4)
        ),
        players=draw(st.just([]) | st.lists(_free, min_size=seats, max_size=seats)),
        seed=draw(st.none() | _free),
        started=draw(_free),
        entries=draw(st.lists(_entry, max_size=8)),
    )


@given(_records())
def test_what_is_written_is_read_back(record: Record) -> None:
    assert read(write(record)) == record


@given(_entry)
def test_an_entry_is_one_line_that_stands_alone(entry: Entry) -> None:
    line = write_entry(entry)
    assert not re.search(r"[\r\n\x00]", line)
    line.encode()
    assert read_entry(line) == entry


@st.composite
def _damaged(draw: st.DrawFn) -> str:
    """Return the example with a few lines or characters lost, doubled, swapped or replaced."""
    text = EXAMPLE if draw(st.booleans()) else write(played())
    for _ in range(draw(st.integers(1, 4))):
        cut = draw(st.integers(0, len(text)))
        end = min(len(text), cut + draw(st.integers(0, 12)))
        text = (
            text[:cut]
            + draw(st.sampled_from(["", " ", "\n", "-", "9", ", ", "(bot)", "\x00"]) | st.text())
            + text[end:]
        )
    return text


@given(st.text() | _damaged())
@example(EXAMPLE)
@example("")
@example("croupier record 1")
@example("croupier record 1\ngame toy 3\nseats \u0663\n")
@example("croupier record 1\ngame toy 3\nseats 2\n\nresult " + "9" * 5000)
@example("croupier record 1\ngame toy 3\nseats 2\n\nresult")
@example("croupier record 1\ngame toy 3\nseats 2\n\n0")
def test_any_text_is_a_record_or_a_bad_record(text: str) -> None:
    record, bad = None, None
    try:
        record = read(text)
        verify(record, TOY)
    except BadRecord as error:
        bad = error
    if record is not None:
        assert read(write(record)) == record
    else:
        assert bad is not None
        assert re.match(r"line [1-9][0-9]*: ", str(bad))
        assert 1 <= bad.line <= text.count("\n") + 1
    assert "\n" not in str(bad)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("record 1", "record 2", "line 1: found 'croupier record 2', expected 'croupier record 1'"),
        ("seats 2", "chairs 2", "line 3: found 'chairs 2', expected game, seats, option, player, seed"),
        ("seats 2", "seats 0", "line 3: found '0', expected the number of seats"),
        ("seats 2", "seats 2\nseats 2", "line 4: found 'seats 2', expected seats once"),
        ("game toy 3\n", "", "line 16: the record ends without a game line"),
        ("seats 2\n", "", "line 16: the record ends without a seats line"),
        ("game toy 3", "game toy 3 4", "line 2: '3 4': expected a word without spaces"),
        ("option deals 1", "option deals 1\noption deals 2", "line 5: option 'deals' appears twice"),
        ("option deals 1", "option de-als 1", "line 4: 'de-als': expected the name of an option"),
        ("player 0 ann\n", "", "line 5: found player 1, expected player 0"),
        ("player 1 Zoë (the third)\n", "", "line 16: 1 player lines, expected 2 or none"),
        ("player 0 ann", "player 0  ann", "line 5: ' ann': expected text on one line"),
        ("0 hold", "zero hold", "line 13: found 'zero hold', expected a seat's actions, commit, nonce"),
        ("0 hold", "-1 hold", "line 13: found '-1', expected a seat"),
        ("0 hold", "0 hold, ", "line 13: '': expected a word"),
        ("0 hold", "0 hold (me)", "line 13: '(me)': expected a word"),
        ("0 hold", "commit 0 " + "ab" * 32, "line 13: found '0', expected the number of a deal"),
        ("0 hold", "reveal 1 abc", "line 13: 'abc': expected 64 hexadecimal digits"),
        ("roll 4 4", "roll 4  4", "line 15: '': expected a word"),
        ("result -3 6", "result -3 six", "line 16: found 'six', expected a score"),
        ("result -3 6", "result -3 6.5", "line 16: found '6.5', expected a score"),
    ],
)
def test_a_bad_line_is_named_with_what_would_do(old: str, new: str, words: str) -> None:
    text = EXAMPLE.replace(old, new, 1)
    assert text != EXAMPLE
    with pytest.raises(BadRecord, match=f"^{re.escape(words)}"):
        read(text)


@pytest.mark.parametrize(
    "record",
    [
        Record("toy game", "3", 2),
        Record("toy", "", 2),
        Record("toy", "3", 0),
        Record("toy", "3", 2, {"two words": "1"}),
        Record("toy", "3", 2, {"deals": " 1"}),
        Record("toy", "3", 2, players=["ann"]),
        Record("toy", "3", 2, players=["ann", "bob\nseed 7"]),
        Record("toy", "3", 2, players=["ann", "bob\u2028"]),
        Record("toy", "3", 2, players=["ann", "\ud800"]),
        Record("toy", "3", 2, entries=[Acted(0, ())]),
        Record("toy", "3", 2, entries=[Acted(0, ("hold, hold",))]),
        Record("toy", "3", 2, entries=[Acted(0, ("hold (bot)",))]),
        Record("toy", "3", 2, entries=[Acted(0, ("hold",), "magic")]),
        Record("toy", "3", 2, entries=[Acted(-1, ("hold",))]),
        Record("toy", "3", 2, entries=[Pool(())]),
        Record("toy", "3", 2, entries=[Drawn(("C 1",))]),
        Record("toy", "3", 2, entries=[Commit(0, "ab" * 32)]),
        Record("toy", "3", 2, entries=[Reveal(1, "AB" * 32)]),
        Record("toy", "3", 2, entries=[Result(())]),
        Record("toy", "3", 2, entries=[Result((10**18,))]),
    ],
)
def test_nothing_is_written_that_could_not_be_read(record: Record) -> None:
    with pytest.raises(BadRecord):
        write(record)


def test_clean_makes_a_name_that_a_record_can_hold() -> None:
    assert clean("  ann\tof\u2028Green\ud800 ") == "ann of Green"
    assert clean("👩‍👧 Ünal") == "👩‍👧 Ünal"


def test_options_are_spelt_as_a_command_line_spells_them() -> None:
    assert spelt({"deals": 4, "expose": False, "pass_sequence": ["left", "none"]}) == {
        "deals": "4",
        "expose": "off",
        "pass_sequence": "left,none",
    }


# Replay


def test_the_example_replays() -> None:
    state = replay(read(EXAMPLE), TOY)
    assert state.over()
    assert state.scores() == [-3, 6]


def test_replay_stops_where_it_is_told() -> None:
    record = read(EXAMPLE)
    assert replay(record, TOY, upto=0).awaiting() is not None
    assert replay(record, TOY, upto=2).to_act() == 0b11
    assert replay(record, TOY, upto=3).to_act() == 0b01


def test_every_step_comes_with_its_events() -> None:
    record = played(deals=2)
    told = [(entry, [type(event) for event in events]) for entry, _, events in steps(record, TOY)]
    assert [entry for entry, _ in told] == record.entries
    assert [entry for entry, events in told if events == [Scored]] == [
        entry for entry in record.entries if isinstance(entry, Drawn) and entry.replace
    ]
    gathered: list[Event] = []
    assert replay(record, TOY, events=gathered).events is None
    assert [event.deal for event in gathered if isinstance(event, Scored)] == [1, 2]


def test_a_pool_may_be_left_out_by_hand() -> None:
    record = read(EXAMPLE)
    record.entries = [entry for entry in record.entries if not isinstance(entry, Pool)]
    assert replay(record, TOY).scores() == [-3, 6]


def test_the_pool_is_told_again_only_when_it_changes() -> None:
    deck = TOY.new({"deals": 1}, 2).awaiting()
    assert deck is not None
    pool, draw = drawn(TOY, deck, [5, 1], [])
    assert pool == Pool(("C1", "C2", "C3", "C4", "C5", "C6"))
    assert draw == Drawn(("C6", "C2"))
    assert drawn(TOY, deck, [0, 1], [pool, draw]) == [Drawn(("C1", "C2"))]
    other = Pool(("1", "2"))
    assert drawn(TOY, deck, [0, 1], [pool, draw, other]) == [pool, Drawn(("C1", "C2"))]


def test_rules_may_wait_for_a_draw_of_nothing() -> None:
    assert drawn(TOY, Draw([], 0), [], []) == [Drawn(())]
    assert write_entry(Drawn(())) == "draw"
    assert read_entry("draw") == Drawn(())
    assert read_entry("roll") == Drawn((), replace=True)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("toy 3", "chess 3", "a record of chess 3: expected toy, rules version 3"),
        ("toy 3", "toy 2", "a record of toy 2: expected toy, rules version 3"),
        (
            "seats 2\noption deals 1\nplayer 0 ann\nplayer 1 Zoë (the third)\n",
            "seats 3\n",
            "3 seats: expected 2",
        ),
        ("deals 1", "deals 9", "option deals=9: expected 1…5"),
        ("deals 1", "cards 9", "option cards: unknown, expected one of deals"),
        ("C6 C2", "C6 C6", "entry 2 (draw C6 C6): C6 is not in the pool or was drawn before"),
        ("draw C6 C2", "draw", "entry 2 (draw): 0 items: expected 2"),
        ("C6 C2", "C6", "entry 2 (draw C6): 1 items: expected 2"),
        ("C6 C2", "C6 C9", "entry 2 (draw C6 C9): C9 is not in the pool"),
        ("draw C6", "roll C6", "entry 2 (roll C6 C2): expected 'draw'"),
        ("C5 C6\n", "C6 C5\n", "entry 2 (draw C6 C2): expected the pool C1 C2 C3 C4 C5 C6 before it, found"),
        ("1 bid 1,1", "0 hold\n1 bid 1,1", "entry 5 (0 hold): a draw is due first"),
        ("1 bid 1,1", "0 bid 1,1", "entry 4 (0 hold): seat 0 is not to act"),
        ("1 bid 1,1", "1 raise", "entry 3 (1 raise (clock)): unknown action 'raise'"),
        ("1 bid 1,1", "2 hold", "entry 3 (2 hold (clock)): expected a seat from 0 to 1"),
        ("0 hold\n", "0 hold, hold\n", "entry 4 (0 hold, hold): a draw is due first"),
        ("0 hold\n", "draw C1 C2\n0 hold\n", "entry 4 (draw C1 C2): no draw is due here"),
        ("-3 6", "-3 7", "entry 7 (result -3 7): the match ends with -3 6"),
        ("0 hold\n", "result 0 0\n0 hold\n", "entry 4 (result 0 0): the match is not over here"),
        ("-3 6\n", "-3 6\n0 hold\n", "entry 8 (0 hold): only a reveal can follow the result"),
    ],
)
def test_what_does_not_replay_is_named(old: str, new: str, words: str) -> None:
    text = EXAMPLE.replace(old, new, 1)
    assert text != EXAMPLE
    with pytest.raises(BadRecord, match=f"^{re.escape(words)}"):
        replay(read(text), TOY)


def test_a_match_can_be_fed_while_it_is_played() -> None:
    record = read(EXAMPLE)
    replayer = Replayer(replace(record, entries=[]), TOY)
    for entry in record.entries:
        replayer.feed(entry)
    assert replayer.state.scores() == [-3, 6]


# Proof


def _at(record: Record, kind: type[Entry], nth: int = 0) -> int:
    return [at for at, entry in enumerate(record.entries) if isinstance(entry, kind)][nth]


def test_an_honest_match_is_proved() -> None:
    words = "the seed matches the commitment and gives 2 draws"
    assert verify(played(deals=2), TOY) == [Finding("proved", 1, words), Finding("proved", 2, words)]


def test_a_match_without_its_last_seed_is_open() -> None:
    first, second = verify(played(deals=2, reveal_last=False), TOY)
    assert first.kind == "proved"
    assert second == Finding("open", 2, "not yet revealed")
    unfinished = played(deals=2)
    del unfinished.entries[_at(unfinished, Drawn, 2) :]
    assert [finding.kind for finding in verify(unfinished, TOY)] == ["proved", "open"]


def _other_card(record: Record) -> None:
    at = _at(record, Drawn)
    entry = record.entries[at]
    assert isinstance(entry, Drawn)
    record.entries[at] = Drawn(entry.items[::-1])
    del record.entries[-1]  # the result would reveal it


def _other_roll(record: Record) -> None:
    at = _at(record, Drawn, 1)
    entry = record.entries[at]
    assert isinstance(entry, Drawn)
    record.entries[at] = Drawn(tuple("6" if info != "6" else "1" for info in entry.items), replace=True)
    del record.entries[-1]


def _other_seed(record: Record) -> None:
    record.entries[_at(record, Reveal)] = Reveal(1, "ab" * 32)


def _second_seed(record: Record) -> None:
    record.entries.append(Reveal(1, "ab" * 32))


def _no_commitment(record: Record) -> None:
    del record.entries[0]


def _late_commitment(record: Record) -> None:
    record.entries.insert(_at(record, Drawn, 0) + 1, record.entries.pop(0))


def _two_commitments(record: Record) -> None:
    record.entries.insert(0, record.entries[0])


def _early_seed(record: Record) -> None:
    reveal = record.entries.pop(_at(record, Reveal))
    record.entries.insert(1, reveal)


@pytest.mark.parametrize(
    ("tamper", "words"),
    [
        (_other_card, r"^draw 1 is C\d C\d, but the seed gives C\d C\d$"),
        (_other_roll, r"^draw 2 is \d \d, but the seed gives \d \d$"),
        (_other_seed, r"draw 1 is .*; the seed does not match the commitment$"),
        (_second_seed, r"^two seeds were revealed$"),
        (_no_commitment, r"^a draw comes before any commitment$"),
        (_late_commitment, r"^a draw comes before any commitment$"),
        (_two_commitments, r"^there are two commitments for this deal$"),
        (_early_seed, r"^draw 1 was made after the seed was revealed; draw 2 was made after"),
    ],
)
def test_tampering_is_found(tamper: Callable[[Record], None], words: str) -> None:
    record = played(deals=1, seed=4)
    assert verify(record, TOY)[0].kind == "proved"
    tamper(record)
    broken = [finding.words for finding in verify(record, TOY) if finding.kind == "broken"]
    assert broken
    assert any(re.search(words, found) for found in broken), broken


def test_a_seed_without_commitment_is_found() -> None:
    record = played(deals=1)
    record.entries.append(Reveal(9, "ab" * 32))
    assert verify(record, TOY)[-1] == Finding("broken", 9, "a seed was revealed without a commitment")


def test_a_record_that_does_not_replay_proves_nothing() -> None:
    record = played(deals=1)
    record.entries[-1] = Result((99, 99))
    with pytest.raises(BadRecord, match="the match ends with"):
        verify(record, TOY)
