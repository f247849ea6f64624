"""Tests of %%sgppl: with a shell of the recorded shape, and with IPython where it is installed."""

import contextlib
import importlib.util
import io
import os
import tempfile
import unittest
from unittest import mock

import sgppl
from sgppl import _magic

IPYTHON = importlib.util.find_spec("IPython") is not None
CELL = """dim N
data y[N] : real
param a : real ~ normal(0, 1)
for n in N { y[n] ~ normal(a, 1) }
"""


class Shell:
    """What IPython's InteractiveShell offers to an extension, as of versions 7 to 9."""

    def __init__(self):
        self.user_ns = {}
        self.user_global_ns = self.user_ns
        self.magics = {}

    def register_magic_function(self, func, magic_kind="line", magic_name=None):
        self.magics[magic_kind, magic_name or func.__name__] = func

    def run_cell_magic(self, magic_name, line, cell):
        return self.magics["cell", magic_name](line, cell)


class Magics:
    """What any shell has to do."""

    shell = None

    def cell(self, line, cell=CELL):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            self.shell.run_cell_magic("sgppl", line, cell)
        return out.getvalue(), err.getvalue()

    def test_model(self):
        self.assertEqual(self.cell("m"), ("", ""))
        self.assertIsInstance(self.shell.user_ns["m"], sgppl.Model)

    def test_fit(self):
        self.shell.user_ns["table"] = {"y": [1.0, 2, 3]}
        out, err = self.cell("m --fit f --data '{**table}' --seed 4 --chains=2 --engine vm "
                             "--draws 200 --warmup 200 --save-warmup --keep a")
        self.assertEqual(err, "")
        fit = self.shell.user_ns["f"]
        self.assertEqual(out.strip(), fit.verdict)
        self.assertEqual(len(fit.draws()["a"]), 400)

    def test_mistakes(self):
        _, err = self.cell("m", "param a : rael\n")
        self.assertIn("E0", err)
        self.assertIn("real", err)
        self.assertNotIn("Traceback", err)
        for line in ("", "--fit f", "1m", "m --data table", "m seed", "m --fit 2"):
            self.assertIn("%%sgppl NAME", self.cell(line)[1], line)


class TestMagic(Magics, unittest.TestCase):
    def setUp(self):
        self.shell = Shell()
        sgppl.load_ipython_extension(self.shell)


@unittest.skipUnless(IPYTHON, "IPython is not installed")
class TestIPython(Magics, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        from IPython.core.interactiveshell import InteractiveShell

        home = tempfile.TemporaryDirectory()
        cls.addClassCleanup(home.cleanup)
        with mock.patch.dict(os.environ, {"IPYTHONDIR": home.name}):
            cls.shell = InteractiveShell.instance()
        cls.shell.run_line_magic("load_ext", "sgppl")
        cls.addClassCleanup(cls.shell.history_manager.end_session)


class TestFlags(unittest.TestCase):
    def test_parsed(self):
        got = _magic.parsed("--seed 1 --save-warmup --keep a --keep=b --set K=3 --lp".split())
        self.assertEqual(got, {"seed": "1", "save_warmup": True, "keep": ["a", "b"], "set": "K=3",
                               "lp": True})


if __name__ == "__main__":
    unittest.main()
