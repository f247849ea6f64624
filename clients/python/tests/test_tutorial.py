"""The tutorial in docs/tutorials/python.md: its files and programs work as they stand, and print
what the page shows."""

import contextlib
import importlib.util
import io
import os
import re
import tempfile
import unittest
from unittest import mock

import sgppl

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                    "..", "..", "..", "docs", "tutorials", "python.md")
FENCE = re.compile(r"(?P<before>[^\n]*)\n\n```(?P<kind>\w*)\n(?P<text>.*?)```", re.S)
NEEDED = all(importlib.util.find_spec(name) for name in ("numpy", "pandas", "xarray"))


@unittest.skipUnless(NEEDED, "pandas and xarray are not installed")
@unittest.skipUnless(os.path.exists(PAGE), "the documentation is not here")
class TestTutorial(unittest.TestCase):
    def test_page(self):
        with open(PAGE, encoding="utf-8") as f:
            fences = list(FENCE.finditer(f.read()))
        here = os.getcwd()
        real = sgppl.Model.sample

        def by_vm(*args, **flags):  # which gives the same draws
            return real(*args, engine="vm", **flags)

        space, printed, programs = {}, None, 0
        with tempfile.TemporaryDirectory() as work:
            os.chdir(work)
            self.addCleanup(os.chdir, here)
            for fence in fences:
                file = re.search(r"`(\w+\.\w+)`:$", fence["before"])
                if file:
                    with open(file[1], "w", encoding="utf-8") as f:
                        f.write(fence["text"])
                elif fence["kind"] == "python":
                    programs += 1
                    out = io.StringIO()
                    with contextlib.redirect_stdout(out), \
                            mock.patch.object(sgppl.Model, "sample", by_vm):
                        exec(compile(fence["text"], PAGE, "exec"), space)
                    printed = out.getvalue()
                elif fence["kind"] == "text":
                    self.assertEqual(printed, fence["text"])
            os.chdir(here)
        self.assertEqual(programs, 5)


if __name__ == "__main__":
    unittest.main()
