//go:build slow

package main

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestXarrayOpensGroups: what predict, loo --save and simulate write opens in
// xarray, with the dims and values that were meant.
func TestXarrayOpensGroups(t *testing.T) {
	const python = "/usr/bin/python3"
	if out, err := exec.Command(python, "-c", "import xarray, zarr").CombinedOutput(); err != nil {
		t.Skipf("xarray and zarr cannot be imported by %s: %v %s", python, err, out)
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("m.sg"), `dim N, K
data x[N], y[N] : real
data z[N] : index[K] from 1
param a : real ~ normal(0, 1)
param p : simplex[K] ~ dirichlet([1 for k in K])
for n in N {
  y[n] ~ normal(a * x[n], 1)
  z[n] ~ categorical(p)
}
`)
	write(t, at("names"), "low\nmöderate\nhigh\n")
	write(t, at("d.json"), `{"K": 3, "x": [1, 2, 3, 4], "y": [1.5, 2, 3.5, 3], "z": [1, 2, 3, 1]}`)
	for _, args := range [][]string{
		{"sample", at("m.sg"), "--data", at("d.json"), "--names", "K=" + at("names"), "--chains",
			"2", "--warmup", "100", "--draws", "50", "--engine", "vm", "--out", at("r"),
			"--progress", "none", "--log-lik"},
		{"predict", at("r"), "--out", at("p.zarr")},
		{"predict", at("r"), "--out", at("p.csv")},
		{"simulate", at("m.sg"), "--data", "x=" + at("d.json") + ":x", "--set", "K=3",
			"--replications", "7", "--out", at("prior.zarr")},
	} {
		if status, _, stderr := inProcess(t, "", args...); status != 0 {
			t.Fatalf("%v: %d\n%s", args, status, stderr)
		}
	}
	out, err := exec.Command(python, "-c", `
import sys, csv, numpy as np, xarray as xr
run, pred, table, prior = sys.argv[1:]
p = xr.open_zarr(pred, group="posterior_predictive")
assert p["y"].dims == ("chain", "draw", "N") and p["y"].shape == (2, 50, 4), p
assert p["z"].dtype == np.int64 and p["z"].values.min() == 1 and p["z"].values.max() == 3, p
rows = list(csv.DictReader(open(table)))
assert len(rows) == 100
for r in rows:
    c, d = int(r["chain"]), int(r["draw"])
    assert float(r["y[2]"]) == p["y"].values[c, d, 2] and int(r["z[3]"]) == p["z"].values[c, d, 3]
o = xr.open_zarr(pred, group="observed_data")
assert list(o["z"].values) == [1, 2, 3, 1] and o["z"].dtype == np.int64 and list(o["y"].values) == [1.5, 2, 3.5, 3]
l = xr.open_zarr(run, group="log_likelihood")
post = xr.open_zarr(run, group="posterior")
assert list(l) == ["log_lik"] and l["log_lik"].dims == ("chain", "draw", "N"), l
assert list(post["K"].values) == ["low", "möderate", "high"], post["K"]
assert (post["p"].sel(K="high").values == post["p"].values[:, :, 2]).all()
a, q = post["a"].values, post["p"].values
want = -0.5*np.log(2*np.pi) - 0.5*(o["y"].values - a[:, :, None]*np.array([1., 2, 3, 4]))**2 + np.log(q[:, :, [0, 1, 2, 0]])
assert np.allclose(l["log_lik"].values, want, rtol=1e-12), (l["log_lik"].values - want).max()
assert list(xr.open_zarr(run, group="observed_data")["z"].values) == [1, 2, 3, 1]
s = xr.open_zarr(prior, group="prior")
assert s["a"].shape == (1, 7) and s["p"].dims == ("chain", "draw", "K") and np.allclose(s["p"].values.sum(axis=2), 1)
s = xr.open_zarr(prior, group="prior_predictive")
assert s["y"].shape == (1, 7, 4) and s["z"].dtype == np.int64 and np.isfinite(s["y"].values).all()
assert list(xr.open_zarr(prior, group="constant_data")["x"].values) == [1, 2, 3, 4]
`, at("r/draws.zarr"), at("p.zarr"), at("p.csv"), at("prior.zarr")).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
