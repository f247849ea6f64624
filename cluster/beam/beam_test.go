package beam

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/cluster/bucket"
	"github.com/sgppl/sgppl/cluster/front"
	"github.com/sgppl/sgppl/cluster/pass"
	"github.com/sgppl/sgppl/cluster/shards"
	"github.com/sgppl/sgppl/runtime/engine/worker"
)

const line = `dim N
data x: real[N], y: real[N]
param a: real
param s: positive
a ~ normal(0, 1)
s ~ exponential(1)
for n in N { y[n] ~ normal(a * x[n], s) }
`

// environment makes a run of a line in a new directory, with draws.
func environment(t *testing.T) *pass.Env {
	t.Helper()
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString("x,y\n")
	for range 500 {
		x := r.NormFloat64()
		fmt.Fprintf(&text, "%g,%g\n", x, 0.7*x+0.3*r.NormFloat64())
	}
	rows := filepath.Join(dir, "rows.csv")
	if err := os.WriteFile(rows, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	b, err := bucket.Open(t.Context(), filepath.Join(dir, "run"), true)
	if err != nil {
		t.Fatal(err)
	}
	m, err := shards.Cut(t.Context(), []string{rows}, 3000)
	if err != nil {
		t.Fatal(err)
	}
	if err := pass.Create(t.Context(), b, &pass.Run{Name: "line.sg", Model: line,
		Manifest: m}); err != nil {
		t.Fatal(err)
	}
	e, err := pass.Open(t.Context(), b, filepath.Join(dir, "cache"))
	if err != nil {
		t.Fatal(err)
	}
	d := &worker.Draws{Chains: 1, Each: 20, Dim: 2}
	for range d.Len() {
		d.X = append(d.X, 0.7+0.02*r.NormFloat64(), -1.2+0.05*r.NormFloat64())
	}
	if err := pass.PutDraws(t.Context(), e, d); err != nil {
		t.Fatal(err)
	}
	return e
}

// results are those of all tasks, and what they sum up to.
func results(t *testing.T, e *pass.Env, f pass.Front) []byte {
	t.Helper()
	var all bytes.Buffer
	for i, kind := range []string{"sizes", "score", "loo", "log-lik", "predict"} {
		err := e.Pass(t.Context(), f, i+1, kind, len(e.Run.Manifest.Shards), nil,
			func(_ int, b []byte) error {
				all.Write(b)
				return nil
			})
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
	}
	return all.Bytes()
}

// Each kind of pass has the same bits on prism as by a loop.
func TestPrism(t *testing.T) {
	loop := results(t, environment(t), front.Loop{Workers: 2})
	begun := time.Now()
	prism := results(t, environment(t), Prism{})
	if !bytes.Equal(loop, prism) {
		t.Errorf("%d bytes by a loop and %d on prism differ", len(loop), len(prism))
	}
	t.Logf("five passes on prism: %v", time.Since(begun))
}

// A task that fails ends the pass with its error; the next goes on with the rest.
func TestPrismGoesOn(t *testing.T) {
	e := environment(t)
	n := len(e.Run.Manifest.Shards)
	dir, err := e.Ask(t.Context(), 1, "score", n, nil)
	if err != nil {
		t.Fatal(err)
	}
	lost := e.Run.Manifest.Shards[2].File
	if err := os.Rename(lost, lost+".away"); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if err := (Prism{}).Run(ctx, e, []pass.Task{{Dir: dir, Index: 2}}); err == nil {
		t.Error("rows that are not there give no error")
	}
	if err := os.Rename(lost+".away", lost); err != nil {
		t.Fatal(err)
	}
	if s, err := pass.ScoreOf(t.Context(), e, Prism{}, 1); err != nil || s.Rows != 500 {
		t.Errorf("%+v, %v", s, err)
	}
}
