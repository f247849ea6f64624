//go:build slow

package run

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
)

// greek is normal under names and with texts that are not ASCII.
type greek struct{ normal }

func (greek) Outputs() []target.Output {
	return []target.Output{{Name: "β", Doc: "the mean μ", Dims: []string{"Größe"}, Shape: []int{2},
		Len: 2}, {Name: "Σβ", Offset: 2, Len: 1, Track: true}}
}

// The stores of a run, with the statistics and texts that runs have, open in
// xarray.
func TestXarrayOpensARun(t *testing.T) {
	const python = "/usr/bin/python3"
	if out, err := exec.Command(python, "-c", "import xarray, zarr").CombinedOutput(); err != nil {
		t.Skipf("xarray and zarr cannot be imported by %s: %v %s", python, err, out)
	}
	dir := filepath.Join(t.TempDir(), "r")
	r := record(t, greek{})
	r.Model, r.Blocks = "modèle", []string{"β"}
	if _, err := Execute(t.Context(), greek{}, Work{Dir: dir, Version: "v"}, r, "text\n", false,
		ticks(), nil); err != nil {
		t.Fatal(err)
	}
	for _, store := range []string{"draws.zarr", "warmup.zarr"} {
		out, err := exec.Command(python, "-c", `
import sys, numpy as np, xarray as xr
p = xr.open_zarr(sys.argv[1], group="posterior")
assert p.attrs["model"] == "modèle" and p["β"].attrs["description"] == "the mean μ", p
assert p["β"].dims == ("chain", "draw", "Größe")
assert np.allclose(p["β"].values.sum(axis=2), p["Σβ"].values)
s = xr.open_zarr(sys.argv[1], group="sample_stats")
assert "‖v‖²/d" in s.kinetic_temperature.attrs["description"] and "β" in s.xi.attrs["description"], s
assert s.batch_size.dtype == np.int64 and (s.batch_size.values > 0).all()
for v in s.values():
    assert v.sizes["chain"] == 2 and np.isfinite(v.values).all(), v
`, filepath.Join(dir, store)).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", store, err, out)
		}
	}
}

// What a run keeps instead of its draws opens in xarray too, with the quantiles by name.
func TestXarrayOpensMoments(t *testing.T) {
	const python = "/usr/bin/python3"
	if out, err := exec.Command(python, "-c", "import xarray, zarr").CombinedOutput(); err != nil {
		t.Skipf("xarray and zarr cannot be imported by %s: %v %s", python, err, out)
	}
	dir := filepath.Join(t.TempDir(), "r")
	r := keeping(t, func(r *Record) { r.KeepMoments, r.Sketch, r.Reservoir = true, 12, 70 })
	if _, err := Execute(t.Context(), normal{}, Work{Dir: dir, Version: "v"}, r, "text\n", false,
		ticks(), nil); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, "-c", `
import sys, numpy as np, xarray as xr
m = xr.open_zarr(sys.argv[1], group="posterior_moments")
assert m["x.quantile"].dims == ("chain", "D", "quantile") and m["x.mean"].dims == ("chain", "D"), m
q = m["x.quantile"].sel(quantile="0.5").values
assert q.shape == (2, 2) and np.isfinite(q).all() and (np.abs(q - m["x.mean"].values) < np.sqrt(m["x.variance"].values)).all(), q
assert m["x.rank_low"].dtype == np.int32 and (m["x.rank_low"].values <= m["x.rank_high"].values).all()
assert (np.diff(m["x.entry"].values, axis=-1) >= 0).all() and (m["count"].values == 300).all()
p, s = xr.open_zarr(sys.argv[1], group="posterior"), xr.open_zarr(sys.argv[1], group="sample_stats")
assert p["x"].sizes["draw"] == 70 and (np.diff(s["draw_number"].values, axis=1) > 0).all()
`, filepath.Join(dir, "draws.zarr")).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
