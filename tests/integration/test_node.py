"""The game node as clients see it (spec sections 4, 6 and 7): a real process and real sockets."""

from __future__ import annotations

import asyncio
import re
import socket
import subprocess
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import aiohttp
import pytest

from tests.integration.programs import NAMES, Frame, Trend, frames_of, is_event
from tests.integration.servers import TIMEOUT, command, node
from tests.net.rig import eventually

HEADLESS = ("--seats", "empty,empty,empty,empty", "--start")
PATIENT = ("--pick-card-timeout", "60000", "--pass-cards-timeout", "60000", "--expose-cards-timeout", "60000")


async def play(programs: list[Trend], event: str = "game_end", times: int = 1) -> None:
    """Let *programs* play until each has received *event* the given number of *times*."""
    games = (program.play(numbered(event, times)) for program in programs)
    await asyncio.wait_for(asyncio.gather(*games), TIMEOUT)


def four(url: str) -> list[Trend]:
    return [Trend(url, name, number) for number, name in enumerate(NAMES, 1)]


def numbered(event: str, times: int) -> Callable[[Frame], bool]:
    """Return a function that returns True when *event* is received for the n-th time, n being *times*."""
    count = 0

    def counted(frame: Frame) -> bool:
        nonlocal count
        count += frame["eventName"] == event
        return bool(count == times)

    return counted


# 4.1, with one letter per event.
LETTERS = {
    "new_peer": "p",
    "new_game": "G",
    "new_deal": "D",
    "pass_cards": "a",
    "receive_opponent_cards": "b",
    "pass_cards_end": "c",
    "expose_cards": "e",
    "expose_cards_end": "f",
    "new_round": "R",
    "your_turn": "y",
    "turn_end": "t",
    "round_end": "r",
    "deal_end": "d",
    "game_end": "g",
    "match_end": "m",
}
ROUND = "R(?=[yt]*r)(?:y?t){4}r"
PLAY = f"e?f(?:{ROUND}){{13}}d"
GAME = f"G(?:Dabc{PLAY}){{3}}D{PLAY}g"


def spelt(program: Trend) -> str:
    return "".join(LETTERS[event] for event in program.events)


def test_four_programs_play_a_whole_game(tmp_path: Path) -> None:
    with node(tmp_path, *HEADLESS) as server:
        assert server.line == f"Trend Hearts Poker Node is running, listening on port {server.port}\n"
        programs = four(server.ws + "/")
        begun = time.perf_counter()
        asyncio.run(play(programs))
        print(f"a game of four programs without pauses took {time.perf_counter() - begun:.2f} s")  # noqa: T201
    for program in programs:
        assert re.fullmatch(f"p{{1,4}}{GAME}", spelt(program)), spelt(program)
        assert spelt(program).count("y") == 52, "thirteen turns in each deal"
        for player in program.find("game_end")["players"]:
            assert (player["errorCount"], player["timeoutCount"]) == (0, 0)
    assert len({str(program.find("game_end")) for program in programs}) == 1


@pytest.mark.slow
def test_all_clients_get_broadcasts_in_the_same_order(tmp_path: Path) -> None:
    with node(tmp_path, *HEADLESS, "--option", "deals=2") as server:
        programs = four(server.ws)
        asyncio.run(play(programs))
    broadcasts = [
        [
            (
                event,
                frame["data"].get("dealNumber"),
                frame["data"].get("roundNumber"),
                frame["data"].get("turnCard"),
            )
            for event, frame in zip(program.events, program.frames, strict=True)
            if event not in ("new_peer", "pass_cards", "expose_cards", "your_turn", "receive_opponent_cards")
        ]
        for program in programs
    ]
    assert broadcasts[1:] == broadcasts[:1] * 3


@pytest.mark.slow
def test_numbers_may_be_strings_and_missing(tmp_path: Path) -> None:
    with node(tmp_path, *HEADLESS, "--option", "deals=1") as server:
        numbers: list[object] = ["063", 99, None, "4"]
        programs = [Trend(server.ws, name, number) for name, number in zip(NAMES, numbers, strict=True)]

        async def one_after_the_other() -> None:
            tasks = []
            for program in programs:
                tasks.append(asyncio.create_task(program.play(is_event("game_end"))))
                await eventually(program.has_heard)
            await asyncio.wait_for(asyncio.gather(*tasks), TIMEOUT)

        asyncio.run(one_after_the_other())
    found = [(p["playerName"], p["playerNumber"]) for p in programs[0].find("game_end")["players"]]
    assert found == [("ann", 63), ("bob", 99), ("cyd", 3), ("dan", 4)]


