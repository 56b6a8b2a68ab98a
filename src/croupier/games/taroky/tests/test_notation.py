"""Taroky Notation: the specification's strings, its laws and properties on random deals."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from croupier.core.contract import WATCHER
from croupier.games.taroky import GAME
from croupier.games.taroky.notation import Notation, NotationError, game_fields, of_state, of_view, write
from croupier.games.taroky.reader import parse
from croupier.games.taroky.scoring import points
from croupier.games.taroky.tests.positions import (
    GAME_A,
    GAME_B,
    SEED_DEAL,
    SEED_UNI,
    any_deal,
    cards,
    fresh,
    walk,
    whole_deal,
)
from croupier.games.taroky.vocabulary import GIVEN, LIMIT, PREVER, RETURNED
from croupier.testing.strategies import examples

SEEDS = st.integers(0, 2**32)
FEW = examples(25)
MANY = examples(200)


# The annotated games (spec 6)


@pytest.mark.parametrize("text", [GAME_A, GAME_B, SEED_DEAL, SEED_UNI])
def test_the_examples_are_canonical(text: str) -> None:
    assert write(parse(text)) == text


def test_the_annotated_games_have_29_fields() -> None:
    assert len(GAME_A.split("/")) == len(GAME_B.split("/")) == 29


def test_game_a_settles_as_annotated() -> None:
    game = parse(GAME_A)
    assert game.phase_name() == "finished"
    assert game.gifts[0] == RETURNED
    assert [len(laid) for laid in game.discards] == [4, 1, 1, 0]
    assert [int(points_of(laid)) for laid in game.discards] == [5, 2, 4, 0]
    result = game.result()
    assert result.money == [10, -6, 2, -6]
    assert result.declarers == 0b0101
    assert result.points == [66, 40]
    assert result.steps == [("distance", 13), ("base", 5), ("contra", 4), ("iote", 4)]
    assert (result.x, result.payments, result.chips) == (24, [24, -24, 24, -24], [134, 70, 126, 70])


def test_game_b_settles_as_annotated() -> None:
    result = parse(GAME_B).result()
    assert result.money == [-4, 4, 4, -4]
    assert result.declarers == 0b0010
    assert result.points == [44, 62]
    assert (result.x, result.payments, result.chips) == (-26, [26, -78, 26, 26], [122, 26, 130, 122])


def points_of(laid: list[int]) -> int:
    return int(points(sum(1 << card for card in laid)))


TALLY_A = [
    (9, 6),
    (9, 14),
    (17, 14),
    (17, 26),
    (26, 26),
    (26, 30),
    (35, 30),
    (35, 36),
    (35, 40),
    (41, 40),
    (52, 40),
]
TALLY_A.append((66, 40))
TALLY_B = [(6, 17), (10, 17), (19, 17), (32, 17), (40, 17), (40, 24), (40, 29), (44, 29), (44, 33), (44, 41)]
TALLY_B += [(44, 48), (44, 62)]


@pytest.mark.parametrize(
    ("text", "side", "start", "tally"),
    [(GAME_A, (1, 3), (9, 2), TALLY_A), (GAME_B, (2,), (6, 6), TALLY_B)],
)
def test_points_trick_by_trick(
    text: str, side: tuple[int, ...], start: tuple[int, int], tally: list[tuple[int, int]]
) -> None:
    game = parse(text)
    ours, theirs = start
    found = []
    for trick, winner in zip(game.tricks, game.winners, strict=True):
        if winner in side:
            ours += points_of(trick)
        else:
            theirs += points_of(trick)
        found.append((ours, theirs))
    assert found == tally


@pytest.mark.parametrize(
    ("after", "phase", "turn"),
    [
        ("T12T06T08CKT14D4", "prever", 0),
        ("GR2", "discard", 0),
        ("D3HJH3S1CJSQ", "moneycards", 0),
        ("R1H3", "partner", 0),
        ("8", "valat", 0),
        ("8/", "contra", 1),
        ("C4C3", "iote", 0),
        ("I1", "play", 0),
        ("C4CKT02C12", "play", 1),
        ("C4CKT02C12/H2HK", "play", 3),
    ],
)
def test_partial_strings_of_game_a(after: str, phase: str, turn: int) -> None:  # spec 6.1
    head = GAME_A.partition(f"/{after.partition('/')[0]}/")[0]
    text = f"{head}/{after}/{GAME_A.rpartition('/')[2]}"
    game = parse(text)
    assert game.phase_name() == phase
    assert game.state is not None
    assert game.state.turn == turn
    assert write(game) == text


# The laws (spec 2.3) on random deals


@pytest.mark.slow
@FEW
@given(SEEDS)
def test_what_is_written_reads_back_at_every_step(seed: int) -> None:
    games = {write(game): game for game in any_deal(seed)}
    assert len(games) > 10
    for text, game in games.items():
        again = parse(text)
        assert again == game
        assert write(again) == text


@FEW
@given(SEEDS)
def test_every_prefix_is_canonical(seed: int) -> None:
    game = whole_deal(seed)
    game.settings.known["timeout"] = 30000
    game.settings.unknown = [("Foo_1", "a b"), ("x", "")]
    game.settings.pn = seed % 4
    fields = game_fields(game)
    phases = []
    for many in range(9, len(fields) + 1):
        text = "/".join([*fields[:many], game.settings.write()])
        again = parse(text)
        assert write(again) == text
        phases.append(again.phase_name())
    assert phases[0] == "prever"
    assert phases[-1] == "finished"
    assert phases.count("play") == 12
    for many in range(9):
        with pytest.raises(NotationError) as caught:
            parse("/".join([*fields[:many], game.settings.write()]))
        assert caught.value.reason == "too_few_fields"


@FEW
@given(SEEDS, st.data())
def test_empty_fields_may_be_omitted(seed: int, data: st.DataObject) -> None:
    game = whole_deal(seed)
    fields = game_fields(game)
    kept = [field for n, field in enumerate(fields) if field or data.draw(st.booleans(), label=str(n))]
    assert parse("/".join([*kept, game.settings.write()])) == game


@FEW
@given(SEEDS)
@example(1584515)
def test_an_open_trick_reads_back(seed: int) -> None:
    game = whole_deal(seed)
    fields = game_fields(game)
    rng = Random(seed)
    first = len(fields) - 12
    at = rng.randrange(first, len(fields))
    trick = game.tricks[at - first]
    many = rng.randint(1, 3)
    token = len("".join(CARD_NAMES[card] for card in trick[:many]))
    settings = write(game).rpartition("/")[2]  # for example the order of the red cards
    text = "/".join([*fields[:at], fields[at][:token], settings])
    again = parse(text)
    assert again.open == trick[:many]
    assert again.phase_name() == "play"
    # A settings field that is not empty may differ only in settings.
    assert write(again).rpartition("/")[0] == text.rpartition("/")[0]


CARD_NAMES = [name.split()[1] for name in GAME.actions.names[7:]]


# The properties (spec 10)


@FEW
@given(SEEDS)
def test_an_accepted_string_replays_through_the_public_actions(seed: int) -> None:
    text = write(whole_deal(seed))
    game = parse(text)
    state = GAME.new(GAME.options.read(game.options()), 4)
    state.apply_draw(game.draw())
    for seat, action in game.actions():
        assert action in state.legal_actions(seat)
        state.apply(seat, action)
    assert state.over()
    assert of_state(state).key()[:-1] == game.key()[:-1]
    assert state.scores() == game.result().chips
    assert of_view(state.view(WATCHER)) == of_state(state)


@FEW
@given(SEEDS)
def test_a_notation_settles_as_its_match_did(seed: int) -> None:
    rng = Random(seed)
    state = fresh(hands=1, first_povinnost=str(seed % 4))
    for _ in walk(state, rng, 0.3):
        pass
    result = parse(write(of_view(state.view(0)))).result()
    order = [(seed % 4 + n) % 4 for n in range(4)]
    assert result.chips == [state.scores()[seat] for seat in order]
    assert sum(result.payments) == sum(result.money) == 0
    assert sum(result.points) == 106


ALPHABET = "0123456789/SCHDTKQRJAPGBUVI=;-. pnaceHigh\n\u00e9\u00b2"


@MANY
@given(st.integers(0, 60), st.data())
def test_a_corrupted_string_is_refused_or_read_but_never_crashes(seed: int, data: st.DataObject) -> None:
    text = CORPUS[seed % len(CORPUS)]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        how = data.draw(st.sampled_from(["put", "change", "cut", "swap", "repeat"]))
        sign = data.draw(st.sampled_from(ALPHABET))
        if how == "put":
            text = text[:at] + sign + text[at:]
        elif how == "change":
            text = text[:at] + sign + text[at + 1 :]
        elif how == "cut":
            text = text[:at] + text[at + data.draw(st.integers(1, 40)) :]
        elif how == "swap":
            text = text[:at] + text[at : at + 2][::-1] + text[at + 2 :]
        else:
            fields = text.split("/")
            which = data.draw(st.integers(0, len(fields) - 1))
            text = "/".join([*fields[:which], *fields[which : which + 1] * 2, *fields[which + 1 :]])
    accepted_or_explained(text)


@MANY
@given(st.text(max_size=60) | st.lists(st.sampled_from(["100", "", "T01", "P1", "a=b", ";"])).map("/".join))
def test_any_text_is_refused_or_read_but_never_crashes(text: str) -> None:
    accepted_or_explained(text)


def read(text: str) -> Notation | NotationError:
    try:
        return parse(text)
    except NotationError as error:
        return error


def accepted_or_explained(text: str) -> bool:
    """Return True if *text* is accepted, in which case its canonical form must be a fixed point."""
    game = read(text)
    if isinstance(game, NotationError):
        stripped = text.strip()
        assert 0 <= game.offset <= len(stripped)
        assert game.field == stripped[: game.offset].count("/") + 1
        assert game.detail
        return False
    form = write(game)
    again = parse(form)
    assert again == game
    assert write(again) == form
    return True


CORPUS = [GAME_A, GAME_B, SEED_DEAL, SEED_UNI, *(write(whole_deal(seed)) for seed in range(8))]


def test_few_corruptions_still_parse() -> None:  # spec 10, item 6
    rng = Random(1)
    accepted = 0
    for _ in range(1000):
        text = rng.choice([GAME_A, GAME_B])
        at = rng.randrange(len(text))
        accepted += accepted_or_explained(text[:at] + rng.choice("0123456789SCHDTKQRJ/") + text[at + 1 :])
    assert 10 < accepted < 120


# Beyond the canonical form (spec 2.2)


def test_the_reader_accepts_more_than_the_canonical_form() -> None:
    base = parse(GAME_A)
    assert parse(f"  {GAME_A}\n") == base
    assert parse(GAME_A.replace("H1", "HA").replace("S1", "SA")) == base
    assert parse(GAME_A.replace("100/100", "0100/00100", 1)) == base
    assert parse(GAME_A.replace("R1H3/8", "H3R1/8")) == base
    assert parse(GAME_A.replace("/8//C4C3/", "/8/C4C3/")) == base
    assert parse(GAME_A.replace("timeout=30000", "TIMEOUT=30")) == base
    assert parse(GAME_A.replace("timeout=30000;", "pn=3;;timeout=30000;") + ";") == base
    bare = parse(GAME_A.rpartition("/")[0])
    assert bare.key()[:-1] == base.key()[:-1]
    assert write(bare) == GAME_A.rpartition("/")[0] + "/"


def test_minus_zero_is_zero() -> None:
    assert parse(SEED_DEAL.replace("100", "-0", 1)).chips == [0, 100, 100, 100]
    assert parse(SEED_DEAL.replace("100", "-17", 1)).chips == [-17, 100, 100, 100]


def test_chips_may_be_arbitrarily_large() -> None:
    large = "9" * 500
    game = parse(GAME_A.replace("100", large, 1))
    assert game.result().chips[0] == int(large) + 34


@pytest.mark.parametrize("chips", ["100", "-17", "0", str(LIMIT), str(-LIMIT)])
def test_state_and_result_agree_on_chips(chips: str) -> None:
    game = parse(GAME_A.replace("100", chips, 1))
    assert game.state is not None
    assert game.state.chips() == game.result().chips == [int(chips) + 34, 70, 126, 70]
    assert game.state.scores() == game.state.chips()
    assert game.state.result().chips == game.result().chips


def test_the_state_of_an_unfinished_deal_has_its_chips() -> None:
    state = parse(SEED_DEAL.replace("100", "-17", 1)).state
    assert state is not None
    assert state.chips() == [-17, 100, 100, 100]


def test_the_prose_of_the_seed_is_read() -> None:
    deal = SEED_DEAL.rpartition("/")[0]
    assert parse(deal).phase == PREVER
    assert parse(f"{deal}/P1").phase_name() == "prever_talon"
    assert parse(f"{deal}/G2").gifts[0] == GIVEN
    assert parse(f"{deal}/GR2GR3/").gifts == [RETURNED, RETURNED]
    assert parse(f"{deal}/P1/T/HAH2H3/").discards[0] == cards("H1 H2 H3")


def test_an_unfinished_trick_of_club_pips_after_omitted_fields_is_contra() -> None:  # spec 2.5
    head = GAME_A.partition("//C4C3/")[0]
    assert parse(f"{head}/C2C1/").contras == [2, 1]


def test_hearts_after_omitted_money_cards_in_prever() -> None:
    """A first trick of hearts that does not fit the grammar of money cards is a trick."""
    head = GAME_B.partition("/H2T3//C3//")[0]
    with pytest.raises(NotationError) as caught:
        parse(f"{head}/H1H2HQ/")
    assert caught.value.reason == "moneycard_missing"
    with pytest.raises(NotationError) as caught:
        parse(f"{head}/H1H2H3/")
    assert caught.value.reason == "moneycard_not_held"


# Settings (spec 2.7)


def settings_of(text: str) -> str:
    return write(parse(SEED_DEAL.replace(";pn=0", text))).rpartition("/")[2]


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("", ""),
        (";", ""),
        (";pn=2", ";pn=2"),
        ("pn=2", ";pn=2"),
        ("PN=2;lock=1", "lock=true;pn=2"),
        ("LOCKED=0", "lock=false"),
        ("ACEWINS=true;TIMEOUT=30;DIFFICULTY=AI;", "timeout=30000;aceHigh=true;difficulty=5"),
        ("timeout=0", "timeout=0"),
        ("timeout=999", "timeout=999000"),
        ("timeout=1000", "timeout=1000"),
        ("timeout=007", "timeout=7000"),
        ("difficulty=Beginner", "difficulty=0"),
        ("DIFFICULTY=ai", "difficulty=5"),
        ("difficulty=ruthLESS", "difficulty=4"),
        ("difficulty=3", "difficulty=3"),
        ("preverPriority=last;contraOnValat=false", "contraOnValat=false;preverPriority=last"),
        ("botThinkTime=5;botPlayTime=6", "botPlayTime=6;botThinkTime=5"),
        ("zeta=1;aceHigh=false;Alpha=x y;pn=0", "aceHigh=false;zeta=1;Alpha=x y;pn=0"),
        ("lock=true;lock=false", "lock=false"),
        ("a=1;b=2;A=3", "b=2;A=3"),
        ("a= x ;pn=1", "a= x ;pn=1"),
        ("a= x ;", "a= x"),
        ("a==", "a=="),
    ],
)
def test_settings(given: str, written: str) -> None:
    assert settings_of(given) == written
    assert settings_of(written) == written


def test_ace_high_decides_tricks() -> None:
    """In the seventh trick of game B nothing red falls; in its fourth hearts K Q R 1 do."""
    assert parse(GAME_B.replace("aceHigh=false", "aceHigh=true")).result().x == -26
    low = [game for game in (whole_deal(seed, ace_high=False) for seed in range(40)) if _changes(game)]
    assert low


def _changes(game: Notation) -> bool:
    game.settings.known["aceHigh"] = True
    found = read(write(game))
    if isinstance(found, Notation):
        return False
    assert found.reason == "wrong_winner"
    return True


def test_contra_on_valat_is_a_setting() -> None:
    games = (whole_deal(seed, contra_on_valat=True) for seed in range(200))
    game = next(game for game in games if game.valat and game.contras)
    doubled = parse(write(game)).result().x
    game.settings.known["contraOnValat"] = False
    assert doubled == parse(write(game)).result().x << len(game.contras)


def test_equal_notations_are_equal_in_everything() -> None:
    assert parse(GAME_A) != parse(GAME_B)
    assert parse(GAME_A) != GAME_A
    assert parse(GAME_A) != parse(GAME_A.replace("pn=0", "pn=1"))
    for thing in (parse(GAME_A), parse(GAME_A).settings):
        with pytest.raises(TypeError, match="no hash"):
            hash(thing)
