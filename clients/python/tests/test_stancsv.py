"""Tests of `export --to stan-csv` against the rules by which CmdStanPy and cmdstanr read such
files. The two are not here: their rules were recorded from CmdStan's guide ("Stan CSV file
format") and the sources of their readers, and stand below as a reader of this test. CmdStanPy
itself reads the files where it is installed, and R's package posterior where that is."""

import importlib.util
import itertools
import math
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import sgppl

# Three hours are missing: they are params, which are called hours.missing in sgppl.
MODEL = """dim N, G
data hours[N] : real?
data score[N] : real
param b : real ~ normal(0, 1)
param m : real ~ normal(0, 1)
param a[2, G] : real ~ normal(0, 1)
for n in N {
  hours[n] ~ normal(m, 1)
  score[n] ~ normal(b * hours[n], 1)
}
"""
DATA = {"hours": [1.0, None, 3, None, None], "score": [1.0, 2, 3, 1, 0], "G": 3}
NAME = re.compile(r"[A-Za-z]\w*(\.[1-9]\d*)*")


class Reader:
    """A file, read by the rules. Whatever is against them is an AssertionError."""

    def __init__(self, path):
        with open(path, encoding="ascii") as f:
            self.lines = f.read().split("\n")
        assert self.lines.pop() == "", "the last line has no end"
        self.config = dict(self.comments())
        assert self.config["method"] == "sample"
        for key in ("num_samples", "num_warmup", "thin", "id", "seed"):
            self.config[key] = int(self.config[key])
        assert self.config["save_warmup"] == "0"
        self.names = self.header()
        self.adapted = self.lines[0] == "# Adaptation terminated"
        self.inverse = self.metric() if self.adapted else []
        self.draws = self.rows()
        self.seconds = self.times()

    def comments(self):
        while self.lines[0].startswith("#"):
            key, is_pair, value = self.lines.pop(0).lstrip("# ").partition("=")
            if is_pair:
                assert "=" not in value, value
                yield key.strip(), value.strip()

    def header(self):
        names = self.lines.pop(0).split(",")
        assert names[0] == "lp__" and len(set(names)) == len(names)
        for name in names:
            assert NAME.fullmatch(name), name
        # The elements of a variable are side by side, the first index fastest, without gaps.
        for variable, group in itertools.groupby(names, lambda n: n.split(".")[0]):
            index = [tuple(int(i) for i in n.split(".")[1:])[::-1] for n in group]
            sizes = index[-1]
            assert index == list(itertools.product(*(range(1, n + 1) for n in sizes))), variable
        variables = [v for v, _ in itertools.groupby(n.split(".")[0] for n in names)]
        assert len(set(variables)) == len(variables)
        return names

    def metric(self):
        self.lines.pop(0)
        label, step = self.lines.pop(0).split("=")
        assert label == "# Step size " and float(step) > 0
        assert float(step) == float(self.config["stepsize"])
        kind = self.config["metric"]
        if kind == "unit_e":
            return []
        title = {"diag_e": "# Diagonal elements of inverse mass matrix:",
                 "dense_e": "# Elements of inverse mass matrix:"}[kind]
        assert self.lines.pop(0) == title
        rows = [[float(x) for x in self.lines.pop(0).removeprefix("# ").split(",")]]
        if kind == "dense_e":
            rows += [[float(x) for x in self.lines.pop(0).removeprefix("# ").split(",")]
                     for _ in rows[0][1:]]
        assert all(len(r) == len(rows[0]) for r in rows)
        return rows

    def rows(self):
        out = []
        while self.lines and not self.lines[0].startswith("#"):
            cells = self.lines.pop(0).split(",")
            assert len(cells) == len(self.names)
            out.append([float(c) for c in cells])
            if self.adapted:
                for name in ("divergent__", "treedepth__"):
                    int(cells[self.names.index(name)])  # a whole number without a point
        c = self.config
        assert len(out) == math.ceil(c["num_samples"] / c["thin"]), (len(out), c)
        if self.adapted:
            assert int(c["max_depth"]) > 0
        return out

    def times(self):
        pattern = r"#  (?:Elapsed Time:|             ) ([0-9.e+-]+) seconds \((.*)\)"
        found = [re.fullmatch(pattern, line) for line in self.lines if line.strip("# ")]
        assert [m[2] for m in found] == ["Warm-up", "Sampling", "Total"], self.lines
        return [float(m[1]) for m in found]


