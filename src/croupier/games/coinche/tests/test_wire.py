"""Every command of the line protocol and every reply, in the order of the spec's checks (11, 12, 14, 19)."""

from __future__ import annotations

import pytest

from croupier.core.options import Value
from croupier.games.coinche.parsing import PARAMETERS
from croupier.games.coinche.tests.clients import ask, codes, deck, four, house, named, reply, table
from croupier.games.coinche.tests.positions import TRANSCRIPT_CALLS
from croupier.testing.house import Client

WAIT = "423 please wait for your turn."
INVALID = "400 Invalid command"
UNNAMED = "401 please give your nickname first."


def at_table(options: dict[str, Value] | None = None, hints: bool = True) -> list[Client]:
    """Return four players, the first of whom is to speak, with the transcript's hands."""
    place = house()
    table(place, options=options, hints=hints)
    return four(place)


def calling(clients: list[Client], *lines: str, first: int = 0) -> list[Client]:
    """Let the players speak in turn, from seat *first* on; all of it must be accepted."""
    for number, line in enumerate(lines, first):
        answer = reply(clients[number % 4], line)
        assert answer.startswith("200"), (line, answer)
    return clients


def playing(options: dict[str, Value] | None = None) -> list[Client]:
    """Return four players after the auction of the transcript: anna leads, hearts are trumps."""
    clients = calling(at_table(options), *TRANSCRIPT_CALLS[:6])
    calling(clients, "PASS", first=2)
    calling(clients, "PASS", first=0)
    return clients


# Any line.


@pytest.mark.parametrize(
    "line",
    ["", "   ", "\t \t", "\n", "\r\n"],
)
def test_an_empty_line_gets_nothing(line: str) -> None:
    assert ask(house().connect(), line) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("FLY", INVALID),
        ("PASS now", INVALID),
        ("HAND 1", INVALID),
        ("QUIT please", INVALID),
        ("HELP me", INVALID),
        ("STATE x", INVALID),
        ("LAST x", INVALID),
        ("COINCHE x", INVALID),
        ("SURCOINCHE x", INVALID),
        ("CONTRACT 80 Hearts now", INVALID),
        ("PLAY 7 Hearts now", INVALID),
        ("PA\x00SS", INVALID),
        ("MSG bell \x07", INVALID),
        ("MSG one\nMSG two", INVALID),
        ("MSG \x9b2J", INVALID),
        ("MSG " + "x" * 401, INVALID),
        ("paſs", INVALID),  # upper() would make PASS of it
        ("pass\N{NO-BREAK SPACE}", INVALID),
        (b"MSG \xc3\x28", INVALID),
        (b"\xff\xfe\x00", INVALID),
        ("x" * 511, INVALID),
        ("x" * 512, "406 line too long."),
        (b"\xff" * 600, "406 line too long."),
        ("é" * 256, "406 line too long."),
        ("\ud800", INVALID),
        ("PASS", UNNAMED),
        ("CONTRACT 80 Hearts", UNNAMED),
        ("CONTRACT", UNNAMED),
        ("PLAY", UNNAMED),
        ("MSG", UNNAMED),
        ("LAST", UNNAMED),
        ("HAND", UNNAMED),
        ("STATE", UNNAMED),
        ("COINCHE", UNNAMED),
        ("surcoinche", UNNAMED),
    ],
)
def test_checks_that_every_line_passes_first(line: str | bytes, expected: str) -> None:
    client = house().connect()
    client.take()
    client.send(line)
    assert client.take() == [expected]


def test_a_line_of_8192_bytes_ends_the_connection() -> None:
    client = house().connect()
    client.take()
    client.feed(b"x" * 511)
    assert client.take() == []
    client.feed(b"x")
    assert client.take() == ["406 line too long."]
    client.feed(b"x" * 5000)
    client.feed(b"\nHELP\n")
    assert codes(client.take()) == [200, *[110] * 12]  # the rest of the long line got no second answer
    client.feed(b"x" * 8191)
    assert client.take() == ["406 line too long."]
    client.feed(b"x")
    assert client.take() == ["500 line far too long"]
    assert client.disconnected is not None


def test_a_frame_that_is_far_too_long_ends_the_connection_at_once() -> None:
    client = house().connect()
    assert ask(client, "x" * 8192) == ["500 line far too long"]
    assert client.disconnected is not None


