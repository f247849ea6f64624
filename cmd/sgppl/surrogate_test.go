package main

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

const surrogateModel = `dim N, J
data g[N] : index[J]
data x[N] : real
data y[N] : bool
param m : real ~ normal(0, 2)
param s : positive ~ normal(0, 1)
param a[J] : real ~ normal(m, s)
param b : real ~ normal(0, 1)
for n in N { y[n] ~ bernoulli_logit(a[g[n]] + x[n] * b) }
`

// TestSurrogates: draws of a surrogate are checked, or corrected, those of a stream are those
// of rows in memory, and what a surrogate cannot do ends with status 4, in words.
func TestSurrogates(t *testing.T) { surrogatesAre(t, "vm") }

func surrogatesAre(t *testing.T, engine string) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(8, 8))
	var b bytes.Buffer
	fmt.Fprintln(&b, "g,x,y")
	for range 3000 {
		g, x, y := r.IntN(5), r.NormFloat64(), 0
		if r.Float64() < 1/(1+math.Exp(-0.3*float64(g)-0.5*x)) {
			y = 1
		}
		fmt.Fprintf(&b, "%d,%.3f,%d\n", g, x, y)
	}
	write(t, filepath.Join(dir, "m.sg"), surrogateModel)
	write(t, filepath.Join(dir, "t.csv"), b.String())
	const args = "sample m.sg --data t.csv --surrogate --rows 200 --chains 2 --warmup 150 " +
		"--draws 100 --progress none --engine "
	succeeds(t, dir, args+"vm --out memory")
	succeeds(t, dir, args+engine+" --out stream --stream --block-rows 77")
	sameParams(t, filepath.Join(dir, "stream"), filepath.Join(dir, "memory"))
	rec, err := run.Read(filepath.Join(dir, "memory"))
	if err != nil || rec.Exactness == nil || rec.Exactness.Kind != "checked" ||
		!rec.Exactness.Good() || rec.Exactness.Draws != 200 {
		t.Fatalf("%v: %+v", err, rec.Exactness)
	}
	st, err := trace.Open(filepath.Join(dir, "memory", "draws.zarr"))
	if err != nil || st.Attrs()["exactness"] != rec.Exactness.String() {
		t.Errorf("the store says %v of how exact its draws are: %v", st.Attrs()["exactness"], err)
	}
	succeeds(t, dir, "verify memory")
	_, said := inDir(t, dir, disk.OS, "summary", "memory")
	if !strings.HasPrefix(said, "exactness   checked: ") {
		t.Errorf("summary does not begin with how exact the draws are:\n%s", said)
	}
	succeeds(t, dir, args+"vm --out corrected --correct 1")
	if rec, err = run.Read(filepath.Join(dir, "corrected")); err != nil ||
		rec.Exactness.Kind != "corrected" || rec.Exactness.Accepted < 0.5 {
		t.Errorf("%v: %+v", err, rec.Exactness)
	}
	write(t, filepath.Join(dir, "bare.sg"), "param u : real ~ normal(0, 1)\n")
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"sample bare.sg --surrogate --engine vm --out bare --progress none", session.ExitRun,
			"no surrogate stands for this posterior"},
		{"sample m.sg --data t.csv --rows 10", session.ExitUsage, "--surrogate"},
		{"sample m.sg --data t.csv --surrogate --batch 10", session.ExitUsage, "--batch"},
		{"sample m.sg --data t.csv --surrogate --sampler sgld --step 0.1", session.ExitUsage,
			"nuts"},
	} {
		status, said := inDir(t, dir, disk.OS, strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(said, c.want) {
			t.Errorf("sgppl %s: status %d\n%s", c.args, status, said)
		}
	}
}
