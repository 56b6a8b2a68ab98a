"""A table with the real shell in virtual time: clocks, pauses, seats, matches, restarts."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.bots.strengths import filler
from croupier.core.chance import commitment
from croupier.core.contract import WATCHER, Event
from croupier.core.record import replay, verify
from croupier.games.hearts import GAME
from croupier.games.hearts.events import (
    DealEnded,
    GameEnded,
    GameStarted,
    PassingStarted,
    Played,
    TrickStarted,
    TrickTaken,
)
from croupier.table import journal
from croupier.table.clock import GRACE
from croupier.testing.clock import START
from croupier.testing.strategies import examples
from croupier.wire import talk
from croupier.wire.bot_names import bot_name
from croupier.wire.table_spec import Guest
from croupier.wire.talk import CLOSED, GATHERING, PLAYING, RESTING, token_digest
from tests.table.recorded import HEARTS, answer_once, pass_all, refused, seated, table


def test_the_game_starts_when_the_fourth_player_joins() -> None:
    full = table()
    for seat, name in enumerate(["ann", "bob", "cyd"]):
        assert full.join(name, seat) == [talk.Seated(seat, False)]
    assert full.table.phase == GATHERING
    full.join("dan", 3)
    assert full.table.phase == PLAYING
    assert all(full.table.asked(seat) is not None for seat in range(4))
    assert [e.kind for e in map(_tag, full.journal) if e.kind != "sat"] == ["began", "committed", "drew"]


def test_a_table_that_must_be_started_waits_for_it() -> None:
    full = seated(start=False)
    assert full.table.phase == GATHERING
    assert full.ask("ann", talk.Start()) == [talk.Accepted()]
    assert full.table.phase == PLAYING
    assert refused(full.ask("ann", talk.Start())) == "not_now"


def test_three_cards_are_passed_together_or_not_at_all() -> None:
    full = seated()
    before = full.table.view(0).facts()
    assert refused(full.act(0, "pass 2C", "pass 3C", "pass 4C")) == "not_yours"
    assert full.table.view(0).facts() == before
    assert full.table.asked(0) is not None


def test_an_answer_to_an_old_question_is_refused_and_a_repeated_one_takes_effect_once() -> None:
    full = seated()
    asked = full.table.asked(0)
    assert asked is not None
    cards = full.table.view(0).facts()["hand"]
    assert isinstance(cards, list)
    codes = tuple(HEARTS.actions.parse(f"pass {card}") for card in cards[:3])
    assert full.ask("ann", talk.Act(asked.turn, codes, "a")) == [talk.Accepted("a")]
    written = len(full.journal)
    assert full.ask("ann", talk.Act(asked.turn, codes, "b")) == [talk.Accepted("b")]
    assert refused(full.ask("ann", talk.Act(asked.turn, codes[::-1]))) == "stale"
    assert len(full.journal) == written


def test_an_answer_after_the_deadline_does_not_count() -> None:
    full = seated(pass_cards_timeout=3000)
    asked = full.table.asked(0)
    assert asked is not None
    ann = full.at[0].connection
    assert ann.shell is not None
    # The answer is in the mailbox before the table has checked its clock.
    full.call(ann.shell.post, ann, talk.Act(asked.turn, (52, 53, 54)), after=3.0)
    full.advance(3.0)
    assert [note.key for _, note in full.told(0) if isinstance(note, talk.Refused)] == ["too_late"]


def test_actions_that_depend_on_a_draw_are_refused() -> None:
    full = seated("open dummy dummy dummy", {"deals": 2})
    while len(full.table.view(0).facts()["hand"]) > 1 or full.table.view(0).facts()["phase"] != "playing":  # type: ignore[arg-type]
        answer_once(full)
    asked = full.table.asked(0)
    assert asked is not None
    last = full.table.view(0).legal[0]
    [refused] = full.ask("ann", talk.Act(asked.turn, (last, 60)))
    assert isinstance(refused, talk.Refused)
    assert refused.key == "too_soon"
    assert full.table.view(0).legal == [last]


def test_a_late_seat_gets_a_stand_in_decision_and_is_counted_and_marked() -> None:
    full = seated(pass_cards_timeout=3000, pick_card_timeout=1000, expose_cards_timeout=3000)
    full.advance(2.999)
    assert not any(isinstance(entry, journal.Acted) for entry in full.journal)
    full.advance(0.001)
    acted = [entry for entry in full.journal if isinstance(entry, journal.Acted)]
    assert [(a.seat, a.by, len(a.actions)) for a in acted] == [(s, "clock", 3) for s in range(4)]
    assert all(place.timeouts == 1 and place.late for place in full.table.places)


def test_late_passes_are_not_counted_when_only_turns_count() -> None:
    full = seated(count_timeouts="turns")
    full.advance(3.0)
    assert [place.timeouts for place in full.table.places] == [0, 0, 0, 0]
    full.advance(10.0)
    assert sum(place.timeouts for place in full.table.places) > 0


def test_a_wrong_answer_is_counted_and_the_server_decides_at_once() -> None:
    full = seated()
    asked = full.table.asked(2)
    assert asked is not None
    full.ask("cyd", talk.Wrong(asked.turn))
    assert full.table.places[2].errors == 1
    assert full.table.asked(2) is None
    full.ask("cyd", talk.Wrong(asked.turn))
    assert full.table.places[2].errors == 1


def test_an_absent_seat_has_the_same_clock_and_nothing_is_counted() -> None:
    full = seated()
    full.drop(1)
    assert not full.table.places[1].connected
    full.advance(3.0)
    bob = [entry for entry in full.journal if isinstance(entry, journal.Acted) and entry.seat == 1]
    assert [entry.by for entry in bob] == ["absent"]
    assert full.table.places[1].timeouts == 0
    assert not full.table.places[1].late


def test_without_a_clock_the_stand_in_decides_only_for_absent_players() -> None:
    full = seated(pass_cards_timeout=0)
    full.advance(10_000.0)
    assert not any(isinstance(entry, journal.Acted) for entry in full.journal)
    assert full.table.wake() is None


def test_an_absent_seat_without_a_clock_gets_one() -> None:
    full = table(pass_cards_timeout=0, start=False)
    for seat, name in enumerate(["ann", "bob", "cyd", "dan"]):
        full.join(name, seat)
    full.ask("ann", talk.Start())
    full.drop(3)
    full.advance(GRACE + 1)
    assert [e.by for e in full.journal if isinstance(e, journal.Acted) and e.seat == 3] == ["absent"]


def test_the_newest_connection_gets_the_seat_and_is_asked_again() -> None:
    full = seated()
    asked = full.table.asked(0)
    old = full.at[0]
    assert full.join("ann", 0, by="ann's other window") == [talk.Seated(0, True)]
    assert full.told(0)[-1][1] == talk.AskedNow(asked)  # type: ignore[arg-type]  # it was asked above
    assert old.disconnected is not None
    assert old.disconnected.code == 4001
    old.drop()
    assert full.table.places[0].connected


def test_a_seat_is_not_given_to_a_player_with_another_token() -> None:
    full = seated()
    assert refused(full.join("eve", 0, token="guess")) == "seat_taken"


def test_a_lost_connection_frees_the_seat_before_a_game_and_keeps_it_during_one() -> None:
    full = table()
    full.join("ann", 0)
    full.drop(0)
    assert full.table.places[0].name == ""
    full = seated()
    full.drop(0)
    assert full.table.places[0].name == "ann"


def test_a_bot_takes_the_seat_of_a_player_who_leaves_during_a_game() -> None:
    full = seated()
    assert full.ask("ann", talk.Leave("x"))[0] == talk.Accepted("x")
    assert full.table.places[0].kind == "bot"
    assert next(e for e in full.journal if isinstance(e, journal.Acted)).by == "bot"


def test_pauses_are_kept_between_what_is_told_and_asked() -> None:
    full = seated(command_interval=500, round_interval=2000, deal_interval=2000)
    assert full.table.asked(0) is None, "new_deal comes first, the question half a second later"
    full.advance(0.5)
    assert isinstance(full.events(0)[-1], PassingStarted)
    start = full.now
    pass_all(full)
    full.advance(0.5)  # exposing starts
    while full.table.view(0).facts()["phase"] == "exposing":
        answer_once(full)
        full.advance(2.0)
    assert full.events(0)[-1].__class__ is TrickStarted
    assert [t - start for t, n in full.told(0) if isinstance(n, talk.Told)][-1] == 2.5
    seat = answer_once(full)
    assert not isinstance(full.events(0)[-1], Played)
    assert full.table.asked(seat) is None
    full.advance(0.499)
    assert not isinstance(full.events(0)[-1], Played)
    full.advance(0.001)
    assert isinstance(full.events(0)[-1], Played)
    assert full.table.asked((seat + 1) % 4) is not None, "the next question follows at once"


def test_a_player_among_bots_may_end_a_pause() -> None:
    alone = seated("open dummy dummy dummy", command_interval=5000)
    assert alone.table.asked(0) is None
    assert alone.ask("ann", talk.Continue("x")) == [talk.Accepted("x")]
    assert alone.table.asked(0) is not None, "the question follows without the pause"
    full = seated(command_interval=5000)
    (refused,) = full.ask("ann", talk.Continue("x"))
    assert isinstance(refused, talk.Refused)
    assert refused.key == "not_alone"
    full.advance(4.9)
    assert full.table.asked(0) is None


def test_a_clock_starts_when_the_seat_is_asked() -> None:
    full = seated("open dummy dummy dummy", command_interval=500, pass_cards_timeout=3000)
    full.advance(0.5)
    asked = full.table.asked(0)
    assert asked is not None
    assert asked.deadline == pytest.approx(START + 3.5)


def test_a_decision_in_parts_has_one_clock() -> None:
    full = seated("open dummy dummy dummy", pass_cards_timeout=3000)
    full.advance(2.0)
    full.act(0, HEARTS.actions.name(full.table.view(0).legal[0]))
    asked = full.table.asked(0)
    assert asked is not None
    assert (asked.turn, asked.deadline) == (2, START + 3.0)
    full.advance(1.0)
    acted = [entry for entry in full.journal if isinstance(entry, journal.Acted) and entry.seat == 0]
    assert [(entry.by, len(entry.actions)) for entry in acted[:2]] == [("", 1), ("clock", 2)]


def test_counts_start_again_with_each_game() -> None:
    full = seated(options={"match_games": 2}, auto_cycle=True, pick_card_timeout=1000)
    full.advance(70.0)
    ends = [i for i, (_, n) in enumerate(full.told(0)) if _is(n, GameEnded)]
    starts = [i for i, (_, n) in enumerate(full.told(0)) if _is(n, GameStarted)]
    assert len(starts) == 2
    assert ends[0] < starts[1]
    assert all(place.timeouts < 20 for place in full.table.places)


def test_a_match_rests_between_games_until_it_is_started() -> None:
    full = table("dummy dummy dummy dummy", {"match_games": 2})
    assert full.table.phase == RESTING
    began = [e for e in full.journal if isinstance(e, journal.Began)]
    full.ask("page", talk.Start())
    assert full.table.phase == GATHERING
    assert [e for e in full.journal if isinstance(e, journal.Began)] == began, "the same match continues"
    assert isinstance(full.journal[-1], journal.Ended)
    assert full.journal[-1].scores is not None


def test_other_players_begin_another_match() -> None:
    full = seated("open dummy dummy dummy", {"match_games": 2})
    while full.table.phase == PLAYING:
        answer_once(full)
    assert full.table.phase == RESTING
    full.drop(0)
    full.join("eve", 0)
    full.ask("eve", talk.Start())
    began = [e for e in full.journal if isinstance(e, journal.Began)]
    assert [entry.players[0] for entry in began] == ["ann", "eve"]
    ended = [e for e in full.journal if isinstance(e, journal.Ended)]
    assert [(entry.scores, entry.reason) for entry in ended] == [(None, "other players")]


def test_watchers_do_not_start_or_rearrange_a_table_where_players_sit() -> None:
    full = table(start=False)
    full.join("ann", 0)
    for request in (talk.Start(), talk.Arrange(("bot dummy",) * 4)):
        assert refused(full.ask("watcher", request)) == "not_seated"
    assert full.table.places[0].name == "ann"
    node = table(start=False, anybody_starts=True)
    node.join("ann", 0)
    assert node.ask("page", talk.Start()) == [talk.Accepted()]


def test_arranging_seats_is_refused_in_a_game_and_checked() -> None:
    full = seated()
    assert refused(full.ask("ann", talk.Arrange(("bot dummy",) * 4))) == "not_now"
    empty = table(start=False)
    for seats in (("open",) * 3, ("open", "open", "open", "bot genius")):
        assert refused(empty.ask("page", talk.Arrange(seats))) == "bad_seats"
    assert empty.ask("page", talk.Arrange(("bot dummy",) * 4)) == [talk.Accepted()]
    assert [place.name for place in empty.table.places] == ["player1", "player2", "player3", "player4"]


def test_guests_keep_their_seats() -> None:
    guests = [Guest("ann", token_digest("secret")), Guest("bob", "b"), None, None]
    full = table("person person dummy dummy", guests=guests, patience=60.0)
    full.join("ann", 0)
    assert (
        refused(full.ask("ann", talk.Arrange(("person", "bot dummy", "bot dummy", "bot dummy")))) == "not_now"
    )
    assert full.table.places[1].name == "bob"


def test_no_bot_has_the_name_of_a_player() -> None:
    full = table(start=False)
    full.join("player2", 2)
    clash = full.ask("player2", talk.Arrange(("open", "bot dummy", "open", "open")))
    assert isinstance(clash[0], talk.Refused)
    assert (clash[0].key, clash[0].words) == (
        "bad_seats",
        "seat 1 'bot dummy': the player in seat 2 already has its name, player2",
    )
    assert full.ask("player2", talk.Arrange(("open", "open", "bot dummy", "open"))) == [talk.Accepted()]
    playing = table()
    usual, other = (bot_name(seat, filler(GAME)) for seat in (0, 1))
    for seat, name in enumerate(("ann", usual, "cyd", "dan")):
        playing.join(name, seat)
    playing.ask("ann", talk.Leave())
    assert [place.name for place in playing.table.places] == [other, usual, "cyd", "dan"]
    guests = [Guest("ann", "a", True), None, None, Guest("player2", "b", True)]
    expecting = table("person dummy dummy person", guests=guests, patience=60.0)
    assert [place.name for place in expecting.table.places] == ["ann", "player3", "player4", "player2"]


def test_the_question_to_the_holder_of_the_ace_is_secret() -> None:
    full = seated()
    pass_all(full)
    asked = [seat for seat in range(4) if full.table.asked(seat) is not None]
    assert len(asked) == 1
    for seat in (0, 1, 2, 3, WATCHER):
        known = full.table.view(seat).to_act
        assert known == (1 << seat if seat in asked else 0)
        turn = [n for _, n in full.told(seat) if isinstance(n, talk.TurnChanged)][-1]
        assert (turn.deadline is not None) == (seat in asked)


def test_a_seed_is_committed_to_before_its_deal_and_revealed_after_it() -> None:
    full = table("dummy dummy dummy dummy", {"deals": 2}, start=False)
    full.ask("page", talk.Start())
    notes = [n for _, n in full.told(WATCHER)]
    order = [type(n).__name__ if not isinstance(n, talk.Told) else type(n.event).__name__ for n in notes]
    wanted = [name for name in order if name in ("Committed", "DealStarted", "DealEnded", "Revealed")]
    assert wanted == ["Committed", "DealStarted", "DealEnded", "Revealed"] * 2
    commits = [n for n in notes if isinstance(n, talk.Committed)]
    reveals = [n for n in notes if isinstance(n, talk.Revealed)]
    for commit, reveal in zip(commits, reveals, strict=True):
        assert commitment(bytes.fromhex(reveal.seed)) == commit.digest


def test_the_journal_gives_a_record_that_replays_and_verifies() -> None:
    full = table("dummy dummy dummy dummy", {"deals": 2})
    first = next(i for i, e in enumerate(full.journal) if isinstance(e, journal.Began))
    record = journal.record_of(HEARTS, full.table.rules_options, full.table.seed, full.journal[first:])
    ended = full.journal[-1]
    assert isinstance(ended, journal.Ended)
    assert replay(record, HEARTS).scores() == ended.scores
    assert [finding.kind for finding in verify(record, HEARTS)] == ["given", "given"]


def test_numbers_have_no_holes_and_a_returning_seat_gets_what_it_missed() -> None:
    full = seated()
    pass_all(full)
    told = [note for _, note in full.told(1) if isinstance(note, talk.Told)]
    last = len(told)
    assert full.table.number(1) == last
    assert full.table.missed(1, last - 2) == [(last - 1, told[-2]), (last, told[-1])]
    assert full.table.missed(1, last) == []
    assert full.table.missed(1, last + 1) is None
    assert full.table.missed(1, -1) is None


def test_a_closed_table_refuses_everything() -> None:
    full = seated()
    full.store.delay = 1.0
    full.call(lambda: asyncio.ensure_future(full.all_tables.close_table("t1", "enough")))
    full.submit(full.at[0], talk.Start("while that is being stored"))
    full.advance(1.0)
    assert full.table.phase == CLOSED
    assert isinstance(full.journal[-1], journal.Closed)
    assert [note.key for _, note in full.told(0) if isinstance(note, talk.Refused)] == ["closed"]


def test_only_players_may_chat_and_all_connections_get_it() -> None:
    full = seated()
    full.ask("bob", talk.Say("good luck", 5))
    for seat in (0, 1, 2, 3, WATCHER):
        heard = [note for _, note in full.told(seat) if isinstance(note, talk.Said)]
        assert heard == [talk.Said(1, "bob", "good luck")]
    for request in (talk.Say("psst"), talk.Leave(), talk.Act(1, (0,))):
        assert refused(full.ask("watcher", request)) == "not_joined"


def test_the_same_seed_gives_the_same_match() -> None:
    one, two = table("dummy dummy dummy dummy"), table("dummy dummy dummy dummy")
    assert one.journal == two.journal
    assert isinstance(one.journal[-1], journal.Ended)


@examples(25)
@given(st.data())
def test_a_table_killed_at_any_time_is_restored_as_it_was(data: st.DataObject) -> None:
    full = seated("open dummy open dummy", {"deals": 2, "match_games": 2})
    for _ in range(data.draw(st.integers(0, 80), label="decisions")):
        if data.draw(st.integers(0, 9), label="dice") == 0:
            full.advance(1.0)
        elif answer_once(full, lambda seat, legal: data.draw(st.sampled_from(legal), label="action")) < 0:
            break
    before = full.table
    full.restart()
    again = full.table
    if before.phase != PLAYING:
        return
    assert again.phase == PLAYING
    assert all(again.asked(seat) is None for seat in range(4)), "it waits for its players first"
    for seat in (0, 2):
        full.join(before.places[seat].name, seat)
    for seat in range(4):
        mine, yours = before.asked(seat), again.asked(seat)
        assert (mine and mine.turn) == (yours and yours.turn)
    for seat in (0, 1, 2, 3, WATCHER):
        assert again.view(seat).facts() == before.view(seat).facts()
        assert again.view(seat).legal == before.view(seat).legal
        assert again.number(seat) == before.number(seat)
    for one in ("name", "timeouts", "errors"):
        assert [getattr(p, one) for p in again.places] == [getattr(p, one) for p in before.places]


def test_after_a_restart_the_wait_for_players_is_limited() -> None:
    full = seated()
    full.restart()
    assert full.table.wake() == full.now + GRACE
    full.advance(GRACE)
    assert full.table.asked(0) is not None


def test_views_told_equal_the_rules_own_views_when_everything_is_told() -> None:
    full = seated(options={"deals": 2})
    while full.table.phase == PLAYING:
        assert full.table.state is not None
        for seat in (0, 1, 2, 3, WATCHER):
            view = full.table.state.view(seat)
            told = full.table.view(seat)
            assert told.facts() == view.facts()
            assert (told.to_act, told.legal) == (view.to_act, view.legal)
        answer_once(full)
    kinds = {type(event) for event in full.events(0)}
    assert {Played, TrickTaken, DealEnded, GameEnded} <= kinds


def _tag(entry: journal.AnyEntry) -> _Tag:
    return _Tag(type(entry).__struct_config__.tag)


@dataclass(frozen=True)
class _Tag:
    kind: object


def _is(note: talk.Note, kind: type[Event]) -> bool:
    return isinstance(note, talk.Told) and isinstance(note.event, kind)
