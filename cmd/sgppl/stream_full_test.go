package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A regression that collapses, with intercepts of groups and the number of rows as a
// number of the model.
const rowsCollapse = `dim N, P, J
data x[N, P], y[N] : real
data g[N] : index[J]
param w[P], a[J] : real ~ normal(0, 1)
param s : positive ~ normal(0, 1)
for n in N { y[n] ~ normal(a[g[n]] + x[n] @ w * N / 10000, s) }
`

// TestFullPassesOfStreams: full passes of rows that are read as they are needed give the
// draws of rows in memory, to the bit, whatever the blocks of the file.
func TestFullPassesOfStreams(t *testing.T) { fullPassesOfStreams(t, "vm") }

func fullPassesOfStreams(t *testing.T, engine string) {
	dir := t.TempDir()
	rows := 2*model.FoldRows + 500
	r := rand.New(rand.NewPCG(5, 6))
	var b bytes.Buffer
	fmt.Fprintln(&b, "x.0,x.1,g,y")
	for range rows {
		u, v, g := 100+r.NormFloat64(), r.NormFloat64(), r.IntN(5)
		fmt.Fprintf(&b, "%.4f,%.4f,%d,%.4f\n", u, v, g, u-v+float64(g)+r.NormFloat64())
	}
	write(t, filepath.Join(dir, "m.sg"), rowsCollapse)
	write(t, filepath.Join(dir, "t.csv"), b.String())
	settings := " --set J=6 --chains 2 --warmup 120 --draws 40 --progress none"
	const run = "sample m.sg --data t.csv"
	succeeds(t, dir, run+settings+" --sampler nuts --lp --engine vm --out memory")
	for _, how := range []string{"--sampler nuts", "--sampler nuts --block-rows 777",
		"--sampler nuts --cache --block-rows 9000", ""} {
		out := "s-" + strings.ReplaceAll(how, " ", "-")
		succeeds(t, dir, run+settings+" --stream --engine "+engine+" --out "+out+" "+how)
		if how != "" {
			sameParams(t, filepath.Join(dir, out), filepath.Join(dir, "memory"))
		}
	}
	rec, err := os.ReadFile(filepath.Join(dir, "s-", "run.json"))
	if err != nil || !bytes.Contains(rec, []byte(`"sampler": "nuts"`)) {
		t.Errorf("without a sampler, a stream whose likelihood collapses has not nuts: %v", err)
	}
	write(t, filepath.Join(dir, "m.sg"), strings.ReplaceAll(rowsCollapse, " * N / 10000", ""))
	status, said := inDir(t, dir, disk.OS,
		strings.Fields(run+settings+" --stream --sampler nuts --follow --out f")...)
	if status != session.ExitUsage || !strings.Contains(said, "nuts goes over all rows") {
		t.Errorf("--follow: status %d\n%s", status, said)
	}
}

// sameParams holds the draws of params of two runs against one another, bit for bit.
func sameParams(t *testing.T, got, want string) {
	t.Helper()
	a, b := stored(t, got, "draws.zarr"), stored(t, want, "draws.zarr")
	n := 0
	for name := range b {
		if !strings.Contains(name, "posterior/") {
			continue
		}
		if n++; !reflect.DeepEqual(a[name], b[name]) {
			t.Errorf("%s of %s differs from that of %s", name, got, want)
		}
	}
	if n < 3 {
		t.Errorf("%s has %d params", want, n)
	}
}
