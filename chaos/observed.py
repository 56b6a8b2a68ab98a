"""Croupier that counts its own objects on request: `python -m chaos.observed serve …`.

Whenever the file that CROUPIER_OBSERVED names does not exist, the counts are written to it.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import threading
import time
from pathlib import Path

import msgspec

from croupier.cli.main import main

VARIABLE = "CROUPIER_OBSERVED"


class Counts(msgspec.Struct, frozen=True):
    """The objects and resources of a process."""

    objects: int
    """The objects that the cycle collector tracks."""
    blocks: int
    """Allocated blocks of memory, for objects of all kinds."""
    tasks: int
    descriptors: int
    memory: int
    """In bytes."""


def counts() -> Counts:
    """Return the counts of this process after a collection."""
    gc.collect()
    blocks = sys.getallocatedblocks()
    found = gc.get_objects()
    tasks = sum(isinstance(one, asyncio.Task) and not one.done() for one in found)
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    memory = pages * os.sysconf("SC_PAGE_SIZE")
    descriptors = sum(1 for _ in Path("/proc/self/fd").iterdir())
    return Counts(len(found), blocks, tasks, descriptors, memory)


def _watch(path: Path) -> None:
    while True:
        if not path.exists():
            fresh = path.with_suffix(".new")
            fresh.write_bytes(msgspec.json.encode(counts()))
            fresh.replace(path)
        time.sleep(0.1)


def start() -> None:
    """Answer requests from now on."""
    threading.Thread(target=_watch, args=(Path(os.environ[VARIABLE]),), daemon=True).start()


if __name__ == "__main__":
    start()
    sys.argv[0] = "croupier"
    main()
