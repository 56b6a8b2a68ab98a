"""Runs programs in isolation, with bubblewrap: they see no process and no file of each other or of the arena.

The file system is read-only; /tmp, /var/tmp, /run and /dev/shm are empty and disappear with the program. The
network is shared, because programs connect to their table. Croupier itself and its Python environment stay
visible, even in one of these folders.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

BUBBLEWRAP: Final = "bwrap"
EMPTY: Final = ("/tmp", "/var/tmp", "/run")
NEEDED: Final = (sys.prefix, sys.base_prefix, str(Path(__file__).parents[2]))
APART: Final = ("--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL", "--die-with-parent")


def problem() -> str:
    """Return why programs cannot be isolated on this machine, or an empty string."""
    if shutil.which(BUBBLEWRAP) is None:
        return "bwrap is not installed; install the package bubblewrap"
    tried = subprocess.run(sandboxed(["true"], "/", ()), capture_output=True, text=True, check=False)
    return f"bwrap does not work here: {tried.stderr.strip()}" if tried.returncode else ""


def sandboxed(command: Sequence[str], folder: str, hidden: Iterable[str]) -> list[str]:
    """Return *command* in isolation in *folder*, without a view of the *hidden* files and folders."""
    words = [BUBBLEWRAP, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", *APART]
    for path in EMPTY:
        if Path(path).is_dir():
            words += ["--tmpfs", path]
    for path in (*NEEDED, folder):
        words += ["--ro-bind", path, path]
    for path in hidden:
        if Path(path).is_dir():
            words += ["--tmpfs", path]
        elif Path(path).exists() and _seen(path, (*NEEDED, folder)):
            words += ["--ro-bind", "/dev/null", path]
    return [*words, "--chdir", folder, "--", *command]


def _seen(path: str, folders: Iterable[str]) -> bool:
    """Return whether *path* is visible: in one of the *folders*, or outside the empty ones."""
    return _inside(path, folders) or not _inside(path, EMPTY)


def _inside(path: str, folders: Iterable[str]) -> bool:
    return path.startswith(tuple(f"{folder}/" for folder in folders))