class TestStanCSV(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.work.cleanup)
        model = sgppl.Model(MODEL)
        short = {"chains": 2, "draws": 60, "warmup": 300, "engine": "vm", "seed": 5}
        cls.runs = {}
        for name, more in {
            "auto": {}, "dense": {"metric": "dense"}, "diag": {"metric": "diag", "thin": 2},
            "other": {"sampler": "sghmc", "step": 0.01},
        }.items():
            fit = model.sample(DATA, **{**short, **more})
            files = fit.export("stan-csv", os.path.join(cls.work.name, name + ".csv"))
            cls.runs[name] = fit, files

    def test_rules(self):
        for name, (fit, files) in self.runs.items():
            with self.subTest(name):
                self.assertEqual(len(files), 2)
                draws = fit.draws()
                n = len(draws["b"]) // 2
                for chain, file in enumerate(files):
                    r = Reader(file)
                    self.assertEqual(r.config["id"], chain + 1)
                    self.assertEqual(r.adapted, name != "other")
                    # Columns count from 1, and have no dot but before an index.
                    for column, ours in (("b", "b"), ("a.2.3", "a[1,2]"), ("a.1.2", "a[0,1]"),
                                         ("hours_missing.3", "hours.missing[2]")):
                        got = [row[r.names.index(column)] for row in r.draws]
                        self.assertEqual(got, draws[ours][chain * n:(chain + 1) * n], column)
                    size = 2 + 6 + 3
                    want = {"dense": [size] * size, "diag": [size], "other": []}
                    if name in want:
                        self.assertEqual([len(row) for row in r.inverse], want[name])
                    self.assertAlmostEqual(sum(r.seconds[:2]), r.seconds[2], places=4)

    @unittest.skipUnless(importlib.util.find_spec("cmdstanpy"), "CmdStanPy is not installed")
    def test_cmdstanpy(self):
        import cmdstanpy

        for name, (fit, files) in self.runs.items():
            got = cmdstanpy.from_csv(files)
            self.assertEqual(got.stan_variable("a").shape[1:], (2, 3), name)
            self.assertEqual(got.stan_variable("b").tolist(), fit.draws()["b"])

    @unittest.skipUnless(shutil.which("Rscript"), "R is not installed")
    def test_posterior(self):
        """The means of R's package posterior are those of the summary."""
        script = """
suppressMessages(if (!requireNamespace("posterior", quietly = TRUE)) quit(status = 3))
chains <- lapply(commandArgs(TRUE), function(f) {
  read.csv(f, comment.char = "#", check.names = FALSE)
})
names(chains) <- seq_along(chains)
draws <- posterior::as_draws_list(lapply(chains, as.list))
s <- posterior::summarise_draws(draws, "mean", "rhat")
for (i in seq_len(nrow(s))) cat(s$variable[i], sprintf("%.17g", as.numeric(s$mean[i])), "\\n")
"""
        fit, files = self.runs["auto"]
        done = subprocess.run(["Rscript", "-e", script, *files], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding="utf-8", check=False)
        if done.returncode == 3:
            self.skipTest("the R package posterior is not installed")
        self.assertEqual(done.returncode, 0, done.stderr)
        means = {k: float(v) for k, v in (line.split() for line in done.stdout.splitlines())}
        summary = fit.summary()
        for theirs, ours in (("b", "b"), ("a.2.3", "a[1,2]"),
                             ("hours_missing.1", "hours.missing[0]")):
            self.assertAlmostEqual(means[theirs], summary[ours]["mean"], places=9)


if __name__ == "__main__":
    unittest.main()
