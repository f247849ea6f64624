"""How the command sgppl is found and run."""

from __future__ import annotations

import os
import shutil
import subprocess


class Error(Exception):
    """What sgppl refused. `status` is its exit status: 1 a model, 2 a command line, 3 data,
    4 a run, 5 files; 130 an interrupt. Its text is what the command printed."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text.strip())
        self.status = status


def command() -> str:
    """The path of the command: the variable SGPPL, else `sgppl` on PATH."""
    path = os.environ.get("SGPPL") or shutil.which("sgppl")
    if not path:
        raise Error(5, "the command sgppl is not on PATH; set SGPPL to its path")
    return path


def run(args: list[str], text: str | None = None, show: bool = False) -> str:
    """Runs the command and returns what it prints. With show its notes and progress are
    shown as they come."""
    done = subprocess.run(
        [command(), *args], input=text, stdout=subprocess.PIPE,
        stderr=None if show else subprocess.PIPE, text=True, check=False,
    )
    if done.returncode != 0:
        raise Error(done.returncode, done.stderr or f"sgppl {args[0]} ended with status {done.returncode}")
    return done.stdout
