"""What an agent can do at a table, in every game, and what it is told when it cannot."""

from __future__ import annotations

import asyncio
import re

import pytest

from croupier.bots.strengths import filler
from croupier.client import Server
from croupier.games import game as find_game
from croupier.games import names, rules_text
from croupier.mcp import seat as seats
from croupier.mcp.running import own_house
from croupier.mcp.seat import Seats
from croupier.mcp.tools import Tools, make_server
from croupier.testing.clock import run as virtual
from tests.integration.proxy import Proxy
from tests.mcp.agents import Agent, Refused, agents, legal

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", names())
async def test_a_few_moves_of_every_game(name: str) -> None:
    async with agents() as [agent]:
        text = await agent.sit(await agent.open(name, seed="1"), name="Ann")
        assert "Ann (you)" in text
        for _ in range(4):
            choices = await agent.turn()
            listed = legal(await agent.here("legal_actions"))
            assert listed[: len(choices)] == choices
            with pytest.raises(Refused, match=r"unknown_action: .*\. Legal actions: "):
                await agent.here("act", actions=["say hello"])
            while True:  # several picks may make up one decision
                done = await agent.here("act", actions=[choices[0]])
                assert done.startswith("Done.\n")
                if "\nYour turn" not in done or not choices[0].startswith("pass "):
                    break
                choices = legal(done)
        assert "Ann" in await agent.here("standing")
        assert await agent.here("leave") == "You have left the table."


@pytest.mark.parametrize("name", names())
async def test_every_game_is_described_and_leaves_time_to_think(name: str) -> None:
    async with agents() as [agent]:
        described = await agent.call("describe_game", game=name)
        for option in [*find_game(name).options.plain(), *find_game(name).table_options.plain()]:
            assert f"\n  {option['name']} = " in described
        assert await agent.call("read_rules", game=name) == rules_text(name)
        found = await agent.client.read_resource(f"croupier://rules/{name}")
        assert getattr(found.contents[0], "text", "") == rules_text(name)
        patient = find_game(name).limits(600, person=True)
        assert set(patient) <= {option["name"] for option in find_game(name).table_options.plain()}
        await agent.sit(await agent.open(name))
        await agent.turn()
        left = re.search(r"Your turn \((\d+) s left\)", await agent.here("look"))
        assert left
        assert int(left[1]) >= 50


async def test_the_lobby() -> None:
    async with agents() as [agent]:
        listed = await agent.call("list_games")
        assert [line.split(":")[0] for line in listed.splitlines()[1:]] == names()
        address = listed.splitlines()[0].removeprefix("Server: ")
        table = await agent.open("coinche", others=["random", "open", "person"])
        text = await agent.call("list_tables", game="coinche")
        seats = "0 free, 1 Benno Lark (bot random), 2 free, 3 free (reserved for a person)"
        assert text == f"{table}: Coinche (coinche), gathering; {seats}; {address}/table/{table}"
        assert "default: Hearts" in await agent.call("list_tables")
        assert (await agent.call("list_tables", game="taroky")).startswith("No table is open.")
        assert await agent.call("list_results") == "There are no finished matches."


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("open_table", {"game": "poker"}, r"no_such_game: game 'poker': expected one of hearts, tarock"),
        ("describe_game", {"game": "poker"}, "no_such_game"),
        ("read_rules", {"game": "../hearts"}, "no_such_game"),
        ("list_tables", {"game": "poker"}, "no_such_game"),
        ("list_results", {"game": "poker"}, "no_such_game"),
        (
            "open_table",
            {"game": "coinche", "others": ["random"]},
            "bad_options: 2 seats: Coinche is played by",
        ),
        ("open_table", {"game": "coinche", "others": ["genius"] * 3}, "bad_options: .*genius"),
        (
            "open_table",
            {"game": "coinche", "options": {"target": 7}},
            "bad_options: option target=7: expected",
        ),
        ("sit_down", {"table": "nowhere"}, "no_such_table: ws://.*/house/nowhere: no such table"),
        ("sit_down", {"table": "../api/games"}, "no_such_table"),
        ("sit_down", {"table": "default", "name": "\t"}, "bad_name"),
        ("sit_down", {"table": "default", "number": 9}, "no_such_seat: seat 9: expected 0…3"),
        ("look", {"seat": "guess"}, "no_such_seat: seat 'guess': unknown"),
        ("act", {"seat": "guess", "actions": ["pass"]}, "no_such_seat"),
        ("read_record", {"match": "nothing-1"}, "no_such_match"),
        ("list_results", {"limit": 0}, "^bad_arguments: limit: it should be .* 1. Arguments: game, limit$"),
        (
            "open_table",
            {"game": "coinche", "option": {}},
            "^bad_arguments: option: unknown argument. A",
        ),
        (
            "open_table",
            {"game": "coinche", "options": {"target": None}},
            "^bad_arguments: options target: .*integer",
        ),
        ("look", {}, "^bad_arguments: seat: missing. Arguments: seat$"),
        ("list_games", {"game": "coinche"}, "^bad_arguments: game: .* Arguments: none$"),
    ],
)
async def test_what_cannot_be_is_answered_in_words(
    tool: str, arguments: dict[str, object], words: str
) -> None:
    async with agents() as [agent]:
        with pytest.raises(Refused, match=words):
            await agent.call(tool, **arguments)


