package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/results/run"
)

// mixedTopics has latent values of rows of both kinds: proportions that move by
// trajectories, whose step is tuned during the run, and topics by Gibbs sampling.
const mixedTopics = `dim D, W(D), V, K = 3
data w[D, W] : index[V]
param phi[K] : simplex[V] ~ dirichlet(0.5)
for d in D {
  local theta : simplex[K] ~ dirichlet(0.5) by gmc
  for i in W {
    local z : index[K] ~ categorical(theta) by gibbs
    w[d, i] ~ categorical(phi[z])
  }
}
`

// TestResumedLatents: a run with latent values of rows that goes on from its
// checkpoints has the health that it would have had, all fields: from the middle,
// and from the end, where only the report was missing. Rows are in memory, or read
// as they are needed; chains are run on one thread and on two.
func TestResumedLatents(t *testing.T) {
	dir := t.TempDir()
	rowsData(t, dir)
	write(t, filepath.Join(dir, "mixed.sg"), mixedTopics)
	for _, c := range []struct{ name, flags string }{
		{"memory", " --batch 6 --threads 1"},
		{"stream", " --batch 3 --stream --block-rows 11 --window 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := "sample mixed.sg --data w=d.ldac --step 0.001 --sampler msgnht --chains 2 " +
				"--warmup 6 --draws 12 --thin 1 --checkpoint 0.1 --engine vm --progress none" +
				c.flags + " --out "
			whole, out := filepath.Join(dir, c.name), filepath.Join(dir, c.name+"-again")
			succeeds(t, dir, args+whole)
			want := healthText(t, whole)
			if !strings.Contains(want, "local_step") || !strings.Contains(want, "local_ess") {
				t.Fatalf("health is %s", want)
			}
			again := func(what string) {
				t.Helper()
				succeeds(t, dir, "sample --engine vm --progress none --resume "+out)
				sameDraws(t, out, whole)
				if got := healthText(t, out); got != want {
					t.Errorf("%s: health is\n%s\nuninterrupted\n%s", what, got, want)
				}
			}
			dies(t, dir, killedAt("chain-1.ckpt", 2), args+out)
			unfinished, err := os.ReadFile(filepath.Join(out, "run.json"))
			if err != nil {
				t.Fatal(err)
			}
			again("killed")
			if err := os.WriteFile(filepath.Join(out, "run.json"), unfinished, 0o666); err != nil {
				// as if killed behind the last checkpoint
				t.Fatal(err)
			}
			again("stopped before it reported")
		})
	}
}

// healthText has all fields of the health of a run.
func healthText(t *testing.T, dir string) string {
	t.Helper()
	r, err := run.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, h := range r.Health {
		fmt.Fprintf(&b, "%+v\n", h)
	}
	return b.String()
}
