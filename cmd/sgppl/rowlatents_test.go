package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAutoDrawsRows: without a sampler and a batch, latent values of rows that could be
// unknowns are drawn by chains where a full pass is slow, and are unknowns elsewhere; what
// decided is said, and flags that say how they are sampled are heard.
func TestAutoDrawsRows(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "m.sg"), `dim N, V
data k[N] : index[V]
data y[N] : real
param w[V] : real ~ normal(0, 1)
for n in N {
  local u : real ~ normal(0, 1)
  y[n] ~ normal(w[k[n]] + u, 1)
}
`)
	var text strings.Builder
	text.WriteString("k,y\n")
	for n := range 1100 {
		fmt.Fprintf(&text, "%d,%g\n", n%7, float64(n%13)/6)
	}
	if err := os.WriteFile(filepath.Join(dir, "d.csv"), []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flags string
		drawn bool
	}{
		{"--set V=20000", true},
		{"--set V=1000", false},
		{"--set V=20000 --full-batch", false},
		{"--set V=20000 --keep u", false},
		{"--set V=20000 --sampler nuts", false},
		{"--set V=20000 --local-burn-in 200", true},
		// a minibatch then evaluates more rows than nuts
		{"--set V=20000 --local-burn-in 400", false},
	} {
		text, err := program(t, dir,
			strings.Fields("sample m.sg --data d.csv --engine vm --dry "+
				c.flags)...).CombinedOutput()
		out := string(text)
		note := strings.Contains(out,
			"chains draw u for the rows of minibatches: a step then evaluates")
		if err != nil || note != c.drawn ||
			note != strings.Contains(out, "sampler geodesic_sgnht") {
			t.Errorf("%s: %v:\n%s", c.flags, err, out)
		}
	}
}
