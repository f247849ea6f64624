package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/internal/calibrate"
	"github.com/sgppl/sgppl/lang/source"
)

const hierarchy = `dim J
data y: real[J]
param mu : real ~ normal(0, 1)
param tau : positive ~ exponential(1)
param theta: real[J]
theta ~ normal(mu, tau)
for j in J { y[j] ~ normal(theta[j], 1) }
`

// A test by tasks has the report of one process, every rank of it, in bundles of any size.
func TestCalibration(t *testing.T) {
	dir := t.TempDir()
	model := filepath.Join(dir, "h.sg")
	if err := os.WriteFile(model, []byte(hierarchy), 0o666); err != nil {
		t.Fatal(err)
	}
	o := calibrate.DefaultOptions()
	o.Replications, o.Draws, o.Config.Warmup, o.Seed = 30, 19, 100, 3
	o.Set, o.Sets = map[string]float64{"J": 4}, []string{"J=4"}
	one, diags, errs, err := calibrate.New(source.New("h.sg", hierarchy), o)
	if one == nil {
		t.Fatal(diags, errs, err)
	}
	want, errs, err := one.Run(t.Context())
	if errs != nil || err != nil {
		t.Fatal(errs, err)
	}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range []string{"7", "100"} {
		args := []string{"test", model, "--set", "J=4", "--replications", "30", "--draws", "19",
			"--warmup", "100", "--seed", "3", "--each", each, "--out", filepath.Join(dir, each),
			"--cache", dir, "--json"}
		for range 2 { // the second finds all done
			var out, said bytes.Buffer
			code := execute(&world{t.Context(), &out, &said, os.Getenv}, args)
			if out.String() != string(text)+"\n" || code > 1 {
				t.Fatalf("status %d, %s\n%.300s\nand of one process\n%.300s", code, said.String(),
					out.String(), text)
			}
		}
	}
}
