package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// TestEnsemble: an ensemble is scored by all of its points, and its summary says what it is.
func TestEnsemble(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "m.sg", `dim N
data x[N] : real
data y[N] : bool
param a, b : real ~ normal(0, 3)
for n in N { y[n] ~ bernoulli_logit(a + b * x[n]) }
`)
	write(t, "m.json", `{"x": [-2, -1, 0, 0.5, 1, 2, 3, -0.5], "y": [0, 0, 1, 0, 1, 1, 1, 1]}`)
	adam := "optimize m.sg --data m.json --full-batch --algorithm adam --step 0.05 --steps 40 " +
		"--engine vm --progress none --seed 3 "
	text := func(args string) string {
		t.Helper()
		status, stdout, stderr := inProcess(t, "", strings.Fields(args)...)
		if status != session.ExitDone {
			t.Fatalf("%s: status %d\n%s", args, status, stderr)
		}
		return stdout
	}
	score := func(args string) (s run.Score) {
		t.Helper()
		if err := json.Unmarshal([]byte(text("score --data m.json --json "+args)), &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	text(adam + "--ensemble 3 --out together")
	text(adam + "--chains 3 --out single")
	got, want, one := score("together"), score("single --all-chains"), score("single")
	if got.Draws != 3 || got.LPDMean != want.LPDMean || one.Draws != 1 ||
		one.LPDMean == want.LPDMean {
		t.Errorf("ensemble %+v, all chains %+v, one %+v", got, want, one)
	}
	if c := got.Calibration; c == nil || !(*c >= 0 && *c <= 1) || *c != *want.Calibration {
		t.Errorf("calibration error %v", c)
	}
	if s := text("summary together"); !strings.Contains(s, "ensemble   3 points") {
		t.Errorf("summary\n%s", s)
	}
	if s := text("summary single"); strings.Contains(s, "ensemble") {
		t.Errorf("summary\n%s", s)
	}
	for args, says := range map[string]string{
		"--ensemble 1":            "at least 2 points",
		"--ensemble 0":            "at least 2 points",
		"--ensemble 3 --chains 3": "one of them says how many",
	} {
		status, _, stderr := inProcess(t, "", strings.Fields(adam+args+" --out bad")...)
		if status != session.ExitUsage || !strings.Contains(stderr, says) {
			t.Errorf("%s: status %d\n%s", args, status, stderr)
		}
	}
}
