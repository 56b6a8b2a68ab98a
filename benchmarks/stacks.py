"""Samples of a server's stacks, assigned to the parts of the path of a move.

A stack goes from root to leaf; a frame is ``function (file)``. Compiled modules have no Python frames: mypyc
names their C functions after the module, and `frame` finds the module's file by that name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

import croupier

Stack: TypeAlias = tuple[str, ...]

PARTS: Final[Mapping[str, str]] = {
    "input": "input and rate limits",
    "rules": "the game: states and their helpers",
    "store": "the event log, including its thread",
    "feed": "the table: requests, clocks, events",
    "wire": "parsing and rendering of messages",
    "socket": "frames out: queues and writes",
    "rest": "event loop, tasks, garbage collection, pages and HTTP",
}
RULES: Final = [
    (re.compile(pattern), part)
    for pattern, part in (
        (r"^gc_collect", "rest"),
        (
            r"\.send_?\w* \(aiohttp/|\(aiohttp/_websocket/writer|^uv_*(try_)?write|^\w*UVStream\w*write",
            "socket",
        ),
        (r"\((aiohttp/(_websocket/)?(web_ws|reader)|reader_c)|^uv__read|^\w*UVStream\w*read|^recv", "input"),
        (r"\(croupier/(net/(sockets|tcp|limits)|wire/token_bucket)", "input"),
        (r"\(croupier/net/(outbox|link|connection|relay)", "socket"),
        (r"\(croupier/games/\w+/(wire|messages|parsing|reading|words|conversation)", "wire"),
        (r"\(croupier/games/\w+/(view|events|showing|vocabulary)", ""),  # belongs to its caller
        (r"\(croupier/games/", "rules"),
        (r"\(croupier/wire/", "wire"),
        (r"\(croupier/store/|\(sqlite3|^sqlite3|^pysqlite", "store"),
        (r"\(croupier/table/", "feed"),
        (r"\(croupier/(net|accounts|tournaments|arena|cluster)/", "rest"),
    )
]
"""The first frame that matches a pattern, from leaf to root, determines the part; "" means: look at the next
frame.
"""
BEGUN: Final = re.compile(r"^(Loop__run|run_forever|BaseEventLoop\.run_forever|Thread\.run) ")
"""Frames below this one are work; stacks without it belong to the start of the server."""
START: Final = "(<frozen importlib._bootstrap"
"""A stack with such a frame is an import."""
WAITS: Final = re.compile(
    r"^(epoll_p?wait|f(data)?sync|pthread_cond_\w*wait|PyThread_acquire_lock\w*|_queue_SimpleQueue_get\w*) "
)
"""A stack with such a frame waits for the network, the disk or another thread and uses no processor time."""
NOISE: Final = re.compile(r"^(0x[0-9a-f]+|Py_X?DECREF|_?Py\w*|__Pyx_\w+|object_\w+|method_vectorcall\w*) ")
"""Frames of the interpreter itself."""
SYMBOL: Final = re.compile(r"^CPy(?:Def|Py)_(\w+?)(?:\.\w+)* \(")


def read(text: str) -> Counter[Stack]:
    """Return the active stacks in py-spy's raw format, starting at the event loop or a thread's work, with
    their counts."""
    found: Counter[Stack] = Counter()
    for line in text.splitlines():
        frames, _, times = line.rpartition(" ")
        below = _work([frame(one) for one in frames.split(";")])
        if below:
            found[below] += int(times)
    return found


def _work(frames: list[str]) -> Stack:
    begun = [number for number, one in enumerate(frames) if BEGUN.match(one)]
    if not begun or any(START in one or WAITS.match(one) for one in frames):
        return ()
    return tuple(one for one in frames[begun[-1] + 1 :] if not NOISE.match(one))


def frame(text: str) -> str:
    """Return a frame without its line, and with the file of its module if that is compiled."""
    plain = re.sub(r":\d+\)$", ")", text)
    symbol = SYMBOL.match(plain)
    found = symbol and _compiled(symbol[1])
    return found or plain


def _compiled(symbol: str) -> str | None:
    """Return the frame of a C function made by mypyc: ``hearts___view___HeartsView___hear``."""
    words = [word for word in symbol.split("___") if word]
    for count in range(len(words) - 1, 0, -1):
        file = _files().get("/".join(words[:count]))
        if file is not None:
            return f"{'.'.join(words[count:])} ({file})"
    return None


@cache
def _files() -> dict[str, str]:
    """Return the file of every module by all suffixes of its name: mypyc uses the shortest unique one."""
    root = Path(croupier.__file__).parent
    found: dict[str, str] = {}
    for path in sorted(root.rglob("*.py")):
        parts = ("croupier", *path.relative_to(root).with_suffix("").parts)
        for begin in range(len(parts)):
            found.setdefault("/".join(parts[begin:]), f"{'/'.join(parts)}.py")
    return found


def part_of(stack: Stack) -> str:
    """Return the part of the path of a move that *stack* is in."""
    for one in reversed(stack):
        part = next((part for pattern, part in RULES if pattern.search(one)), "")
        if part:
            return part
    return "rest"


def parts(stacks: Mapping[Stack, int]) -> dict[str, int]:
    """Return the number of samples of each part."""
    found = dict.fromkeys(PARTS, 0)
    for stack, times in stacks.items():
        found[part_of(stack)] += times
    return found


def busiest(stacks: Mapping[Stack, int], part: str, most: int = 3) -> list[tuple[str, int]]:
    """Return the functions with the most samples of *part*, each counted by its innermost one."""
    found: Counter[str] = Counter()
    for stack, times in stacks.items():
        if part_of(stack) == part:
            found[next(_named(reversed(stack)), "the event loop")] += times
    return found.most_common(most)


def _named(frames: Iterable[str]) -> Iterator[str]:
    return (one for one in frames if "(croupier/" in one or "(aiohttp/" in one)
