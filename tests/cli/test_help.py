"""Every command has a help text, prints it quickly, and answers a wrong option with one line."""

from __future__ import annotations

import os
import subprocess
import sys

import click
import pytest

from croupier.cli.main import cli, commands
from tests.cli.command import only_line, run, spawn
from tests.integration.servers import command

CPU_SECONDS = 0.3


def cpu_seconds(*arguments: str) -> float:
    """Return the CPU time of a whole process, which hardly depends on the load of the machine."""
    process = subprocess.Popen(command(*arguments), stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_utime + usage.ru_stime


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no wait4")
def test_help_costs_less_than_0_3_seconds_of_processor_time() -> None:
    # Caches may be cold the first time, and CPU caches are shared: the best of five runs counts.
    assert min(cpu_seconds("--help") for _ in range(5)) < CPU_SECONDS


def test_help_does_not_import_the_server() -> None:
    code = (
        "import sys\nfrom croupier.cli.main import cli\n"
        "cli.main(['--help'], standalone_mode=False)\n"
        "print(*[name for name in ('aiohttp', 'rich') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""


def test_the_list_of_commands_is_complete() -> None:
    done = spawn("--help")
    assert done.returncode == 0
    for name, (_, _, words) in commands().items():
        assert any(line.split() == [name, *words.split()] for line in done.stdout.splitlines()), name


@pytest.mark.parametrize("name", commands())
def test_every_command_explains_itself_and_its_options(name: str) -> None:
    done = run(name, "--help")
    assert done.returncode == 0
    assert done.stderr == ""
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    assert found.help
    options = [one for one in found.params if isinstance(one, click.Option) and not one.hidden]
    assert [option.name for option in options if not option.help] == []
    assert [word for option in options for word in option.opts if word not in done.stdout] == []


GROUPS = {
    name: found.list_commands(click.Context(found))
    for name in commands()
    if isinstance(found := cli.get_command(click.Context(cli), name), click.Group)
}


@pytest.mark.parametrize(
    ("group", "name"), [(group, name) for group, names in GROUPS.items() for name in names]
)
def test_every_command_of_a_group_explains_itself_without_other_options(group: str, name: str) -> None:
    done = run(group, name, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Usage: croupier {group} {name} ")


@pytest.mark.parametrize("name", commands())
def test_an_unknown_option_gets_one_line_and_status_2(name: str) -> None:
    done = run(name, "--no-such-option")
    assert done.returncode == 2
    assert "--no-such-option" in only_line(done)
    assert f"croupier {name} --help" in done.stderr


def test_an_unknown_command_gets_one_line_and_status_2() -> None:
    done = spawn("dance")
    assert done.returncode == 2
    assert "dance" in only_line(done)


def test_the_version_says_how_the_rules_run() -> None:
    done = run("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("croupier ")
    assert "interpreted" in done.stdout or "compiled" in done.stdout
