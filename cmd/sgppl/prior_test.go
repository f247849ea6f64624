package main

import (
	"os"
	"strings"
	"testing"
)

// TestPriorKept: notes, and comments of the model that is written, say which priors stay and
// why; all others are replaced, and the model compiles.
func TestPriorKept(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "m.sg", `dim N, G
data g[N] : index[G]
data y[N] : real
param mu : real ~ normal(0, 5)
param tau : positive ~ exponential(1)
param a[G] : real ~ normal(mu, tau)
param p : unit ~ beta(2, 2)
for n in N { y[n] ~ normal(a[g[n]] + p, 1) }
`)
	write(t, "d.json", `{"g": [0, 1, 2, 0, 1, 2], "y": [1, 2, 3, 1.5, 2.5, 2]}`)
	for _, args := range [][]string{
		{"sample", "m.sg", "--data", "d.json", "--engine", "vm", "--progress", "none", "--out", "run",
			"--warmup", "200", "--draws", "200", "--chains", "2"},
		{"prior", "run", "--out", "next.sg"},
	} {
		status, _, said := inProcess(t, "", args...)
		if status != 0 {
			t.Fatalf("%v: %d\n%s", args, status, said)
		}
		if args[0] == "prior" && (!strings.Contains(said, "depends on other params and stays: a.") ||
			!strings.Contains(said, "is fitted to the type: p (unit).")) {
			t.Errorf("notes:\n%s", said)
		}
	}
	text, err := os.ReadFile("next.sg")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\n// Kept: the prior depends on other params and stays: a.",
		"\n// Kept: the prior stays, as no normal distribution is fitted to the type: p (unit).",
		"\nparam a[G] : real ~ normal(mu, tau)\n", "\nparam p : unit ~ beta(2, 2)\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the model lacks %q:\n%s", want, text)
		}
	}
	for _, gone := range []string{"normal(0, 5)", "exponential(1)"} {
		if strings.Contains(string(text), gone) {
			t.Errorf("the model still has %s:\n%s", gone, text)
		}
	}
	if status, _, said := inProcess(t, "", "check", "next.sg"); status != 0 {
		t.Error(said)
	}
}
