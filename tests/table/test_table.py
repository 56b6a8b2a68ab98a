"""The table as a pure machine: every clock, pause and count here takes no time at all."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.core.chance import commitment
from croupier.core.contract import WATCHER, Event
from croupier.core.record import replay, verify
from croupier.games.hearts.events import (
    DealEnded,
    GameEnded,
    GameStarted,
    PassingStarted,
    Played,
    RoundEnded,
    RoundStarted,
)
from croupier.table import journal
from croupier.table.effects import Guest, Reply
from croupier.table.match import GRACE
from croupier.table.table import Table
from croupier.wire import talk
from croupier.wire.talk import CLOSED, GATHERING, PLAYING, RESTING
from tests.table.house import HEARTS, House, Wish, answer_once, chance, house, pass_all, seated


def test_the_game_starts_when_the_fourth_player_sits_down() -> None:
    full = house()
    for seat, name in enumerate(["ann", "bob", "cyd"]):
        assert full.join(name, seat) == [talk.Seated(seat, False)]
    assert full.table.phase == GATHERING
    full.join("dan", 3)
    assert full.table.phase == PLAYING
    assert all(full.table.asked(seat) is not None for seat in range(4))
    assert [e.kind for e in map(_tag, full.written) if e.kind != "sat"] == ["began", "committed", "drew"]


def test_a_table_that_must_be_started_waits_for_it() -> None:
    full = seated(start=False)
    assert full.table.phase == GATHERING
    assert full.ask("ann", 0, talk.Start()) == [talk.Accepted()]
    assert full.table.phase == PLAYING
    refused = full.ask("ann", 0, talk.Start())
    assert isinstance(refused[0], talk.Refused)
    assert refused[0].key == "not_now"


def test_three_cards_or_none() -> None:
    full = seated()
    before = full.table.view(0).facts()
    refused = full.act(0, "pass 2C", "pass 3C", "pass 4C")
    assert isinstance(refused[0], talk.Refused)
    assert refused[0].key == "not_yours"
    assert full.table.view(0).facts() == before
    assert full.table.asked(0) is not None


def test_an_answer_to_an_old_question_is_refused_and_a_repeated_one_has_one_effect() -> None:
    full = seated()
    asked = full.table.asked(0)
    assert asked is not None
    cards = full.table.view(0).facts()["hand"]
    assert isinstance(cards, list)
    codes = tuple(HEARTS.actions.parse(f"pass {card}") for card in cards[:3])
    assert full.ask("ann", 0, talk.Act(asked.turn, codes, "a")) == [talk.Accepted("a")]
    written = len(full.written)
    assert full.ask("ann", 0, talk.Act(asked.turn, codes, "b")) == [talk.Accepted("b")]
    other = full.ask("ann", 0, talk.Act(asked.turn, codes[::-1]))
    assert isinstance(other[0], talk.Refused)
    assert other[0].key == "stale"
    assert len(full.written) == written


def test_an_answer_that_comes_when_the_time_is_up_does_not_count() -> None:
    full = seated(pass_cards_timeout=3000)
    full.now = 3.0  # the answer is in the mailbox before the table has looked at its clock
    asked = full.table.asked(0)
    assert asked is not None
    refused = full.table.handle("ann", 0, talk.Act(asked.turn, (52, 53, 54)), full.now)
    assert isinstance(refused[0], Reply)
    assert isinstance(refused[0].note, talk.Refused)
    assert refused[0].note.key == "too_late"


def test_actions_that_lean_on_a_draw_come_too_soon() -> None:
    full = seated("open dummy dummy dummy", {"deals": 2})
    while len(full.table.view(0).facts()["hand"]) > 1 or full.table.view(0).facts()["phase"] != "playing":  # type: ignore[arg-type]
        answer_once(full)
    asked = full.table.asked(0)
    assert asked is not None
    last = full.table.view(0).legal[0]
    refused = full.ask("ann", 0, talk.Act(asked.turn, (last, 60)))
    if isinstance(refused[0], talk.Refused) and refused[0].key != "too_soon":
        # Others still had a card to play after ann: then it is simply not her turn any more.
        assert refused[0].key in ("not_your_turn", "wrong_phase")
    else:
        assert isinstance(refused[0], talk.Refused)
    assert full.table.view(0).legal == [last]


def test_a_late_seat_is_played_for_counted_and_marked() -> None:
    full = seated(pass_cards_timeout=3000, pick_card_timeout=1000, expose_cards_timeout=3000)
    full.wait(2.999)
    assert not any(isinstance(entry, journal.Acted) for entry in full.written)
    full.wait(0.001)
    acted = [entry for entry in full.written if isinstance(entry, journal.Acted)]
    assert [(a.seat, a.by, len(a.actions)) for a in acted] == [(s, "clock", 3) for s in range(4)]
    assert all(place.timeouts == 1 and place.late for place in full.table.places)


def test_late_passes_are_not_counted_when_only_turns_count() -> None:
    full = seated(count_timeouts="turns")
    full.wait(3.0)
    assert [place.timeouts for place in full.table.places] == [0, 0, 0, 0]
    full.wait(10.0)
    assert sum(place.timeouts for place in full.table.places) > 0


def test_a_wrong_answer_is_counted_and_the_server_decides_at_once() -> None:
    full = seated()
    asked = full.table.asked(2)
    assert asked is not None
    full.ask("cyd", 2, talk.Wrong(asked.turn))
    assert full.table.places[2].errors == 1
    assert full.table.asked(2) is None
    full.ask("cyd", 2, talk.Wrong(asked.turn))
    assert full.table.places[2].errors == 1


def test_an_absent_seat_is_served_by_the_same_clock_and_nothing_is_counted() -> None:
    full = seated()
    full.settle(full.table.lost("bob", 1, full.now))
    assert not full.table.places[1].connected
    full.wait(3.0)
    bob = [entry for entry in full.written if isinstance(entry, journal.Acted) and entry.seat == 1]
    assert [entry.by for entry in bob] == ["absent"]
    assert full.table.places[1].timeouts == 0
    assert not full.table.places[1].late


def test_without_a_clock_only_the_absent_are_played_for() -> None:
    full = seated(pass_cards_timeout=0)
    full.wait(10_000.0)
    assert not any(isinstance(entry, journal.Acted) for entry in full.written)
    assert full.table.wake() is None


def test_an_absent_seat_without_a_clock_gets_one() -> None:
    full = house(pass_cards_timeout=0, start=False)
    for seat, name in enumerate(["ann", "bob", "cyd", "dan"]):
        full.join(name, seat)
    full.ask("ann", 0, talk.Start())
    full.settle(full.table.lost("dan", 3, full.now))
    full.wait(GRACE + 1)
    assert [e.by for e in full.written if isinstance(e, journal.Acted) and e.seat == 3] == ["absent"]


def test_the_newest_connection_wins_the_seat_and_is_asked_again() -> None:
    full = seated()
    asked = full.table.asked(0)
    replies = full.ask("ann's other window", WATCHER, talk.Join(Wish("ann", 0)))
    assert full.cut == ["ann"]
    assert replies == [talk.Seated(0, True), talk.AskedNow(asked)]  # type: ignore[arg-type]
    assert full.table.lost("ann", 0, full.now) == []
    assert full.table.places[0].connected


def test_a_seat_is_not_given_to_somebody_with_another_token() -> None:
    full = seated()
    refused = full.join("eve", 0, token="guess")
    assert isinstance(refused[0], talk.Refused)
    assert refused[0].key == "seat_taken"


def test_a_seat_left_in_the_lobby_is_free_and_one_left_in_a_game_is_kept() -> None:
    full = house()
    full.join("ann", 0)
    full.settle(full.table.lost("ann", 0, full.now))
    assert full.table.places[0].name == ""
    full = seated()
    full.settle(full.table.lost("ann", 0, full.now))
    assert full.table.places[0].name == "ann"


def test_whoever_gets_up_in_a_game_leaves_the_seat_to_a_bot() -> None:
    full = seated()
    assert full.ask("ann", 0, talk.Leave("x"))[0] == talk.Accepted("x")
    assert full.table.places[0].kind == "bot"
    assert next(e for e in full.written if isinstance(e, journal.Acted)).by == "bot"


def test_pauses_are_kept_between_what_is_told_and_asked() -> None:
    full = seated(command_interval=500, round_interval=2000, deal_interval=2000)
    assert full.table.asked(0) is None, "new_deal comes first, the question half a second later"
    full.wait(0.5)
    assert isinstance(full.events(0)[-1], PassingStarted)
    start = full.now
    pass_all(full)
    full.wait(0.5)  # exposing starts
    while full.table.view(0).facts()["phase"] == "exposing":
        answer_once(full)
        full.wait(2.0)
    assert full.events(0)[-1].__class__ is RoundStarted
    assert [t - start for t, s, n in full.told if s == 0 and isinstance(n, talk.Told)][-1] == 2.5
    seat = answer_once(full)
    assert not isinstance(full.events(0)[-1], Played)
    assert full.table.asked(seat) is None
    full.wait(0.499)
    assert not isinstance(full.events(0)[-1], Played)
    full.wait(0.001)
    assert isinstance(full.events(0)[-1], Played)
    assert full.table.asked((seat + 1) % 4) is not None, "the next question follows at once"


def test_a_clock_starts_when_the_seat_is_asked_not_when_the_rules_went_on() -> None:
    full = seated("open dummy dummy dummy", command_interval=500, pass_cards_timeout=3000)
    full.wait(0.5)
    asked = full.table.asked(0)
    assert asked is not None
    assert asked.deadline == pytest.approx(3.5)


def test_a_decision_in_parts_has_one_clock() -> None:
    full = seated("open dummy dummy dummy", pass_cards_timeout=3000)
    full.wait(2.0)
    full.act(0, HEARTS.actions.name(full.table.view(0).legal[0]))
    asked = full.table.asked(0)
    assert asked is not None
    assert (asked.turn, asked.deadline) == (2, 3.0)
    full.wait(1.0)
    acted = [entry for entry in full.written if isinstance(entry, journal.Acted) and entry.seat == 0]
    assert [(entry.by, len(entry.actions)) for entry in acted[:2]] == [("", 1), ("clock", 2)]


def test_counts_start_again_with_each_game() -> None:
    full = seated(options={"match_games": 2}, auto_cycle=True, pick_card_timeout=1000)
    full.wait(70.0)
    ends = [i for i, (_, s, n) in enumerate(full.told) if s == 0 and _is(n, GameEnded)]
    starts = [i for i, (_, s, n) in enumerate(full.told) if s == 0 and _is(n, GameStarted)]
    assert len(starts) == 2
    assert ends[0] < starts[1]
    assert all(place.timeouts < 20 for place in full.table.places)


def test_a_match_rests_between_games_until_it_is_started() -> None:
    full = seated("dummy dummy dummy dummy", {"match_games": 2})
    full.settle([])
    assert full.table.phase == RESTING
    began = [e for e in full.written if isinstance(e, journal.Began)]
    full.ask("page", WATCHER, talk.Start())
    assert full.table.phase == GATHERING
    assert [e for e in full.written if isinstance(e, journal.Began)] == began, "the same match goes on"
    assert isinstance(full.written[-1], journal.Ended)
    assert full.written[-1].scores is not None


def test_other_players_begin_another_match() -> None:
    full = seated("open dummy dummy dummy", {"match_games": 2})
    while full.table.phase == PLAYING:
        answer_once(full)
    assert full.table.phase == RESTING
    full.settle(full.table.lost("ann", 0, full.now))
    full.join("eve", 0)
    full.ask("eve", 0, talk.Start())
    began = [e for e in full.written if isinstance(e, journal.Began)]
    assert [entry.players[0] for entry in began] == ["ann", "eve"]
    ended = [e for e in full.written if isinstance(e, journal.Ended)]
    assert [(entry.scores, entry.reason) for entry in ended] == [(None, "other players")]


def test_watchers_do_not_start_or_rearrange_a_table_where_players_sit() -> None:
    full = house(start=False)
    full.join("ann", 0)
    for request in (talk.Start(), talk.Arrange(("bot dummy",) * 4)):
        refused = full.ask("watcher", WATCHER, request)
        assert isinstance(refused[0], talk.Refused)
        assert refused[0].key == "not_seated"
    assert full.table.places[0].name == "ann"
    node = house(start=False, anybody_starts=True)
    node.join("ann", 0)
    assert node.ask("page", WATCHER, talk.Start()) == [talk.Accepted()]


def test_arranging_seats_is_refused_in_a_game_and_checked() -> None:
    full = seated()
    refused = full.ask("ann", 0, talk.Arrange(("bot dummy",) * 4))
    assert isinstance(refused[0], talk.Refused)
    assert refused[0].key == "not_now"
    empty = house(start=False)
    for seats in (("open",) * 3, ("open", "open", "open", "bot genius")):
        wrong = empty.ask("page", WATCHER, talk.Arrange(seats))
        assert isinstance(wrong[0], talk.Refused)
        assert wrong[0].key == "bad_seats"
    assert empty.ask("page", WATCHER, talk.Arrange(("bot dummy",) * 4)) == [talk.Accepted()]
    assert [place.name for place in empty.table.places] == ["player1", "player2", "player3", "player4"]


def test_whoever_was_sent_to_a_table_keeps_his_seat() -> None:
    guests = [Guest("ann", "a", True), Guest("bob", "b", True), None, None]
    full = house("person person dummy dummy", guests=guests, patience=60.0)
    full.join("ann", 0)
    refused = full.ask("ann", 0, talk.Arrange(("person", "bot dummy", "bot dummy", "bot dummy")))
    assert isinstance(refused[0], talk.Refused)
    assert refused[0].key == "not_now"
    assert full.table.places[1].name == "bob"


def test_no_bot_is_called_like_a_player() -> None:
    full = house(start=False)
    full.join("player2", 2)
    clash = full.ask("player2", 2, talk.Arrange(("open", "bot dummy", "open", "open")))
    assert isinstance(clash[0], talk.Refused)
    assert (clash[0].key, clash[0].words) == (
        "bad_seats",
        "seat 1 'bot dummy': the player in seat 2 is called player2, as its bot",
    )
    assert full.ask("player2", 2, talk.Arrange(("open", "open", "bot dummy", "open"))) == [talk.Accepted()]
    playing = house()
    for seat, name in enumerate(("ann", "bot1", "cyd", "dan")):
        playing.join(name, seat)
    playing.ask("ann", 0, talk.Leave())
    assert [place.name for place in playing.table.places] == ["bot2", "bot1", "cyd", "dan"]
    guests = [Guest("ann", "a", True), None, None, Guest("player2", "b", True)]
    expecting = house("person dummy dummy person", guests=guests, patience=60.0)
    assert [place.name for place in expecting.table.places] == ["ann", "player3", "player4", "player2"]


def test_the_holder_of_the_ace_is_asked_without_anybody_noticing() -> None:
    full = seated()
    pass_all(full)
    asked = [seat for seat in range(4) if full.table.asked(seat) is not None]
    assert len(asked) == 1
    for seat in (0, 1, 2, 3, WATCHER):
        known = full.table.view(seat).to_act
        assert known == (1 << seat if seat in asked else 0)
        turn = [n for _, s, n in full.told if s == seat and isinstance(n, talk.TurnChanged)][-1]
        assert (turn.deadline is not None) == (seat in asked)


def test_a_seed_is_committed_to_before_its_deal_and_revealed_after_it() -> None:
    full = seated("dummy dummy dummy dummy", {"deals": 2})
    full.settle([])
    notes = [n for _, s, n in full.told if s == WATCHER]
    order = [type(n).__name__ if not isinstance(n, talk.Told) else type(n.event).__name__ for n in notes]
    wanted = [name for name in order if name in ("Committed", "DealStarted", "DealEnded", "Revealed")]
    assert wanted == ["Committed", "DealStarted", "DealEnded", "Revealed"] * 2
    commits = [n for n in notes if isinstance(n, talk.Committed)]
    reveals = [n for n in notes if isinstance(n, talk.Revealed)]
    for commit, reveal in zip(commits, reveals, strict=True):
        assert commitment(bytes.fromhex(reveal.seed)) == commit.digest


def test_the_journal_gives_a_record_that_replays_and_verifies() -> None:
    full = seated("dummy dummy dummy dummy", {"deals": 2})
    full.settle([])
    first = next(i for i, e in enumerate(full.written) if isinstance(e, journal.Began))
    record = journal.record_of(HEARTS, full.table.rules_options, full.table.seed, full.written[first:])
    ended = full.written[-1]
    assert isinstance(ended, journal.Ended)
    assert replay(record, HEARTS).scores() == ended.scores
    assert [finding.kind for finding in verify(record, HEARTS)] == ["proved", "proved"]


def test_numbers_have_no_holes_and_a_returning_seat_gets_what_it_missed() -> None:
    full = seated()
    pass_all(full)
    numbers = [n.number for _, s, n in full.told if s == 1 and isinstance(n, talk.Told)]
    assert numbers == list(range(1, len(numbers) + 1))
    missed = full.table.missed(1, numbers[-3])
    assert missed is not None
    assert [told.number for told in missed] == numbers[-2:]
    assert full.table.missed(1, numbers[-1]) == []
    assert full.table.missed(1, numbers[-1] + 1) is None
    assert full.table.missed(1, -1) is None


def test_a_closed_table_refuses_everything() -> None:
    full = seated()
    full.settle(full.table.close("enough", full.now))
    assert full.table.phase == CLOSED
    assert isinstance(full.written[-1], journal.Closed)
    refused = full.ask("ann", 0, talk.Start())
    assert isinstance(refused[0], talk.Refused)
    assert refused[0].key == "closed"


def test_talk_reaches_everybody_and_only_from_a_seat() -> None:
    full = seated()
    full.ask("bob", 1, talk.Say("good luck", 5))
    heard = [(s, n) for _, s, n in full.told if isinstance(n, talk.Said)]
    assert heard == [(s, talk.Said(1, "bob", "good luck")) for s in (0, 1, 2, 3, WATCHER)]
    for request in (talk.Say("psst"), talk.Leave(), talk.Act(1, (0,))):
        refused = full.ask("watcher", WATCHER, request)
        assert isinstance(refused[0], talk.Refused)
        assert refused[0].key == "not_joined"


def test_the_same_seed_gives_the_same_match() -> None:
    one, two = house("dummy dummy dummy dummy"), house("dummy dummy dummy dummy")
    one.settle([])
    two.settle([])
    assert one.written == two.written
    assert isinstance(one.written[-1], journal.Ended)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_a_table_killed_anywhere_comes_back_as_it_was(data: st.DataObject) -> None:
    full = seated("open dummy open dummy", {"deals": 2, "match_games": 2})
    for _ in range(data.draw(st.integers(0, 80), label="decisions")):
        if data.draw(st.integers(0, 9), label="dice") == 0:
            full.wait(1.0)
        elif answer_once(full, lambda seat, legal: data.draw(st.sampled_from(legal), label="action")) < 0:
            break
    twin = House(Table(full.table.setup, chance, lambda: "2026-11-15T20:00:00Z"), written=full.written[:])
    twin.settle(twin.table.restore([journal.decode(journal.encode(e)) for e in full.written], 0.0))
    if full.table.phase == PLAYING:
        assert twin.table.phase == PLAYING
        assert all(twin.table.asked(seat) is None for seat in range(4)), "it waits for its players first"
        for seat in (0, 2):
            twin.ask(
                full.table.places[seat].name, WATCHER, talk.Join(Wish(full.table.places[seat].name, seat))
            )
        full.settle([])
        for seat in range(4):
            mine, yours = full.table.asked(seat), twin.table.asked(seat)
            assert (mine and mine.turn) == (yours and yours.turn)
    for seat in (0, 1, 2, 3, WATCHER):
        if full.table.phase == PLAYING:
            assert twin.table.view(seat).facts() == full.table.view(seat).facts()
            assert twin.table.view(seat).legal == full.table.view(seat).legal
            assert twin.table.number(seat) == full.table.number(seat)
    assert [(p.name, p.timeouts, p.errors) for p in twin.table.places if full.table.phase == PLAYING] == [
        (p.name, p.timeouts, p.errors) for p in full.table.places if full.table.phase == PLAYING
    ]


def test_after_a_restart_the_table_does_not_wait_for_ever() -> None:
    full = seated()
    twin = House(Table(full.table.setup, chance, lambda: ""), written=full.written[:])
    twin.settle(twin.table.restore(full.written, 0.0))
    assert twin.table.wake() == GRACE
    twin.wait(GRACE)
    assert twin.table.asked(0) is not None


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
    assert {Played, RoundEnded, DealEnded, GameEnded} <= kinds


def _tag(entry: journal.AnyEntry) -> _Tag:
    return _Tag(type(entry).__struct_config__.tag)


@dataclass(frozen=True)
class _Tag:
    kind: object


def _is(note: talk.Note, kind: type[Event]) -> bool:
    return isinstance(note, talk.Told) and isinstance(note.event, kind)
