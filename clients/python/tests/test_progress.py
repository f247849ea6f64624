"""Tests of progress, of interrupts, and of what goes on after them."""

import importlib.util
import io
import os
import signal
import sys
import tempfile
import threading
import types
import unittest
from unittest import mock

import sgppl
from sgppl import _progress

XARRAY = importlib.util.find_spec("xarray") is not None
MODEL = "param a : real ~ normal(0, 1)\nparam b[40] : real ~ normal(a, 1)\n"
LARGE = "param a : real ~ normal(0, 1)\nparam b[2000] : real ~ normal(a, 1)\n"
SHORT = {"chains": 2, "draws": 100, "warmup": 100, "engine": "vm"}


def event(chain, step, kind="progress"):
    return {"event": kind, "chain": chain, "step": step, "steps": 200, "warmup": 100, "draws": 7,
            "seconds": 61.2, "seconds_left": 3700.0}


class TestEvents(unittest.TestCase):
    def test_callback(self):
        events = []
        fit = sgppl.Model(MODEL).sample(progress=events.append, **SHORT)
        ends = [e for e in events if e["event"] == "end"]
        self.assertEqual(sorted(e["chain"] for e in ends), [0, 1])
        self.assertTrue(all(e["step"] == e["steps"] == 200 for e in ends))
        self.assertIn("sampler nuts", fit.notes)

    def test_callback_that_fails(self):
        """An error of the callback ends the run and is raised."""
        def fail(_):
            raise ZeroDivisionError

        with self.assertRaises(ZeroDivisionError):
            sgppl.Model(MODEL).sample(progress=fail, **SHORT)

    def test_terminal(self):
        to = io.StringIO()
        terminal = _progress.Terminal(to)
        terminal.event({"event": "phase", "text": "compiling", "seconds": 1})
        terminal.event({"event": "note", "text": "sampler nuts"})
        terminal.event(event(1, 50))
        terminal.event(event(0, 200, "end"))
        self.assertIn("compiling\n", to.getvalue())
        last = to.getvalue().split("\x1b[1A")[-1]
        self.assertRegex(last, r"chain 0 \[#{24}\] 7 draws, 1 min 1 s\n")
        self.assertRegex(last, r"chain 1 \[#{6} {18}\] warm-up, 1 h 1 min left\n")

    def test_spans(self):
        for seconds, text in ((0.2, "0 s"), (59.6, "1 min 0 s"), (7300, "2 h 1 min"),
                              (None, "?"), (float("nan"), "?")):
            self.assertEqual(_progress.span(seconds), text)

    def test_quiet_by_default(self):
        with _progress.watcher(None) as watch:
            self.assertIsNone(watch)  # standard error is no terminal here
        with _progress.watcher(False) as watch:
            self.assertIsNone(watch)


class Handle:
    """What IPython.display.display returns with display_id."""

    def __init__(self, first):
        self.pages = [first]

    def update(self, page):
        self.pages.append(page)


class TestNotebook(unittest.TestCase):
    """The shape of IPython's display was recorded from its reference."""

    def test_table(self):
        handles = []

        def display(page, display_id=None):
            assert display_id is True
            handles.append(Handle(page))
            return handles[-1]

        ipython, shown = types.ModuleType("IPython"), types.ModuleType("IPython.display")
        ipython.get_ipython = lambda: types.SimpleNamespace(kernel=object())
        shown.display, shown.HTML = display, lambda text: text
        with mock.patch.dict(sys.modules, {"IPython": ipython, "IPython.display": shown}):
            sgppl.Model(MODEL).sample(**SHORT)
        (handle,) = handles
        self.assertRegex(handle.pages[-1], "chain 0.*value='1.000'.*chain 1.*value='1.000'")
        self.assertIn("sampler nuts", handle.pages[-1])

    def test_html_is_escaped(self):
        page = _progress.Page()
        page.take({"event": "note", "text": "<b>&"})
        self.assertIn("&lt;b&gt;&amp;", page.html())


@unittest.skipIf(sys.platform == "win32", "signals of Windows end the tests")
class TestInterrupt(unittest.TestCase):
    def interrupted(self, directory):
        """Interrupts a long run when its first draws are there."""
        seen = threading.Event()

        def watch(e):
            if e["event"] == "progress" and e["draws"] > 10:
                if not seen.is_set():
                    seen.set()
                    signal.raise_signal(signal.SIGINT)

        with self.assertRaises(sgppl.Interrupted) as got:
            sgppl.Model(LARGE).sample(
                directory=directory, keep="a", chains=2, draws=400_000, warmup=50, threads=2,
                engine="vm", progress=watch, seed=5, chunk=1000)
        return got.exception

    def test_resume(self):
        with tempfile.TemporaryDirectory() as work:
            at = os.path.join(work, "run")
            interrupt = self.interrupted(at)
            self.assertEqual(interrupt.directory, at)
            self.assertIsInstance(interrupt, KeyboardInterrupt)
            self.assertIn("sgppl.resume", str(interrupt))
            fit = sgppl.Fit(at)
            n = len(fit.draws()["a"])
            self.assertGreater(n, 10)
            if XARRAY:
                import numpy as np

                posterior = fit.to_xarray()
                self.assertEqual(posterior["a"].size, n)
                self.assertTrue(np.isfinite(posterior["a"].values).all())

    def test_resumed_to_its_end(self):
        with tempfile.TemporaryDirectory() as work:
            at = os.path.join(work, "whole")
            whole = sgppl.Model(MODEL).sample(directory=at, seed=2, **SHORT)
            more = sgppl.resume(whole.directory, more_draws=50)
            self.assertEqual(len(more.draws()["a"]), 300)

    def test_before_the_run(self):
        self.assertIn("before", str(sgppl.Interrupted("/nowhere")))


if __name__ == "__main__":
    unittest.main()