def test_welcome_help_and_quit_need_no_name() -> None:
    client = house().connect()
    assert client.take() == [
        "100 coinche/1 :Welcome. Choose a nickname with NAME <nickname>; HELP lists all commands."
    ]
    answer = ask(client, "help")
    assert answer[0] == "200 help follows."
    commands = {line.split()[1] for line in answer[1:]}
    assert commands == set(PARAMETERS)
    assert len(answer) == 13
    assert all(line.startswith("110 ") and " :" in line for line in answer[1:])
    assert ask(client, "quit") == []
    assert client.disconnected is not None


@pytest.mark.parametrize(
    "stream",
    [
        b"HELP\n",
        b"HELP\r\n",
        b"HELP\r\0",
        b"  help \t\r\n",
        b"\xff\xfb\x01HE\xff\xfd\x03LP\r\n",
        b"\xff\xfa\x1f\x00\x50\x00\x18\xff\xf0HELP\r\0",
        b"\n\r\n\r\0hElP\n",
    ],
)
def test_line_ends_and_telnet(stream: bytes) -> None:
    client = house().connect()
    client.take()
    client.feed(stream)
    assert client.take()[0] == "200 help follows."


def test_a_line_ends_with_cr_lf() -> None:
    assert house().connect().conversation.terminator == "\r\n"


# NAME.


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("", "(none)"),
        ("Ann", "Ann"),
        ("anna banana", "anna banana"),
        ("anna   \t b", "anna b"),
        ("x" * 21, "x" * 20),
        ("annä", "annä"),
        ("anna-b", "anna-b"),
        ("an\N{ZERO WIDTH SPACE}na", "an?na"),
        ("\N{ARABIC-INDIC DIGIT ONE}234", "\N{ARABIC-INDIC DIGIT ONE}234"),
    ],
)
def test_an_invalid_name(typed: str, shown: str) -> None:
    client = house().connect()
    expected = f"402 {shown} contains invalid characters or is too short."
    assert reply(client, f"NAME {typed}") == expected
    clients = at_table()
    assert reply(clients[0], f"NAME {typed}") == expected


def test_a_name_in_use() -> None:
    place = house()
    first = named(place, "anna")
    other = place.connect()
    for name in ("anna", "ANNA", "bot1", "Bot27"):
        assert ask(other, f"name {name}") == ["403 nickname is already in use"]
    assert reply(other, "name bobby") == "200 Nickname changed"
    assert ask(first, "NAME Bobby") == ["403 nickname is already in use"]
    first.send("QUIT")
    assert reply(other, "NAME Anna") == "200 Nickname changed"


def test_everyone_is_told_of_a_new_name() -> None:
    anna, bobby, *_ = at_table()
    assert ask(anna, "NAME anna") == ["200 Nickname changed"]
    assert ask(anna, "NAME Annabel", "NAME annabel") == [
        "200 Nickname changed",
        "103 1 anna Annabel :anna is now called Annabel",
        "200 Nickname changed",
        "103 1 Annabel annabel :Annabel is now called annabel",
    ]
    assert bobby.take()[0] == "103 1 anna Annabel :anna is now called Annabel"
    assert reply(bobby, "NAME anna") == "200 Nickname changed"


# MSG, LAST, HAND, STATE.


def test_messages() -> None:
    place = house()
    anna = named(place, "anna")
    assert reply(anna, "MSG") == "411 no text to send."
    assert reply(anna, "MSG hello?") == "412 an error occured during the sending process."
    bobby = named(place, "bobby")
    bobby.take()
    assert ask(anna, "msg  two  blanks : and\ta tab ") == [
        "200 message sent.",
        "106 1 anna :two  blanks : and\ta tab",
    ]
    assert bobby.take() == ["106 1 anna :two  blanks : and\ta tab"]
    assert reply(anna, "MSG " + "x" * 400) == "200 message sent."
    assert reply(anna, "MSG") == "411 no text to send."


def test_hand_and_last() -> None:
    place = house()
    table(place)
    anna = named(place, "anna")
    assert reply(anna, "HAND") == "424 your hand is empty."
    assert reply(anna, "LAST") == "423 the last trick is not available yet."
    anna, bobby, carol, david = playing()
    assert reply(anna, "LAST") == "423 the last trick is not available yet."
    calling([anna, bobby, carol, david], "play 7 h", "PLAY A Heart", "play j hearts", "PLAY 9 HEARTS")
    assert reply(bobby, "LAST") == (
        "200 There is the last trick "
        "[anna 7 Hearts, bobby A Hearts, carol J Hearts, david 9 Hearts] won by carol"
    )
    assert reply(carol, "HAND") == (
        "200 There is your hand [8 Hearts, 10 Diamonds, Q Diamonds, K Diamonds, 7 Clubs, 8 Clubs, 8 Spades]"
    )


