"""The processes that a killed test process has started are killed, too."""

from __future__ import annotations

import select
import subprocess
import sys

import pytest

from tests import stray

TEST = """
import subprocess, sys, time
from tests import stray
stray.kill_at_end()
server = [sys.executable, "-c", "import time; print(1, flush=True); time.sleep(600)"]
subprocess.Popen(server, start_new_session=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_a_server_does_not_survive_a_killed_test() -> None:
    with subprocess.Popen([sys.executable, "-c", TEST], stdout=subprocess.PIPE) as test:
        assert test.stdout is not None
        assert test.stdout.readline() == b"1\n"
        test.kill()
        # The server has the other end of the pipe: it closes when the server has ended.
        assert select.select([test.stdout], [], [], 60.0)[0]
        assert test.stdout.read() == b""


def test_unmarked_processes_are_left_alone() -> None:
    assert stray.marked("no such mark") == []
