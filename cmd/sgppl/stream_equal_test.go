package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
)

const rowsEqual = `dim N, P
data x[N, P] : real
data k[N] : count
data id[N] : real
param w[P] : real ~ normal(0, 1)
param a : real ~ normal(0, 1)
param r : positive ~ exponential(1)
for n in N { k[n] ~ neg_binomial_2(exp(a + x[n] @ w), r) }
`

// TestEqualRowsOfStreams: where few rows are different, full passes of a stream give the draws of
// rows in memory, to the bit, whatever the blocks of the file, and the run says how many there are.
func TestEqualRowsOfStreams(t *testing.T) {
	dir := t.TempDir()
	const rows = 3000
	r := rand.New(rand.NewPCG(5, 7))
	var b bytes.Buffer
	fmt.Fprintln(&b, "id,x.0,x.1,k")
	for n := range rows {
		fmt.Fprintf(&b, "%d,%d,%d,%d\n", n, r.IntN(3), r.IntN(2), r.IntN(4))
	}
	write(t, filepath.Join(dir, "m.sg"), rowsEqual)
	write(t, filepath.Join(dir, "t.csv"), b.String())
	const run = "sample m.sg --data t.csv --chains 2 --warmup 120 --draws 40 --progress none " +
		"--engine vm --sampler nuts"
	status, said := inDir(t, dir, disk.OS, strings.Fields(run+" --out memory")...)
	if want := "all 3000 rows of N at every step, by the 24 different ones among them"; status !=
		session.ExitDone || !strings.Contains(said, want) {
		t.Fatalf("status %d, %q is expected in\n%s", status, want, said)
	}
	for _, how := range []string{"", " --block-rows 77", " --cache --block-rows 900"} {
		out := "s" + strings.ReplaceAll(how, " ", "-")
		succeeds(t, dir, run+" --stream --out "+out+how)
		sameParams(t, filepath.Join(dir, out), filepath.Join(dir, "memory"))
	}
	// a likelihood that reads the number of each row
	write(t, filepath.Join(dir, "m.sg"), strings.Replace(rowsEqual, "x[n] @ w",
		"x[n] @ w + 0.0001 * id[n]", 1))
	status, said = inDir(t, dir, disk.OS, strings.Fields(run+" --stream --out other")...)
	if status != session.ExitUsage || !strings.Contains(said, "nuts goes over all rows") {
		t.Errorf("rows that all differ: status %d\n%s", status, said)
	}
}