def test_the_last_trick_stays_until_the_next_deal_and_the_hand_is_empty() -> None:
    place = house()
    table(place, deal_pause=1000)
    clients = four(place)
    calling(clients, "CONTRACT 80 Hearts", "PASS", "PASS", "PASS")
    for _ in range(32):
        for client in clients:
            if client.frames[-1].startswith("334"):
                client.send("PLAY " + client.frames[-1].split("[")[1].split("]")[0].split(", ")[0])
                break
    assert codes(clients[0].take())[-2:] == [340, 341]
    assert reply(clients[0], "LAST").startswith("200 There is the last trick [")
    assert reply(clients[0], "HAND") == "424 your hand is empty."
    for line in ("PASS", "COINCHE", "SURCOINCHE", "CONTRACT 80 Hearts", "PLAY 7 Hearts"):
        assert reply(clients[0], line) == WAIT, line
    assert reply(clients[0], "CONTRACT 75 Hearts") == "432 the minimum bidding value is 80."
    assert codes(ask(clients[0], "STATE"))[-8:] == [331, 331, 331, 331, 333, 332, 332, 361]
    place.advance(1)
    assert reply(clients[0], "LAST") == "423 the last trick is not available yet."


# CONTRACT.


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", "435 (none) is not a valid option."),
        ("eighty Hearts", "435 eighty is not a valid option."),
        ("080 Hearts", "435 080 is not a valid option."),
        ("0 Hearts", "435 0 is not a valid option."),
        ("-80 Hearts", "435 -80 is not a valid option."),
        ("12345 Hearts", "435 12345 is not a valid option."),
        ("\N{ARABIC-INDIC DIGIT EIGHT}0 Hearts", "435 \N{ARABIC-INDIC DIGIT EIGHT}0 is not a valid option."),
        ("75 Cups", "432 the minimum bidding value is 80."),
        ("1 Hearts", "432 the minimum bidding value is 80."),
        ("165 Hearts", "433 the maximum bidding value is 160."),
        ("9999", "433 the maximum bidding value is 160."),
        ("85 Cups", "435 85 is not a valid option."),
        ("90", "436 (none) does not exist."),
        ("90 Cups", "436 Cups does not exist."),
        ("90 " + "Q" * 30, f"436 {'Q' * 20} does not exist."),
        ("capot Cups", "436 Cups does not exist."),
    ],
)
def test_contracts_that_are_refused(words: str, expected: str) -> None:
    clients = at_table()
    assert reply(clients[0], f"CONTRACT {words}") == expected
    assert reply(clients[2], f"CONTRACT {words}") == expected, "checked before the turn"
    assert reply(clients[0], "PASS") == "200 You passed your turn.", "the refusal has not cost the turn"


@pytest.mark.parametrize(
    "words", ["80 Hearts", "80 heart", "160 h", "100 ta", "100 SA", "generale d", "GÉNÉRALE Clubs"]
)
def test_contracts(words: str) -> None:
    clients = at_table()
    assert reply(clients[0], f"CONTRACT {words}") == "200 bidding okay."
    assert reply(clients[2], f"CONTRACT {words}") == WAIT


def test_capot_ends_the_bidding() -> None:
    clients = at_table()
    assert reply(clients[0], "CONTRACT CAPOT Spades") == "200 bidding okay."
    assert reply(clients[2], "CONTRACT CAPOT Spades").startswith("431 ")


def test_contracts_have_to_rise() -> None:
    clients = calling(at_table(), "CONTRACT 90 TA")
    bobby = clients[1]
    for words in ("90 Hearts", "80 SA", "90 TA"):
        assert reply(bobby, f"CONTRACT {words}") == "434 a player already bidded 90 TA"
    assert reply(clients[2], "CONTRACT 80 SA") == WAIT
    calling(clients, "CONTRACT generale Spades", first=1)
    assert reply(clients[2], "CONTRACT capot Hearts") == "434 a player already bidded generale Spades"


def test_bids_by_other_rules() -> None:
    options: dict[str, Value] = {
        "min_bid": 90, "max_bid": 140, "bid_step": 20, "allow_ta_sa": False, "allow_generale": False,
    }  # fmt: skip
    anna = at_table(options)[0]
    assert reply(anna, "CONTRACT 80 Hearts") == "432 the minimum bidding value is 90."
    assert reply(anna, "CONTRACT 150 Hearts") == "433 the maximum bidding value is 140."
    assert reply(anna, "CONTRACT 90 Hearts") == "435 90 is not a valid option."
    assert reply(anna, "CONTRACT 100 TA") == "436 TA does not exist."
    assert reply(anna, "CONTRACT generale Hearts") == "435 generale is not a valid option."
    assert reply(anna, "CONTRACT 100 Hearts") == "200 bidding okay."


