"""Samples of the server's stacks are assigned to its parts, and a real server can be profiled."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as ET
from importlib import metadata
from pathlib import Path

import pytest

from benchmarks import flame, profile
from benchmarks.server import BenchFailed
from benchmarks.stacks import PARTS, busiest, frame, part_of, parts, read
from tests.cli.command import run

LOOP = "_run_module_as_main (<frozen runpy>:198);run_forever (loop.c:33397);Loop__run (loop.c:20313);"
SAMPLES = "\n".join(
    LOOP + stack
    for stack in (
        "converse (croupier/net/sockets.py:130);WebSocketResponse.receive (aiohttp/web_ws.py:652) 1",
        "Runner._do (croupier/table/runner.py:219);CPyDef_hearts___state___HeartsState___apply (rules.so) 2",
        "Runner._do (croupier/table/runner.py:219);CPyDef_hearts___view___HeartsView___hear (rules.so) 3",
        "Hearts.note (croupier/games/hearts/wire.py:214);Py_DECREF (object.h:537);dict_new (x.c:1) 4",
        "Outbox._pump (croupier/net/outbox.py:88);Writer.send_frame (aiohttp/_websocket/writer.py:83) 5",
        "uv_run (core.c:452);uv__queue_empty (queue.h:33) 6",
        "uv_run (core.c:452);epoll_pwait (libc.so.6) 100",
        "run (croupier/net/server.py:9);_find_and_load (<frozen importlib._bootstrap>:1176) 100",
    )
)
THREAD = (
    "Thread.run (threading.py:982);Writer._run (croupier/store/writer.py:9);stmt_step (cursor.c:524) 7\n"
    "Thread.run (threading.py:982);Writer._run (croupier/store/writer.py:9);fdatasync (libc.so.6) 100\n"
    "<module> (croupier/net/server.py:18);_parse (re/_parser.py:872) 100"
)


def test_samples_are_counted_by_part_without_start_and_waiting() -> None:
    found = parts(read(f"{SAMPLES}\n{THREAD}"))
    assert found == {"input": 1, "rules": 2, "store": 7, "feed": 3, "wire": 4, "socket": 5, "rest": 6}
    assert list(found) == list(PARTS)


@pytest.mark.parametrize(
    ("leaf", "part"),
    [
        ("Line.data_received (croupier/net/tcp.py)", "input"),
        ("uv__read (stream.c)", "input"),
        ("Feed.release (croupier/table/feed.py)", "feed"),
        ("apply (croupier/games/coinche/auction.py)", "rules"),
        ("compose (croupier/games/sagrada/messages.py)", "wire"),
        ("House.event (croupier/wire/house.py)", "wire"),
        ("WebSocketResponse.send_str (aiohttp/web_ws.py)", "socket"),
        ("uv_try_write (stream.c)", "socket"),
        ("UVStream__exec_write (loop.c)", "socket"),
        ("gc_collect_main (libpython3.11.so.1.0)", "rest"),
        ("tables (croupier/net/api.py)", "rest"),
    ],
)
def test_the_innermost_known_frame_decides(leaf: str, part: str) -> None:
    assert part_of(("Shell.run (croupier/table/shell.py)", leaf)) == part
    assert part_of(("Shell.run (croupier/table/shell.py)", leaf, "memcpy (libc.so.6)")) == part


def test_views_belong_to_the_part_that_uses_them() -> None:
    view = "HeartsView.facts (croupier/games/hearts/view.py)"
    assert part_of(("HouseConversation.note (croupier/wire/house.py)", view)) == "wire"
    assert part_of(("Announcer.release (croupier/table/announcer.py)", view)) == "feed"
    assert part_of((view,)) == "rest"


def test_frames_of_compiled_modules_name_their_file() -> None:
    so = "(croupier/rules__mypyc.cpython-311-x86_64-linux-gnu.so)"
    hear = frame(f"CPyDef_hearts___view___HeartsView___hear {so}")
    assert hear == "HeartsView.hear (croupier/games/hearts/view.py)"
    assert frame(f"CPyPy_contract___ActionTable___name.localalias {so}") == (
        "ActionTable.name (croupier/core/contract.py)"
    )
    assert frame(f"CPyDef_no_such_module___thing {so}") == f"CPyDef_no_such_module___thing {so}"
    assert frame("Runner._do (croupier/table/runner.py:219)") == "Runner._do (croupier/table/runner.py)"


def test_the_busiest_functions_of_a_part() -> None:
    found = busiest(read(SAMPLES), "socket")
    assert found == [("Writer.send_frame (aiohttp/_websocket/writer.py)", 5)]
    assert busiest(read(SAMPLES), "rest") == [("the event loop", 6)]


def test_a_flame_graph_has_every_function_as_wide_as_its_samples() -> None:
    picture = ET.fromstring(flame.svg("a & b", read(SAMPLES)))
    space = "{http://www.w3.org/2000/svg}"
    widths = {
        group.findtext(f"{space}title", "").split(":")[0]: float(rect.attrib["width"])
        for group in picture.iter(f"{space}g")
        if (rect := group.find(f"{space}rect")) is not None
    }
    assert widths["all samples"] == flame.WIDTH
    assert widths["Outbox._pump (croupier/net/outbox.py)"] == pytest.approx(flame.WIDTH * 5 / 21, abs=0.1)
    assert widths["Runner._do (croupier/table/runner.py)"] == pytest.approx(flame.WIDTH * 5 / 21, abs=0.1)


def test_a_missing_profiler_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    monkeypatch.setattr(metadata, "files", lambda _: None)
    with pytest.raises(BenchFailed, match="pip install py-spy"):
        profile.py_spy()


def test_an_unknown_benchmark_is_refused() -> None:
    done = run("bench", "store", "--profile")
    assert done.returncode == 2
    assert "expected trend, house, lines or server" in done.stderr


@pytest.mark.slow
def test_a_real_server_is_profiled(tmp_path: Path) -> None:
    try:
        profile.py_spy()
    except BenchFailed as error:
        pytest.skip(str(error))
    path = tmp_path / "report.md"
    done = run("bench", "trend", "--quick", "--profile", "-o", path, "--folder", tmp_path)
    assert done.returncode == 0, done.stderr
    text = path.read_text()
    assert all(f"| {part} | " in text for part in PARTS)
    assert "- wire: " in text
    assert "croupier serve, benchmark trend" in (tmp_path / "report-trend.svg").read_text()
