"""`croupier hearts-node`: its options apply to the default table."""

from __future__ import annotations

import pytest

from croupier.net import server
from croupier.net.house import Plan
from croupier.wire.table_spec import TableSpec
from tests.cli.command import run


def default_table(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> TableSpec:
    """Return the specification of the node's default table."""
    plans: list[Plan] = []
    monkeypatch.setattr(server, "serve", plans.append)
    assert run("hearts-node", *arguments).returncode == 0
    return plans[0].default


@pytest.mark.parametrize(("value", "on"), [("-1", False), ("0", False), ("1", True), ("7", True)])
def test_games_restart_by_themselves_with_auto_cycle_above_0(
    value: str, on: bool, monkeypatch: pytest.MonkeyPatch
) -> None:  # 7.1
    assert default_table(monkeypatch, "--auto-cycle", value).auto_cycle is on
    assert default_table(monkeypatch, f"--auto-cycle={value}").auto_cycle is on