def test_after_a_coinche_nothing_is_bid() -> None:
    clients = calling(at_table(), "CONTRACT 80 Hearts", "COINCHE")
    for client in clients:
        assert reply(client, "CONTRACT nonsense") == "431 the bidding step is over."
    assert reply(clients[3], "PASS") == WAIT


# COINCHE, SURCOINCHE, PASS.


def test_coinche() -> None:
    clients = at_table()
    for client in clients:
        answer = "443 coinche cannot be announced until a contract is made."
        assert reply(client, "COINCHE") == answer
    calling(clients, "CONTRACT 80 Hearts")
    own = "444 you cannot coinche a contract you or your partner already coinched"
    assert reply(clients[0], "COINCHE") == own
    assert reply(clients[2], "COINCHE") == own
    assert reply(clients[3], "COINCHE") == WAIT
    assert reply(clients[1], "PASS") == "200 You passed your turn."
    assert reply(clients[2], "COINCHE") == own  # it is carol's turn, and the contract of her side
    assert reply(clients[2], "PASS") == "200 You passed your turn."
    assert reply(clients[3], "COINCHE") == "200 Coinche has been counted"
    for client in clients:
        assert reply(client, "COINCHE") == "442 a player already coinched"


def test_surcoinche() -> None:
    impossible = "453 surcoinche cannot be announced until coinche is."
    clients = at_table()
    for client in clients:
        assert reply(client, "SURCOINCHE") == impossible
    calling(clients, "CONTRACT 80 Hearts")
    assert reply(clients[1], "SURCOINCHE") == impossible
    calling(clients, "COINCHE", first=1)
    assert reply(clients[1], "SURCOINCHE") == impossible
    assert reply(clients[3], "SURCOINCHE") == impossible
    assert reply(clients[0], "SURCOINCHE") == WAIT  # the partner answers first
    assert reply(clients[2], "SURCOINCHE") == "200 Surcoinche has been counted"
    for client in clients:
        assert reply(client, "SURCOINCHE") == "452 a player already surcoinched"
        assert reply(client, "COINCHE") == "441 the bidding step is over."
        assert reply(client, "PASS") == "431 the bidding step is over."
        assert reply(client, "CONTRACT x") == "431 the bidding step is over."


def test_during_play_the_bidding_is_over() -> None:
    for client in playing():
        assert reply(client, "SURCOINCHE") == "451 the bidding step is over."
        assert reply(client, "COINCHE") == "441 the bidding step is over."
        assert reply(client, "PASS") == "431 the bidding step is over."
        assert reply(client, "CONTRACT 90 Hearts") == "431 the bidding step is over."


# PLAY.


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("", "(none)"),
        ("A", "A"),
        ("2 Spades", "2 Spades"),
        ("A TA", "A TA"),
        ("10 SA", "10 SA"),
        ("Hearts A", "Hearts A"),
        ("\N{KELVIN SIGN} Hearts", "\N{KELVIN SIGN} Hearts"),
        (f"{'x' * 25} {'y' * 25}", f"{'x' * 20} {'y' * 20}"),
    ],
)
def test_cards_that_do_not_exist(words: str, shown: str) -> None:
    for client in (*at_table(), *playing()):
        assert reply(client, f"PLAY {words}") == f"421 {shown} is not in your deck."


def test_cards_while_bidding_and_out_of_turn() -> None:
    assert [reply(client, "PLAY 7 Hearts") for client in at_table()] == [WAIT] * 4
    clients = playing()
    assert [reply(client, "PLAY 7 Hearts") for client in clients[1:]] == [WAIT] * 3
    assert reply(clients[0], "PLAY J Hearts") == "422 this card does not belong to you."
    assert reply(clients[0], "play T c") == "200 your turn has been taken into account."
    assert reply(clients[1], "PLAY A Spades") == "425 you must follow Clubs."


def test_every_rule_of_following_has_its_sentence() -> None:
    clients = playing()
    calling(clients, "PLAY 7 Hearts", "PLAY A Hearts")
    assert reply(clients[2], "PLAY 8 Hearts") == "425 you must play a higher trump."
    assert reply(clients[2], "PLAY 10 Diamonds") == "425 you must follow Hearts."
    clients = calling(at_table(), "CONTRACT 80 TA", "PASS", "PASS", "PASS")
    calling(clients, "PLAY 7 Spades", "PLAY 10 Spades")
    assert reply(clients[2], "PLAY 8 Hearts") == "425 you must follow Spades."
    calling(clients, "PLAY 8 Spades", first=2)
    assert reply(clients[3], "PLAY Q Spades") == "425 you must play a higher Spades."


