"""Tests of the client with the real command: python3 -m unittest, with SGPPL set to it."""

import math
import os
import tempfile
import unittest

import sgppl

EIGHT = {"y": [28, 8, -3, 7, -1, 1, 18, 12], "sigma": [15, 10, 16, 11, 9, 11, 10, 18]}
ROOT = os.path.join(os.path.dirname(__file__), "..", "..", "..")
SCHOOLS = os.path.join(ROOT, "examples", "models", "eight_schools.sg")


class Column(list):
    """A column as polars has them."""

    def to_list(self):
        return list(self)


class Table:
    """What a data frame offers: columns, and a column by its name."""

    def __init__(self, **columns):
        self.columns = list(columns)
        self._of = columns

    def __getitem__(self, name):
        return Column(self._of[name])


class TestFit(unittest.TestCase):
    def test_sample(self):
        with tempfile.TemporaryDirectory() as work:
            fit = sgppl.Model(SCHOOLS).sample(
                EIGHT, seed=1, engine="vm", chains=2, directory=os.path.join(work, "run"))
            self.assertRegex(fit.verdict, "^(ok|unsure)")
            draws = fit.draws()
            self.assertEqual(len(draws["theta[7]"]), 2000)
            mean = sum(draws["mu"]) / 2000
            self.assertAlmostEqual(mean, fit.summary()["mu"]["mean"], places=9)
            self.assertLess(abs(mean - 4.4), 4 * fit.summary()["mu"]["mcse_mean"] + 0.1)
            self.assertTrue(os.path.getsize(fit.report(os.path.join(work, "r.html"))) > 1000)

    def test_table(self):
        model = sgppl.Model("dim N\ndata y[N] : real\nparam a : real ~ normal(0, 1)\nfor n in N { y[n] ~ normal(a, 1) }\n")
        fit = model.sample(Table(y=[1.0, 2.0, 3.0]), engine="vm", draws=200, warmup=200, save_warmup=True)
        self.assertIn("a", fit.summary())

    def test_errors(self):
        with self.assertRaises(sgppl.Error) as wrong:
            sgppl.Model("param a : rael\n")
        self.assertEqual(wrong.exception.status, 1)
        self.assertIn("real", str(wrong.exception))
        with self.assertRaises(sgppl.Error) as wrong:
            sgppl.Model(SCHOOLS).sample({"y": [1, 2], "sigma": [1]}, engine="vm")
        self.assertEqual(wrong.exception.status, 3)


class TestBound(unittest.TestCase):
    def test_gradient(self):
        with sgppl.Model(SCHOOLS).bind(EIGHT) as bound:
            self.assertEqual(bound.dim, 10)
            x = [0.3, -0.2] + [0.1] * 8
            value, gradient = bound.gradient(x)
            self.assertEqual(value, bound.log_density(x))
            h = 1e-5
            for i in range(bound.dim):
                up, down = list(x), list(x)
                up[i] += h
                down[i] -= h
                slope = (bound.log_density(up) - bound.log_density(down)) / (2 * h)
                self.assertAlmostEqual(gradient[i], slope, places=6)
            values = bound.constrain(x)
            self.assertAlmostEqual(values["tau"][0], math.exp(-0.2))
            del values["theta"]
            for a, b in zip(bound.unconstrain(values), x):
                self.assertAlmostEqual(a, b)
            self.assertEqual(bound.log_density([1e200] + x[1:]), -math.inf)

    def test_refused(self):
        with self.assertRaises(sgppl.Error) as wrong:
            sgppl.Model(SCHOOLS).bind({"y": [1, 2], "sigma": [1]})
        self.assertEqual(wrong.exception.status, 3)
        with sgppl.Model(SCHOOLS).bind(EIGHT) as bound, self.assertRaises(sgppl.Error):
            bound.log_density([1, 2])


if __name__ == "__main__":
    unittest.main()
