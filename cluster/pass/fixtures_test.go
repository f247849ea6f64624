package pass_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/cluster/bucket"
	"github.com/sgppl/sgppl/cluster/pass"
	"github.com/sgppl/sgppl/cluster/shards"
)

// rowsFile writes the rows of a csv, and returns its path.
func rowsFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// rows writes n rows of a logistic regression as a csv, and returns its path.
func rows(t *testing.T, n int) string {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("customer,x.0,x.1,y\n")
	for i := range n {
		u, v, y := r.NormFloat64(), r.NormFloat64(), 0
		if r.Float64() < 1/(1+math.Exp(-u+0.5*v)) {
			y = 1
		}
		fmt.Fprintf(&b, "c%d,%g,%g,%d\n", i*7%11, u, v, y)
	}
	return rowsFile(t, b.String())
}

// groups writes rows of the intercepts, the groups of each part of the file being others.
func groups(t *testing.T, n int) string {
	t.Helper()
	r := rand.New(rand.NewPCG(2, 9))
	var b strings.Builder
	b.WriteString("g,x,y\n")
	for i := range n {
		k := r.IntN(6) + 3*(4*i/n)
		x, y := r.NormFloat64(), 0
		if r.Float64() < 1/(1+math.Exp(-0.2*float64(k)+1-0.5*x)) {
			y = 1
		}
		fmt.Fprintf(&b, "town %d,%.4f,%d\n", k, x, y)
	}
	return rowsFile(t, b.String())
}

// env makes a run of the regression in a new bucket, of shards of about most bytes.
func env(t *testing.T, location, data string, most int64) *pass.Env {
	t.Helper()
	return runOf(t, location, regression, data, most)
}

// runOf makes a run of a model in a bucket, of shards of about most bytes; of no rows where
// data is "".
func runOf(t testing.TB, location, text, data string, most int64) *pass.Env {
	t.Helper()
	b, err := bucket.Open(t.Context(), location, true)
	if err != nil {
		t.Fatal(err)
	}
	m, err := shards.Whole(t.Context(), nil)
	if data != "" {
		m, err = shards.Cut(t.Context(), []string{data}, most)
	}
	if err != nil {
		t.Fatal(err)
	}
	run := &pass.Run{Name: "m.sg", Model: text, Manifest: m}
	if err := pass.Create(t.Context(), b, run); err != nil {
		t.Fatal(err)
	}
	e, err := pass.Open(t.Context(), b, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return e
}
