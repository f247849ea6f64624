"""Progress of a run: a line of each chain, in a notebook or on a terminal."""

from __future__ import annotations

import contextlib
import html
import sys
from typing import Any, Callable, Dict, Iterator, Optional, TextIO, Union

Event = Dict[str, Any]
Progress = Union[None, bool, Callable[[Event], None]]
WIDTH = 24


@contextlib.contextmanager
def watcher(progress: Progress) -> Iterator[Optional[Callable[[Event], None]]]:
    """What is called for each event of a run; None where nothing is to be shown."""
    if callable(progress):
        yield progress
        return
    shell = notebook()
    if progress is False or progress is None and shell is None and not sys.stderr.isatty():
        yield None
        return
    page: Union[Page, Terminal] = Page() if shell is not None else Terminal(sys.stderr)
    try:
        yield page.event
    finally:
        page.close()


def notebook() -> Any:
    """The shell of a notebook; None elsewhere."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell if shell is not None and hasattr(shell, "kernel") else None


def span(seconds: Optional[float]) -> str:
    """A time as people say it: 8 s, 2 min 5 s, 3 h 20 min."""
    if seconds is None or seconds != seconds or seconds < 0:
        return "?"
    s = int(seconds + 0.5)
    if s < 60:
        return f"{s} s"
    if s < 3600:
        return f"{s // 60} min {s % 60} s"
    return f"{s // 3600} h {s % 3600 // 60} min"


class Chains:
    """How far each chain is, by the events of `--progress json`."""

    def __init__(self) -> None:
        self.chains: dict[int, Event] = {}
        self.phase = ""
        self.notes: list[str] = []

    def take(self, event: Event) -> bool:
        """Takes an event; whether there is something new to be shown."""
        kind = event.get("event")
        if kind in ("progress", "end"):
            self.chains[event["chain"]] = event
            self.phase = ""
        elif kind == "phase":
            self.phase = event["text"]
        elif kind == "note":
            self.notes.append(event["text"])
        else:
            return False
        return True

    def rows(self) -> Iterator[tuple[str, float, str]]:
        """For each chain its name, its share of the steps, and a text."""
        for chain, e in sorted(self.chains.items()):
            share = min(1.0, e["step"] / e["steps"]) if e["steps"] else 0.0
            done = e["event"] == "end"
            left = f"{span(e['seconds'])}" if done else f"{span(e['seconds_left'])} left"
            what = "warm-up" if e["step"] < e["warmup"] else f"{e['draws']} draws"
            yield f"chain {chain}", share, f"{what}, {left}"


class Terminal(Chains):
    """Progress on a terminal: lines that are written over."""

    def __init__(self, to: TextIO) -> None:
        super().__init__()
        self.to = to
        self.height = 0

    def event(self, event: Event) -> None:
        if not self.take(event):
            return
        lines = [self.phase] if self.phase else []
        for name, share, what in self.rows():
            bar = "#" * int(share * WIDTH)
            lines.append(f"{name} [{bar:<{WIDTH}}] {what}")
        up = f"\x1b[{self.height}A" if self.height else ""
        notes = "".join(f"\x1b[2K{n}\n" for n in self.notes)
        self.notes = []
        self.to.write(up + notes + "".join(f"\x1b[2K{line}\n" for line in lines) + "\x1b[J")
        self.to.flush()
        self.height = len(lines)

    def close(self) -> None:
        self.to.flush()


class Page(Chains):
    """Progress in a notebook: a table that is replaced."""

    def __init__(self) -> None:
        super().__init__()
        self.handle: Any = None

    def event(self, event: Event) -> None:
        if not self.take(event):
            return
        from IPython.display import HTML, display

        page = HTML(self.html())
        if self.handle is None:
            self.handle = display(page, display_id=True)
        else:
            self.handle.update(page)

    def html(self) -> str:
        notes = "".join(f"<div>{html.escape(n)}</div>" for n in self.notes)
        phase = f"<div>{html.escape(self.phase)}</div>" if self.phase else ""
        rows = "".join(
            f"<tr><td>{name}</td><td><progress max='1' value='{share:.3f}' aria-label='{name}'>"
            f"</progress></td><td>{html.escape(what)}</td></tr>"
            for name, share, what in self.rows())
        return f"<div>{notes}{phase}<table>{rows}</table></div>"

    def close(self) -> None:
        """The last table stays in the page."""