async def test_wrong_actions_and_actions_out_of_turn() -> None:
    async with agents(2) as [ann, bob]:
        table = await ann.open("coinche", others=["open", "random", "random"], seed="1")
        text = await ann.sit(table, name="Ann")
        assert text.endswith("The game starts when seat 1 is ready. Call wait_for_turn.")
        with pytest.raises(Refused, match="not_your_turn: The game starts when"):
            await ann.here("act", actions=["PASS"])
        with pytest.raises(Refused, match="name_taken: name 'Ann'"):
            await bob.sit(table, name="Ann")
        await bob.sit(table, name="Bob")
        assert await ann.turn()
        with pytest.raises(Refused, match=r"not_your_turn: Waiting for Ann. Call wait_for_turn"):
            await bob.here("act", actions=["PASS"])
        assert "It is not your turn" in await bob.here("legal_actions")
        with pytest.raises(Refused, match=r"the auction is not over\. Legal actions: PASS; "):
            await ann.here("act", actions=["PLAY A Spades"])
        with pytest.raises(Refused, match="unknown_action: ''"):
            await ann.here("act", actions=[])
        await ann.here("act", actions=["90 spades"])  # as a person would type it
        assert "Ann: 90 spades" in await bob.here("wait_for_turn", seconds=60)
        await ann.here("say", text="your turn, Bob")
        assert "Ann says: your turn, Bob" in await bob.here("wait_for_turn", seconds=0)
        assert "your turn, Bob" not in await ann.here("wait_for_turn", seconds=0)
        with pytest.raises(Refused, match="not_now: a game is running"):
            await ann.here("start_game")


async def test_the_usual_bots_sit_down_unless_others_are_named() -> None:
    async with agents() as [agent]:
        usual = filler(find_game("coinche"))
        await agent.call("open_table", game="coinche")
        assert (await agent.call("list_tables", game="coinche")).count(f"(bot {usual})") == 3
        await agent.sit(await agent.open("sagrada", others=[]))  # alone
        assert await agent.turn()


async def test_a_seat_sees_its_own_cards_alone() -> None:
    async with agents() as [agent]:
        await agent.sit(await agent.open("hearts"))
        await agent.turn()
        text = "\n".join([await agent.here("look"), await agent.here("standing")])
        assert len(set(re.findall(r"\b[2-9TJQKA][CDHS]\b", text))) == 13


async def test_waiting_holds_up_nobody() -> None:
    async with agents(2) as [ann, bob]:
        await ann.sit(await ann.open("hearts", others=["open"] * 3))
        waiting = asyncio.create_task(ann.here("wait_for_turn", seconds=120))
        await bob.sit(await bob.open("coinche"))
        assert await bob.turn()
        assert not waiting.done()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert "The game starts when" in await ann.here("look")


def test_nobody_waits_longer_than_was_asked_for() -> None:
    class Playing(seats.Seat):
        def playing(self) -> bool:
            return True

    class Resting(seats.Seat):
        def playing(self) -> bool:
            return False

    async def waited(seconds: float, kind: type[seats.Seat]) -> float:
        seat = kind(Server("http://127.0.0.1:9"), "t", "Ann", None)
        begin = asyncio.get_running_loop().time()
        await seat.wait(seconds)
        return asyncio.get_running_loop().time() - begin

    assert virtual(waited(3, Playing)) == pytest.approx(3)
    assert virtual(waited(1, Resting)) == pytest.approx(1)
    assert virtual(waited(30, Resting)) == pytest.approx(seats.LULL)