def test_trumping_and_overtrumping_have_their_sentences() -> None:
    # Hands that make seat 2 trump and seat 3 overtrump: hearts led are cut by spades.
    hands = [
        "7H 8H 9H 10H JH QH KH AH",
        "7S 9S 7D 8D 9D 10D JD QD",
        "8S JS KD AD 7C 8C 9C 10C",
        "10S QS KS AS JC QC KC AC",
    ]
    place = house()
    table(place, draws=(deck(hands, 3),))
    clients = calling(four(place), "CONTRACT 80 Spades", "PASS", "PASS", "PASS")
    calling(clients, "PLAY A Hearts")
    assert reply(clients[1], "PLAY 7 Diamonds") == "425 you must trump."
    calling(clients, "PLAY 9 Spades", first=1)
    assert reply(clients[2], "PLAY 8 Spades") == "425 you must overtrump."
    assert reply(clients[2], "PLAY 7 Clubs") == "425 you must trump."
    calling(clients, "PLAY J Spades", first=2)


def test_undertrumping_the_partner_is_refused_with_the_closest_code() -> None:
    hands = [
        "7H 8H 9H 10H JH QH KH AH",
        "10S 9D 7D 8D 10D JD QD KD",
        "8S AD 7C 8C 9C 10C JC QC",
        "7S JS 9S QS KS AS KC AC",
    ]
    place = house()
    table(
        place, draws=(deck(hands, 3),), options={"undertrump_partner": "never_if_able", "undertrump": "free"}
    )
    clients = calling(four(place), "CONTRACT 80 Spades", "PASS", "PASS", "PASS")
    calling(clients, "PLAY A Hearts", "PLAY 10 Spades", "PLAY 8 Spades")
    assert reply(clients[3], "PLAY 7 Spades") == "425 you must overtrump."
    assert reply(clients[3], "PLAY K Clubs") == "200 your turn has been taken into account."


# What each command gets in each state (the table of section 14).


@pytest.mark.parametrize(
    "line", ["CONTRACT", "COINCHE", "SURCOINCHE", "PASS", "PLAY", "CONTRACT 75 x", "PLAY 2 x"]
)
def test_nothing_is_played_before_the_game(line: str) -> None:
    client = named(house(), "anna")
    assert reply(client, line) == "404 no game in progress."


def test_replies_come_in_order_and_before_what_the_command_causes() -> None:
    place = house()
    table(place)
    client = place.connect()
    for name in ("bobby", "carol", "david"):
        named(place, name)
    client.take()
    client.feed(b"HAND\nNAME ab\nNAME anna\nHAND\nNAME annabel\nMSG hi\nLAST\nFLY\n")
    seated = [200, 108, 101, 101, 101, 101, 300, 310, 311, 320]
    assert codes(client.take()) == [401, 402, *seated, 200, 200, 103, 200, 106, 423, 400]


def test_a_fast_player_is_not_slowed_down_by_its_own_speed() -> None:
    clients = at_table()
    clients[0].feed(b"CONTRACT 80 Hearts\nCONTRACT 90 Hearts\nPASS\nLAST\n")
    assert [line for line in clients[0].take() if line[0] in "24"] == [
        "200 bidding okay.",
        WAIT,
        WAIT,
        "423 the last trick is not available yet.",
    ]


def test_hints_can_be_off() -> None:
    clients = at_table(hints=False)
    lines = [line for client in clients for line in client.frames]
    assert 320 in codes(lines)
    assert 326 not in codes(lines)
    calling(clients, "CONTRACT capot Hearts")
    assert 334 not in codes(clients[0].frames)
    assert 330 in codes(clients[0].frames)


def test_options_that_differ_from_the_defaults_are_announced() -> None:
    place = house()
    table(place, options={"target": 500, "allow_ta_sa": False, "undertrump": "free"})
    anna = named(place, "anna")
    for name in ("bobby", "carol", "david"):
        named(place, name)
    lines = [line for line in anna.frames if line[:3] in ("300", "301")]
    teams = "anna and carol against bobby and david"
    assert lines == [
        f"300 g1 500 1=anna 2=bobby 3=carol 4=david :Game g1 to 500 points: {teams}",
        "301 target=500 allow_ta_sa=false undertrump=free :the rules that differ from the defaults",
    ]
