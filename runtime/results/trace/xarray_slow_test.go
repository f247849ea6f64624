//go:build slow

package trace

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

const python = "/usr/bin/python3"

// skipWithout skips a test where xarray is not installed.
func skipWithout(t *testing.T) {
	t.Helper()
	if out, err := exec.Command(python, "-c", "import xarray, zarr").CombinedOutput(); err != nil {
		t.Skipf("xarray and zarr cannot be imported by %s: %v %s", python, err, out)
	}
}

// xarray reads what we write: values, axes, coordinates, element types,
// missing chunks and the cut of an interrupted run.
func TestXarray(t *testing.T) {
	skipWithout(t)
	script := filepath.Join(t.TempDir(), "check.py")
	if err := os.WriteFile(script, []byte(xarrayScript), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		killed bool
		common string
	}{{"closed", false, "9"}, {"killed", true, "23"}} {
		s := create(t, 2, 23, 6)
		err := s.Add([]Variable{{Group: "posterior", Name: "beta", Dims: []string{"P"},
			Shape: []int{3}, Chunk: 6},
			{Group: "observed_data", Name: "y", Dims: []string{"N"}, Shape: []int{4}, DType: Int64,
				Static: true}})
		if err == nil {
			err = s.WriteStatic("observed_data", "y", []float64{0, -1, 2, 3})
		}
		if err != nil {
			t.Fatal(err)
		}
		for c, n := range []int{9, 23} {
			a := appender(t, s, c, 0)
			put(t, s, a, c, n)
			if !test.killed || c == 1 {
				if err := a.Close(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !test.killed {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		out, err := exec.Command(python, "-W", "error::RuntimeWarning", script, s.Dir(),
			test.common, test.name).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", test.name, err, out)
		}
	}
}

// Names and texts of any alphabet come through, by both ways of opening.
func TestXarrayUnicode(t *testing.T) {
	skipWithout(t)
	out, err := exec.Command(python, "-c", `
import sys, xarray as xr
for consolidated in (True, False):
    p = xr.open_zarr(sys.argv[1], group="posterior", consolidated=consolidated)
    assert p.attrs["model"] == "modèle", p.attrs
    assert p["β"].dims == ("chain", "draw", "Größe") and p["β"].attrs["description"] == '‖v‖²/d, "𝛽" & <mean>', p["β"]
    assert p["β"].values.tolist() == [[[0, -1], [1, -1], [2, -1]]]
    s = xr.open_zarr(sys.argv[1], group="sample_stats", consolidated=consolidated)
    assert s["𝜉"].values.tolist() == [[.5, .5, .5]] and s["𝜉"].attrs["description"] == "Тепло\n"
`, greek(t).Dir()).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

const xarrayScript = `
import sys
import numpy as np
import xarray as xr

path, draws, mode = sys.argv[1], int(sys.argv[2]), sys.argv[3]
posterior = xr.open_zarr(path, group="posterior")
stats = xr.open_zarr(path, group="sample_stats")
root = xr.open_zarr(path)
assert root.attrs["inference_library"] == "sgppl", root.attrs
assert posterior.attrs["inference_library_version"] == "1.2.3", posterior.attrs
assert list(posterior.attrs["sample_dims"]) == ["chain", "draw"]
assert posterior.mu.attrs["description"] == "the mean"
assert posterior.w.dims == ("chain", "draw", "w_dim_0", "w_dim_1"), posterior.w.dims
assert posterior.beta.dims == ("chain", "draw", "P")
assert posterior.none.shape == (2, draws, 0), posterior.none.shape
for ds in (posterior, stats):
    for dim, size in ds.sizes.items():
        assert dim in ds.coords and ds[dim].dtype == np.int64, dim
        assert (ds[dim].values == np.arange(size)).all(), dim
    assert ds.sizes["chain"] == 2 and ds.sizes["draw"] == draws, ds.sizes
assert stats.n_steps.dtype == np.int64 and stats.diverging.dtype == bool, stats

c = np.arange(2)[:, None]
d = np.arange(draws)[None, :]
def real(v, size):
    e = np.arange(size)
    return (v + 0.25 * c - 100.0 * d)[..., None] + e / 64
def same(a, b, whole):
    a = a.values.reshape(b.shape)
    ok = a == b
    if mode == "killed": # chain 0 died in draw 9, after its last whole chunk
        ok[0, whole:] = np.isnan(a[0, whole:]) if a.dtype == float else a[0, whole:] == 0
    assert ok.all(), (a, b)
same(posterior.mu, real(0, 1), 6)
same(posterior.w, real(1, 6), 9)
same(posterior.beta, real(8, 3), 6)
same(stats.n_steps, 1000 * c + d, 8)
same(stats.diverging, (c + d) % 2 == 1, 6)
y = xr.open_zarr(path, group="observed_data").y
assert y.dims == ("N",) and y.values.tolist() == [0, -1, 2, 3]
`
