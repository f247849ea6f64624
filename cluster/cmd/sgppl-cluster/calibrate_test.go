package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
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

// A sweep has the report of a test for each combination, by any bundles; the same command finds
// all done.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	model := filepath.Join(dir, "h.sg")
	file := filepath.Join(dir, "h.toml")
	for name, text := range map[string]string{model: hierarchy, file: `model = "h.sg"
set = ["J=4"]
replications = 12
draws = 9

[grid]
warmup = [60, 100]
target_accept = [0.7, 0.9]
`} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	type combination struct {
		Settings map[string]string
		Report   json.RawMessage
	}
	run := func(args ...string) string {
		var out, said bytes.Buffer
		if code := execute(&world{t.Context(), &out, &said, os.Getenv}, append(args, "--cache", dir,
			"--engine", "vm")); code > 1 {
			t.Fatalf("%q: status %d, %s", args, code, said.String())
		}
		return out.String()
	}
	var want []combination
	for _, warmup := range []string{"60", "100"} {
		for _, accept := range []string{"0.7", "0.9"} {
			want = append(want, combination{map[string]string{"warmup": warmup, "target-accept": accept},
				json.RawMessage(strings.TrimSpace(run("test", model, "--set", "J=4", "--replications", "12",
					"--draws", "9", "--warmup", warmup, "--target-accept", accept, "--json", "--out",
					filepath.Join(dir, warmup+accept))))})
		}
	}
	for _, each := range []string{"5", "100"} {
		for range 2 {
			var got []combination
			text := run("sweep", file, "--each", each, "--json", "--out", filepath.Join(dir, "s"+each))
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("--each %s: %.400s\nand of test\n%.400s", each, text, want)
			}
		}
	}
	text := run("sweep", file, "--out", filepath.Join(dir, "s5"), "--each", "5")
	if lines := strings.Split(text, "\n"); len(lines) != 7 ||
		!strings.HasPrefix(lines[0], "warmup  target-accept  verdict  least p") ||
		!strings.HasPrefix(lines[4], "100     0.9            ok ") ||
		!strings.Contains(lines[5], "By chance 1 % of combinations that are right") {
		t.Errorf("the table is\n%s", text)
	}
}

// What is wrong in the file of a sweep is said with its name, before anything is written.
func TestSweepRefused(t *testing.T) {
	dir := t.TempDir()
	out, file := filepath.Join(dir, "out"), filepath.Join(dir, "s.toml")
	const of = "model = \"m.sg\"\n"
	for text, want := range map[string]string{
		of + "[grid\n":                       "s.toml: toml: ",
		"[grid]\nwarmup = [1]\n":             "there is no model",
		of:                                   "nothing to combine",
		"model = 3\n":                        "model is the path",
		of + "grid = 3\n":                    "[grid]",
		of + "[grid]\nwarmup = 3\n":          "grid.warmup is a list",
		of + "[grid]\nwarmup = []\n":         "of at least one value",
		of + "[grid]\nsamplr = [\"nuts\"]\n": "samplr is no setting of test; those are",
		of + "warmup = [1, 2]\n":             "one value outside of [grid]",
		of + "[grid]\nset = [\"J=3\"]\n":     "the same for all combinations",
		of + "[grid]\nwarmup = [true]\n":     "a text or a number is expected",
		of + "[grid]\nwarmup = [-1]\n":       "--warmup -1: at least 0",
		of + "[grid]\nwarmup = [\"soon\"]\n": "--warmup",
		of + "[other]\nwarmup = [1]\n":       "other is no setting of test",
		of + "[grid]\nseed = [" + strings.Repeat("1,", 10001) + "]\n": "more than 10000",
	} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		code := execute(&world{t.Context(), &said, &said, os.Getenv},
			[]string{"sweep", file, "--out", out})
		if code != exitUsage || !strings.Contains(said.String(), want) {
			t.Errorf("%.60q: status %d, %s", text, code, said.String())
		}
		if _, err := os.Stat(out); err == nil {
			t.Fatal("the bucket was made")
		}
	}
}
