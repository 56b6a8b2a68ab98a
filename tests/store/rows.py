"""Rows to put into stores."""

from __future__ import annotations

from croupier.store import MatchRow, TableRow


def table_row(name: str) -> TableRow:
    return TableRow(id=name, game="hearts", config="{}", created="2026-11-15T20:31:26Z")


def match_row(name: str, started: str = "2026-11-15T20:31:26Z", first: int = 0) -> MatchRow:
    return MatchRow(
        id=name,
        table="t1",
        game="hearts",
        players='["ann", "bob"]',
        options="{}",
        started=started,
        ended=None,
        result=None,
        first=first,
        last=None,
    )
