"""Tests in a real kernel of Jupyter, where ipykernel and jupyter_client are installed: what a
notebook shows, and what its stop button does."""

import importlib.util
import os
import sys
import tempfile
import time
import unittest

NEEDED = all(importlib.util.find_spec(n) for n in ("ipykernel", "jupyter_client"))
HERE = os.path.dirname(os.path.abspath(__file__))
LARGE = "param a : real ~ normal(0, 1)\nparam b[2000] : real ~ normal(a, 1)\n"


@unittest.skipUnless(NEEDED, "ipykernel and jupyter_client are not installed")
@unittest.skipIf(sys.platform == "win32", "signals of Windows end the tests")
class TestKernel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        from jupyter_client.manager import KernelManager

        home = tempfile.TemporaryDirectory()
        cls.addClassCleanup(home.cleanup)
        path = os.pathsep.join([os.path.dirname(HERE), os.environ.get("PYTHONPATH", "")])
        env = dict(os.environ, PYTHONPATH=path, IPYTHONDIR=home.name, JUPYTER_DATA_DIR=home.name,
                   JUPYTER_RUNTIME_DIR=home.name, PYDEVD_DISABLE_FILE_VALIDATION="1")
        cls.manager = KernelManager()
        cls.manager.kernel_spec.argv[0] = sys.executable
        cls.manager.start_kernel(env=env)
        cls.addClassCleanup(cls.manager.shutdown_kernel, now=True)
        cls.client = cls.manager.blocking_client()
        cls.client.start_channels()
        cls.addClassCleanup(cls.client.stop_channels)
        cls.client.wait_for_ready(timeout=120)

    def run_cell(self, code, seen=lambda message: None):
        """Runs a cell and returns its messages; seen is called for each as it comes.

        A kernel that runs its cells as "stop on error" drops what comes shortly after an error,
        and the next cell may be among that.
        """
        asked = self.client.execute(code, stop_on_error=False)
        messages = []
        end = time.monotonic() + 120
        while time.monotonic() < end:
            m = self.client.get_iopub_msg(timeout=120)
            if m["parent_header"].get("msg_id") != asked:
                continue
            messages.append(m)
            if m["msg_type"] == "status" and m["content"]["execution_state"] == "idle":
                return messages
            seen(m)
        self.fail("the cell did not end")

    def test_bars_and_magic(self):
        messages = self.run_cell("%load_ext sgppl")
        self.assertNotIn("error", [m["msg_type"] for m in messages])
        messages = self.run_cell(
            "%%sgppl m --fit f --engine vm --chains 2 --seed 1\nparam a : real ~ normal(0, 1)\n")
        kinds = [m["msg_type"] for m in messages]
        self.assertEqual(kinds.count("display_data"), 1, messages)
        pages = [m["content"]["data"]["text/html"] for m in messages
                 if m["msg_type"] in ("display_data", "update_display_data")]
        self.assertRegex(pages[-1], "chain 0.*value='1.000'.*chain 1.*value='1.000'")
        (said,) = [m["content"]["text"] for m in messages if m["msg_type"] == "stream"]
        self.assertRegex(said, "^(ok|unsure)")

    def test_stop_button(self):
        """The interrupt of a notebook ends a run that can be resumed."""
        stopped = []

        def stop(m):
            page = m["content"].get("data", {}).get("text/html", "")
            if " draws, " in page and not stopped:
                stopped.append(time.monotonic())
                self.manager.interrupt_kernel()

        with tempfile.TemporaryDirectory() as work:
            at = os.path.join(work, "run")
            messages = self.run_cell(
                f"import sgppl; sgppl.Model({LARGE!r}).sample("
                f"directory={at!r}, keep='a', draws=400_000, warmup=50, chains=2, engine='vm')",
                stop)
            (error,) = [m["content"] for m in messages if m["msg_type"] == "error"]
            self.assertEqual(error["ename"], "Interrupted")
            self.assertIn("sgppl.resume", error["evalue"])
            messages = self.run_cell(f"print(len(sgppl.Fit({at!r}).draws()['a']) > 10)")
            said = [m["content"]["text"] for m in messages if m["msg_type"] == "stream"]
            self.assertEqual(said, ["True\n"])


if __name__ == "__main__":
    unittest.main()
