"""How the command sgppl is found and run."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from typing import Any, Callable, Dict, Optional

from . import _packed

Watcher = Callable[[Dict[str, Any]], None]


class Error(Exception):
    """What sgppl refused. `status` is its exit status: 1 a model, 2 a command line, 3 data,
    4 a run, 5 files; 130 an interrupt. Its text is what the command printed."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text.strip())
        self.status = status


class Interrupted(KeyboardInterrupt):
    """A run that the user has interrupted. `directory` is its run directory: what was drawn is
    kept there, and `sgppl.resume(directory)` goes on with it."""

    def __init__(self, directory: str) -> None:
        kept = os.path.exists(os.path.join(directory, "run.json"))
        super().__init__(
            f"interrupted; sgppl.resume({directory!r}) goes on" if kept
            else "interrupted before the first draw")
        self.directory = directory


def command() -> str:
    """The path of the command: the variable SGPPL, else the one that this package carries, else
    `sgppl` on PATH."""
    path = os.environ.get("SGPPL") or _packed.unpacked() or shutil.which("sgppl")
    if not path:
        raise Error(5, "the command sgppl is not on PATH; set SGPPL to its path")
    return path


def run(args: list[str], text: Optional[str] = None) -> str:
    """Runs the command and returns what it prints."""
    done = subprocess.run(
        [command(), *args], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        encoding="utf-8", check=False)
    if done.returncode != 0:
        raise Error(done.returncode, done.stderr or ended(args, done.returncode))
    return done.stdout


def ended(args: list[str], status: int) -> str:
    return f"sgppl {args[0]} ended with status {status}"


def sample(
    args: list[str], directory: str, text: Optional[str], watch: Optional[Watcher],
) -> list[str]:
    """Runs `sgppl sample`, calls watch for each event, and returns the notes. An interrupt is
    passed on to the command once, which writes its checkpoints; a second one ends it at once.
    The command is in a process group of its own, so that it hears of interrupts from here alone."""
    separate: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        separate = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    child = subprocess.Popen(
        [command(), *args, "--progress", "json"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, encoding="utf-8", errors="replace", **separate)
    notes: list[str] = []
    said: list[str] = []
    try:
        interrupted = attend(child, text, watch, notes, said)
    except BaseException:
        child.kill()
        raise
    finally:
        status = child.wait()
        assert child.stderr
        child.stderr.close()
    if interrupted:
        raise Interrupted(directory)
    if status != 0:
        raise Error(status, "".join(said) or ended(args, status))
    return notes


def attend(
    child: subprocess.Popen[str], text: Optional[str], watch: Optional[Watcher],
    notes: list[str], said: list[str],
) -> bool:
    """Feeds a child and follows it to its end; whether the user has interrupted it."""
    interrupted = fed = False
    while True:
        try:
            if not fed:
                feed(child, text)
                fed = True
            if not follow(child, watch, notes, said):
                return interrupted
        except KeyboardInterrupt:
            interrupted = True
            interrupt(child)


def feed(child: subprocess.Popen[str], text: Optional[str]) -> None:
    """Writes the standard input of a child. One that has ended says why by its status."""
    assert child.stdin
    try:
        if text is not None:
            child.stdin.write(text)
        child.stdin.close()
    except BrokenPipeError:
        pass


def follow(
    child: subprocess.Popen[str], watch: Optional[Watcher], notes: list[str], said: list[str],
) -> bool:
    """Reads a line of a child: an event, or what it says beside them; False at the end."""
    assert child.stderr
    line = child.stderr.readline()
    if not line:
        return False
    try:
        event = json.loads(line)
    except ValueError:
        said.append(line)
        return True
    if event.get("event") == "note":
        notes.append(event["text"])
    if watch is not None:
        watch(event)
    return True


def interrupt(child: subprocess.Popen[str]) -> None:
    """Asks a child to end. It may have ended already."""
    if child.poll() is not None:
        return
    if sys.platform == "win32":
        child.send_signal(signal.CTRL_BREAK_EVENT)
    else:
        child.send_signal(signal.SIGINT)