class Leaver(Trend):
    """Closes its connection after `game_end` and reconnects at once; sends `stop_game` before closing."""

    games = 0

    async def take(self, frame: Frame) -> None:
        await super().take(frame)
        if frame["eventName"] == "game_end":
            self.games += 1
            await self.say("stop_game", {})
            if self.games < 5:
                assert self.socket is not None
                await self.socket.close()


def seatings(program: Trend) -> list[tuple[int, list[str]]]:
    """Return number and players, starting with North, of every game the program has played."""
    ends = [frame["data"] for frame in program.frames if frame["eventName"] == "deal_end"]
    return [(end["gameNumber"], [player["playerName"] for player in end["players"]]) for end in ends]


ROTATION = [
    (1, ["ann", "bob", "cyd", "dan"]),
    (2, ["dan", "ann", "bob", "cyd"]),
    (3, ["cyd", "dan", "ann", "bob"]),
    (4, ["bob", "cyd", "dan", "ann"]),
    (1, ["ann", "bob", "cyd", "dan"]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("leavers", "rest"), [(0, 0), (2, 150), (4, 150), (4, 1000)])
def test_games_follow_by_themselves_and_positions_rotate(tmp_path: Path, leavers: int, rest: int) -> None:
    pauses = ("--deal-interval", "0", "--option", f"game_interval={rest}")
    with node(tmp_path, *HEADLESS, "--auto-cycle", "1", "--option", "deals=1", *PATIENT, *pauses) as server:
        programs = [
            (Leaver if number <= leavers else Trend)(server.ws, name, number)
            for number, name in enumerate(NAMES, 1)
        ]
        asyncio.run(play(programs, times=5))
    assert [seatings(program) for program in programs] == [ROTATION] * 4
    if leavers:
        return
    watcher = programs[-1]
    assert spelt(watcher).count("m") == 1
    assert "gm" in spelt(watcher), "match_end follows the game_end of game 4"
    result = watcher.find("match_end")["players"]
    ends = [frame["data"] for frame in watcher.frames if frame["eventName"] == "game_end"][:4]
    for player in result:
        scores = [
            entry["gameScore"]
            for end in ends
            for entry in end["players"]
            if entry["playerName"] == player["playerName"]
        ]
        assert player["games"] == scores
        assert player["matchScore"] == sum(scores)


def seated_for(program: Trend, games: int) -> bool:
    """Return True if *program* has its seat again after this number of *games*."""
    events = program.events
    return events.count("game_end") >= games and events[-1] != "game_end"


@pytest.mark.slow
def test_clients_with_any_number_keep_their_seats_from_game_to_game(tmp_path: Path) -> None:
    """The seating order does not change within a match (1.11), even if clients return in another order."""

    async def games(programs: list[Trend]) -> None:
        def last_first(i: int) -> Callable[[], Awaitable[None]]:
            async def after_the_next() -> None:
                if i < 3:
                    games = programs[i].events.count("game_end")
                    await eventually(lambda: seated_for(programs[i + 1], games))

            return after_the_next

        tasks = []
        for i, program in enumerate(programs):
            tasks.append(asyncio.create_task(program.play(numbered("game_end", 4), last_first(i))))
            await eventually(program.has_heard)
        await asyncio.wait_for(asyncio.gather(*tasks), TIMEOUT)

    cycle = ("--auto-cycle", "1", "--option", "deals=1", *PATIENT)
    with node(tmp_path, *HEADLESS, *cycle, "--option", "game_interval=500") as server:
        programs: list[Trend] = [Leaver(server.ws, name, 90 + i) for i, name in enumerate(NAMES)]
        asyncio.run(games(programs))
    assert [seatings(program) for program in programs] == [ROTATION[:4]] * 4


@pytest.mark.slow
def test_without_auto_cycle_the_result_stays_until_a_player_starts_the_next_game(tmp_path: Path) -> None:
    async def two_games(url: str) -> None:
        programs = four(url)
        tasks = [asyncio.create_task(program.play(numbered("game_end", 2))) for program in programs]
        async with aiohttp.ClientSession() as session:
            await eventually(lambda: all("game_end" in program.events for program in programs))
            assert all(program.events[-1] == "game_end" for program in programs)
            async with session.ws_connect(f"{url}/house/default") as page:
                await page.send_json({"type": "start"})
                await asyncio.wait_for(asyncio.gather(*tasks), TIMEOUT)
        assert programs[0].find("new_game")["gameNumber"] == 2

    with node(tmp_path, *HEADLESS, "--option", "deals=1") as server:
        asyncio.run(two_games(server.ws))


@pytest.mark.slow
def test_four_dummies_without_pauses_do_not_starve_the_others(tmp_path: Path) -> None:
    with node(tmp_path, "--seats", "dummy,dummy,dummy,dummy", "--start", "--auto-cycle", "1") as server:
        id = server.new_table(table_options={"command_interval": 0, "round_interval": 0, "deal_interval": 0})
        programs = four(f"{server.ws}/t/{id}")
        asyncio.run(play(programs))
        assert server.ask("/healthz")[0] == 200


@pytest.mark.slow
def test_tables_opened_over_http_are_played_at_their_own_address(tmp_path: Path) -> None:
    quick = {"command_interval": 0, "round_interval": 0, "deal_interval": 0}
    with node(tmp_path) as server:
        status, found = server.ask(
            "/api/tables",
            {"game": "hearts", "seats": ["open"] * 4, "options": {"deals": 1}, "table_options": quick},
        )
        assert status == 201
        assert found["protocol"] == f"{server.ws}/t/{found['id']}"
        assert found["house"] == f"{server.ws}/house/{found['id']}"
        watcher: list[Frame] = []

        async def game() -> None:
            async with aiohttp.ClientSession() as session:
                async with session.ws_connect(found["protocol"] + "/watch") as seen:
                    programs = four(found["protocol"] + "/")
                    await play(programs)
                    async for frame in frames_of(seen):
                        watcher.append(frame)
                        if frame["eventName"] == "game_end":
                            break
                with pytest.raises(aiohttp.WSServerHandshakeError) as none:
                    await session.ws_connect(f"{server.ws}/t/nothing")
                assert none.value.status == 404

        asyncio.run(game())
    events = [frame["eventName"] for frame in watcher]
    assert not {"pass_cards", "expose_cards", "your_turn", "receive_opponent_cards"} & set(events)
    assert events.count("turn_end") == 52
    assert not [frame for frame in watcher if "self" in frame["data"]]
    secret = [frame for frame in watcher if frame["eventName"] != "deal_end"]
    assert not [player for frame in secret for player in frame["data"]["players"] if "cards" in player]


@pytest.mark.slow
def test_spectators_of_the_default_table(tmp_path: Path) -> None:
    async def watch(url: str) -> list[str]:
        events: list[str] = []
        async with aiohttp.ClientSession() as session, session.ws_connect(url) as seen:
            async for frame in frames_of(seen):
                events.append(frame["eventName"])
                await seen.send_str('{"eventName": "join", "data": {"playerName": "eve"}}')
                if frame["eventName"] == "game_end":
                    return events
        return events

    with node(tmp_path, "--seats", "dummy,dummy,dummy,dummy", "--start", "--auto-cycle", "1", "--option",
              "deals=1", "--deal-interval", "20") as server:  # fmt: skip
        events = asyncio.run(asyncio.wait_for(watch(server.ws + "/watch"), TIMEOUT))
    assert events[0] == "new_peer"
    assert events[-1] == "game_end"


def first_deal(tmp_path: Path, *arguments: str) -> list[str]:
    async def cards(url: str) -> list[str]:
        program = Trend(url, "ann", 1)
        await asyncio.wait_for(program.play(is_event("new_deal")), TIMEOUT)
        hand: list[str] = program.find("new_deal")["self"]["cards"]
        return hand

    seats = ("--seats", "empty,dummy,dummy,dummy", "--start")
    with node(tmp_path, *seats, *arguments) as server:
        return asyncio.run(cards(server.ws))


@pytest.mark.slow
def test_a_seed_makes_the_deals_reproducible(tmp_path: Path) -> None:
    dealt = first_deal(tmp_path, "--seed", "7")
    assert first_deal(tmp_path, "--seed=7") == dealt
    assert first_deal(tmp_path, "--option", "seed=7") == dealt
    assert first_deal(tmp_path, "--seed", "8") != dealt
    assert first_deal(tmp_path) != first_deal(tmp_path)


@pytest.mark.slow
def test_profile_doc_omits_what_has_not_been_played(tmp_path: Path) -> None:
    async def deal(url: str) -> Trend:
        program = Trend(url, "ann", 1)
        await asyncio.wait_for(program.play(is_event("deal_end")), TIMEOUT)
        return program

    seats = ("--seats", "empty,dummy,dummy,dummy", "--start")
    with node(tmp_path, *seats, "--wire-profile", "doc") as server:
        doc = asyncio.run(deal(server.ws))
    with node(tmp_path, *seats) as server:
        compat = asyncio.run(deal(server.ws))
    assert all("roundCard" not in player for player in doc.find("new_deal")["players"])
    assert all(player["roundCard"] == "" for player in compat.find("new_deal")["players"])


# Reconnecting and refusals.


async def received(socket: aiohttp.ClientWebSocketResponse, *events: str) -> Frame:
    """Return the next frame with one of these names."""
    async with asyncio.timeout(TIMEOUT):
        async for frame in frames_of(socket):
            if frame["eventName"] in events:
                return frame
    raise AssertionError(f"the connection ended before {events} (code {socket.close_code})")


def test_the_newest_connection_wins_while_the_old_one_is_alive(tmp_path: Path) -> None:
    async def takeover(url: str) -> None:
        async with aiohttp.ClientSession() as session:
            old = Trend(url, "ann", 1, "secret")
            socket = await old.open(session)
            request = await received(socket, "pass_cards")
            new = Trend(url, "ann", "77", "secret")
            other = await new.open(session)
            events = [await received(other, "new_peer", "join", "pass_cards") for _ in range(3)]
            assert [frame["eventName"] for frame in events] == ["new_peer", "join", "pass_cards"]
            assert events[2] == request
            async with asyncio.timeout(TIMEOUT):
                async for _ in frames_of(socket):
                    pass
            assert socket.close_code == 4001
            await other.send_json(
                {
                    "eventName": "pass_my_cards",
                    "data": {"dealNumber": "1", "cards": request["data"]["self"]["cards"][:3]},
                }
            )
            frame = await received(other, "receive_opponent_cards")
            assert frame["data"]["self"]["pickedCards"] == request["data"]["self"]["cards"][:3]
            assert frame["data"]["self"]["playerNumber"] == 1

    with node(tmp_path, "--seats", "empty,dummy,dummy,dummy", "--start", *PATIENT) as server:
        asyncio.run(takeover(server.ws))


@pytest.mark.slow
def test_a_client_resumes_after_a_lost_connection(tmp_path: Path) -> None:
    async def lose_it(url: str) -> None:
        async with aiohttp.ClientSession() as session:
            watch = await session.ws_connect(url + "/watch")
            socket = await Trend(url, "ann", 1, "secret").open(session)
            request = await received(socket, "pass_cards")
            await socket.close()
            await received(watch, "new_deal")
            gone = await received(watch, "new_peer")
            assert gone["data"]["players"][0] == {"playerNumber": 1, "playerName": "ann", "status": 1}
            back = Trend(url, "ann", None, "secret")
            await back.open(session)
            assert back.socket is not None
            again = await received(back.socket, "pass_cards")
            assert again == request

    with node(tmp_path, "--seats", "empty,dummy,dummy,dummy", "--start", *PATIENT) as server:
        asyncio.run(lose_it(server.ws))


@pytest.mark.slow
def test_a_refusal_keeps_the_connection_and_the_fourth_one_is_late(tmp_path: Path) -> None:
    async def join_repeatedly(url: str) -> None:
        async with aiohttp.ClientSession() as session:
            socket = await session.ws_connect(url)
            waits: list[float] = []
            for data, key in [
                ({"playerName": ""}, "bad_name"),
                ({"playerName": "eve", "playerNumber": "x"}, "bad_number"),
                ({"playerName": "player2"}, None),
                ({"playerName": "eve", "playerNumber": 2}, "seat_taken"),
            ]:
                begun = time.monotonic()
                await socket.send_json({"eventName": "join", "data": data})
                frame = await received(socket, "join_error", "player_name_dup")
                waits.append(time.monotonic() - begun)
                assert frame["data"].get("code") == key
            assert waits[3] >= 0.95
            assert not socket.closed
            await socket.send_json(
                {"eventName": "join", "data": {"playerName": "eve", "playerNumber": "001"}}
            )
            assert (await received(socket, "new_peer"))["data"]["players"][0]["playerName"] == "eve"
            # Other messages from this address, which are not refused, are not delayed.

    with node(tmp_path, "--seats", "empty,dummy,dummy,dummy") as server:
        asyncio.run(join_repeatedly(server.ws))


# The command line (7.1, 7.2).


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command("hearts-node", *arguments), capture_output=True, text=True, timeout=TIMEOUT, check=False
    )


def test_a_taken_port_is_one_line_and_status_1() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run("--port", str(port))
    assert done.returncode == 1
    assert done.stdout == ""
    assert str(port) in done.stderr
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["--prot", "1"],
        ["--port", "many"],
        ["--seats", "dummy,dummy"],
        ["--option", "moon=full"],
        ["--option", "mood=plus4"],
        ["--option", "deals"],
        ["--pick-card-timeout", "-1"],
        ["extra"],
    ],
)
def test_a_wrong_option_is_one_line_and_status_2(arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr


OPTIONS = """
--version --port --pass-cards-timeout --expose-cards-timeout --pick-card-timeout --round-interval
--deal-interval --command-interval --auto-cycle --help --seats --start --seed --wire-profile --host --option
"""


def test_version_and_help() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*\n", run("--version").stdout)
    words = run("--help").stdout
    for option in OPTIONS.split():
        assert option in words
