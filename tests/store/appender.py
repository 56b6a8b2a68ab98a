"""A process to be killed: appends to several tables at once and prints which entries were confirmed.

    python appender.py FILE TABLES [LIMIT]

With LIMIT (bytes) the size of files is limited, as on a full disk.
"""

from __future__ import annotations

import asyncio
import sys

from croupier.store import Store, StoreConflict, StoreError, TableRow, open_store


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


async def play(store: Store, table: str) -> None:
    if await store.table(table) is None:
        await store.open_table(TableRow(table, "toy", "{}", "2026-11-15T20:31:26Z"))
    number = len(await store.log(table))
    while True:
        # Entries that span pages, so that an incomplete write would be detected.
        await store.append(table, number, [f"{number} " + "x" * 700, f"{number + 1} " + "y" * 40])
        say(f"{table} {number + 1}")
        number += 2


async def fill(store: Store, limit: int) -> None:
    import resource

    await store.open_table(TableRow("t0", "toy", "{}", "2026-11-15T20:31:26Z"))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    number = 0
    try:
        while True:
            await store.append("t0", number, ["z" * 2000])
            number += 1
    except StoreConflict:
        raise
    except StoreError as error:
        say(f"failed at {number}: {error}")
    assert len(await store.log("t0")) == number
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    await store.append("t0", number, ["space again"])
    await store.close()
    say(f"continued with {number}")


async def main() -> None:
    store = await open_store(sys.argv[1])
    if len(sys.argv) > 3:
        await fill(store, int(sys.argv[3]))
    else:
        await asyncio.gather(*(play(store, f"t{number}") for number in range(int(sys.argv[2]))))


if __name__ == "__main__":
    asyncio.run(main())
