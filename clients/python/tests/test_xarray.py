"""Tests of runs as datasets: names, dims, labels and numbers, by each of the two readers."""

import importlib.util
import sys
import types
import unittest
from unittest import mock

import sgppl
from sgppl import _xarray

XARRAY = importlib.util.find_spec("xarray") is not None
ZARR = importlib.util.find_spec("zarr") is not None

MODEL = """dim N, G
data x[N], y[N] : real
data group[N] : index[G]
param b : real ~ normal(0, 1)
param a[G] : real ~ normal(0, 1)
param s : positive ~ normal(0, 1)
param z[G, 2] : real ~ normal(0, 1)
for n in N { y[n] ~ normal(a[group[n]] + b * x[n], s) }
"""
DATA = {"group": ["south", "north", "south", "west"], "x": [1.0, 2, 3, 4], "y": [1.0, -1, 2, 0]}


@unittest.skipUnless(XARRAY, "xarray is not installed")
class TestXarray(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.fit = sgppl.Model(MODEL).sample(
            DATA, chains=2, draws=60, warmup=100, engine="vm", seed=3, log_lik=True)

    def test_posterior(self):
        posterior = self.fit.to_xarray()
        self.assertEqual(list(posterior.data_vars), ["b", "a", "s", "z"])
        self.assertEqual(posterior["a"].dims, ("chain", "draw", "G"))
        self.assertEqual(posterior["z"].shape, (2, 60, 3, 2))
        self.assertEqual(list(posterior["G"].values), ["south", "north", "west"])
        draws = self.fit.draws()
        for g, name in enumerate(posterior["G"].values):
            self.assertEqual(posterior["a"].sel(G=name).values.ravel().tolist(), draws[f"a[{g}]"])
        self.assertEqual(posterior["z"].values[:, :, 2, 1].ravel().tolist(), draws["z[2,1]"])
        self.assertAlmostEqual(
            float(posterior["s"].mean()), self.fit.summary()["s"]["mean"], places=12)

    def test_groups(self):
        self.assertEqual(self.fit.groups,
                         ["log_likelihood", "observed_data", "posterior", "sample_stats"])
        stats = self.fit.to_xarray("sample_stats")
        self.assertEqual(stats["diverging"].dtype, bool)
        self.assertEqual(stats["energy"].dims, ("chain", "draw"))
        self.assertEqual(self.fit.to_xarray("observed_data")["y"].values.tolist(), DATA["y"])
        (lik,) = self.fit.to_xarray("log_likelihood").data_vars.values()
        self.assertEqual(lik.dims, ("chain", "draw", "N"))

    def test_log_likelihood(self):
        """The log likelihoods are those of the formula at the draws."""
        import numpy as np

        p = self.fit.to_xarray()
        (lik,) = self.fit.to_xarray("log_likelihood").data_vars.values()
        mean = p["a"].sel(G=DATA["group"]).values + p["b"].values[..., None] * np.array(DATA["x"])
        s = p["s"].values[..., None]
        want = -0.5 * ((DATA["y"] - mean) / s) ** 2 - np.log(s) - 0.5 * np.log(2 * np.pi)
        np.testing.assert_allclose(lik.values, want, rtol=1e-10)

    def test_predictions(self):
        import numpy as np

        own = self.fit.to_xarray("posterior_predictive")
        self.assertEqual(own["y"].shape, (2, 60, 4))
        new = self.fit.predict({"group": ["west"] * 500, "x": [2.0] * 500})
        p = self.fit.to_xarray()
        want = float((p["a"].sel(G="west") + 2 * p["b"]).mean())
        spread = float(p["s"].mean()) / (500 * 120) ** 0.5
        self.assertLess(abs(float(new["y"].mean()) - want), 6 * spread + 1e-9)
        self.assertEqual(new["y"].shape, (2, 60, 500))
        again = self.fit.predict({"group": ["west"] * 500, "x": [2.0] * 500})
        np.testing.assert_array_equal(new["y"].values, again["y"].values)

    @unittest.skipUnless(ZARR, "zarr is not installed")
    def test_both_readers(self):
        """What zarr reads as it is needed is what this package reads at once."""
        import xarray

        for group in self.fit.groups:
            lazy = self.fit.to_xarray(group)
            with mock.patch.dict(sys.modules, {"zarr": None}):
                at_once = self.fit.to_xarray(group)
            xarray.testing.assert_identical(lazy.load(), at_once)

    def test_absent(self):
        with self.assertRaisesRegex(KeyError, "posterior"):
            self.fit.to_xarray("posteriors")
        fit = sgppl.Model(MODEL).sample(DATA, chains=1, draws=20, warmup=20, engine="vm")
        with self.assertRaisesRegex(KeyError, "log_lik=True"):
            fit.to_xarray("log_likelihood")
        self.assertIn("elpd_loo", str(fit.loo()))
        self.assertEqual(len(fit.to_xarray("log_likelihood").data_vars), 1)
        with mock.patch.dict(sys.modules, {"xarray": None}):
            with self.assertRaisesRegex(ImportError, "fit.draws"):
                fit.to_xarray()

    def test_one_chain_and_chunks(self):
        """Stores of many small chunks, the last of them partly used."""
        fit = sgppl.Model(MODEL).sample(DATA, chains=1, draws=25, warmup=20, engine="vm", chunk=7)
        with mock.patch.dict(sys.modules, {"zarr": None}):
            self.assertEqual(fit.to_xarray()["b"].values.ravel().tolist(), fit.draws()["b"])


class Tree:
    """xarray.DataTree as of 2024.10: from_dict takes datasets by their paths."""

    @classmethod
    def from_dict(cls, d, /, name=None):
        tree = cls()
        tree.nodes = d
        return tree


class InferenceData:
    """arviz.InferenceData as of 0.11 to 0.22: datasets by the names of their groups."""

    def __init__(self, attrs=None, warn_on_custom_groups=True, **kwargs):
        self.groups = kwargs


@unittest.skipUnless(XARRAY, "xarray is not installed")
class TestContainers(unittest.TestCase):
    """DataTree and ArviZ may be absent: their shapes were recorded from their references."""

    @classmethod
    def setUpClass(cls):
        cls.fit = sgppl.Model(MODEL).sample(DATA, chains=2, draws=20, warmup=20, engine="vm")

    def test_datatree(self):
        import xarray

        with mock.patch.object(xarray, "DataTree", Tree, create=True):
            tree = self.fit.to_datatree(predictive=True)
        self.assertEqual(sorted(tree.nodes),
                         ["posterior", "posterior_predictive", "sample_stats"])
        self.assertEqual(tree.nodes["posterior"]["a"].dims, ("chain", "draw", "G"))
        self.assertEqual(tree.nodes["posterior_predictive"]["y"].shape, (2, 20, 4))

    @unittest.skipUnless(_xarray.has_trees(), "this xarray has no DataTree")
    def test_real_datatree(self):
        tree = self.fit.to_datatree()
        self.assertEqual(tree["posterior"]["a"].dims, ("chain", "draw", "G"))

    def test_inferencedata(self):
        import xarray

        fake = types.ModuleType("arviz")
        fake.InferenceData = InferenceData
        with mock.patch.dict(sys.modules, {"arviz": fake}):
            got = self.fit.to_inferencedata()
        self.assertEqual(sorted(got.groups), ["posterior", "sample_stats"])
        self.assertIsInstance(got.groups["posterior"], xarray.Dataset)
        later = types.ModuleType("arviz")  # 1.0, which has trees in its place
        with mock.patch.dict(sys.modules, {"arviz": later}), \
                mock.patch.object(xarray, "DataTree", Tree, create=True):
            self.assertIn("posterior", self.fit.to_inferencedata().nodes)

    @unittest.skipUnless(importlib.util.find_spec("arviz"), "arviz is not installed")
    def test_real_arviz(self):
        self.assertIn("posterior", self.fit.to_inferencedata().groups())

    def test_absent(self):
        if not _xarray.has_trees():
            with self.assertRaisesRegex(ImportError, "DataTree"):
                self.fit.to_datatree()
        with mock.patch.dict(sys.modules, {"arviz": None}):
            with self.assertRaisesRegex(ImportError, "arviz"):
                self.fit.to_inferencedata()


if __name__ == "__main__":
    unittest.main()