async def test_a_match_rests_and_goes_on_and_its_record_can_be_read() -> None:
    async with agents() as [agent]:
        options = {"deals": 1, "match_games": 2}
        await agent.sit(await agent.open("hearts", options=options, seed="3"), name="Ann")
        await played_out(agent)
        assert "Call start_game to start the next game of the match." in await agent.here("look")
        with pytest.raises(Refused, match="not_your_turn: No game is running"):
            await agent.here("act", actions=["play QS"])
        await agent.here("start_game")
        await played_out(agent)
        standing = await agent.here("standing")
        assert "Call start_game to start a new match." in standing
        match = f"{agent.table}-1"
        assert f"Finished at this table:\n{match}: hearts at table {agent.table}, Ann " in standing
        assert f"{match}: hearts" in await agent.call("list_results", game="hearts")
        assert "\n0 play " in await agent.call("read_record", match=match)


async def played_out(agent: Agent) -> None:
    """Answer everything until no game is running."""
    while choices := await agent.turn():
        many = 3 if choices[0].startswith("pass ") else 1
        await agent.here("act", actions=choices[:many])


async def test_a_lost_connection_is_made_anew() -> None:
    async with own_house("memory:") as url:
        proxy = Proxy(int(url.rpartition(":")[2]), life=(25_000, 60_000))
        async with proxy.running(), Server(url) as straight:
            bots = ["bot heuristic"] * 3
            table = await straight.open_table("coinche", ["open", *bots], options={"target": 900}, seed="5")
            sitting = Seats(Server(f"http://127.0.0.1:{proxy.port}"))
            seat = await sitting.sit(table, "Ann", None)
            news: list[str] = []
            while seat.playing() and not seat.ended:
                await seat.wait(60)
                news += seat.news()
                if seat.question is not None:
                    await seat.act(seat.question.turn, seat.view["legal"][0])
            await sitting.close()
            assert seat.ended.startswith(("match_over: ", "closed: ")), "or the end of the match was missed"
            assert proxy.cuts > 1
            deals = [line for line in news if re.match(r"Deal \d+\.", line)]
            assert len(deals) == len(set(deals)) > 0, "nothing is told twice"
            (match,) = await straight.matches("coinche", 10)
            assert match.players[0] == "Ann"
            gaps = sum(line.startswith("The connection was lost") for line in news) + ("over" in seat.ended)
            record = await straight.record(match.id)
            assert len(deals) + gaps >= len(re.findall("^commit", record, re.MULTILINE)), "a gap is told"


async def test_a_seat_that_nobody_asks_for_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "IDLE", 0.0)
    async with agents() as [agent]:
        await agent.sit(await agent.open("hearts", others=["open"] * 3))
        for _ in range(200):
            if "0 free" in await agent.call("list_tables", game="hearts"):
                break
        with pytest.raises(Refused, match="no_such_seat"):
            await agent.here("look")


async def test_a_server_that_is_not_there() -> None:
    async with Server("http://127.0.0.1:9") as house:
        tools = Tools(house)
        with pytest.raises(
            Exception, match=r"no_server: http://127.0.0.1:9 cannot be reached .*croupier serve"
        ):
            await tools.list_games()
        with pytest.raises(Exception, match="no_server"):
            await tools.sit_down("default")


async def test_the_prompt_and_what_tools_say_of_themselves() -> None:
    async with Server("http://127.0.0.1:9") as house:
        server = make_server(Tools(house))
        listed = {tool.name: tool for tool in await server.list_tools()}
        assert all(tool.description and len(tool.description) < 400 for tool in listed.values())
        assert all(tool.input_schema["additionalProperties"] is False for tool in listed.values())
        resources = {str(one.uri) for one in await server.list_resources()}
        assert resources == {f"croupier://rules/{name}" for name in names()}
        prompt = await server.get_prompt("play", {"game": "taroky"})
        assert "taroky" in str(prompt)
