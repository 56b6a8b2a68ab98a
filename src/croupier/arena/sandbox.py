"""Runs programs apart, with bubblewrap: they see no process and no file of each other or of the arena.

The file system is read-only; /tmp, /var/tmp, /run and /dev/shm are empty and disappear with the program. The
network is shared, because programs connect to their table.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

BUBBLEWRAP: Final = "bwrap"
EMPTY: Final = ("/tmp", "/var/tmp", "/run")
APART: Final = ("--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL", "--die-with-parent")


def problem() -> str:
    """Return why programs cannot be run apart on this machine, or an empty string."""
    if shutil.which(BUBBLEWRAP) is None:
        return "bwrap is not installed; install the package bubblewrap"
    tried = subprocess.run(sandboxed(["true"], "/", ()), capture_output=True, text=True, check=False)
    return f"bwrap does not work here: {tried.stderr.strip()}" if tried.returncode else ""


def sandboxed(command: Sequence[str], folder: str, hidden: Iterable[str]) -> list[str]:
    """Return *command* run apart in *folder*, without a view of the *hidden* files and folders."""
    words = [BUBBLEWRAP, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", *APART]
    for path in EMPTY:
        if Path(path).is_dir():
            words += ["--tmpfs", path]
    words += ["--ro-bind", folder, folder]
    for path in hidden:
        if Path(path).is_dir():
            words += ["--tmpfs", path]
        elif Path(path).exists() and _seen(path, folder):
            words += ["--ro-bind", "/dev/null", path]
    return [*words, "--chdir", folder, "--", *command]


def _seen(path: str, folder: str) -> bool:
    """Return whether *path* is visible although some folders are empty."""
    return path.startswith(f"{folder}/") or not path.startswith(tuple(f"{empty}/" for empty in EMPTY))
