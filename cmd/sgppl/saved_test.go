package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/typed"
	"github.com/sgppl/sgppl/runtime/results/run"
)

const savedModel = `dim N
data x[N] : real
data y[N] : real
param a, b : real ~ normal(0, 10)
param s : positive ~ normal(0, 5)
track twice = 2 * b
for n in N { y[n] ~ normal(a + b * (x[n] - mean(x)), s) }
`

// TestSavedRun: a run that a Go program made and saved is read by the commands, has the draws
// and the health that the program had, and is read back by the program; small and large, with
// a plan of minibatches.
func TestSavedRun(t *testing.T) {
	c, diags := driver.Compile(source.New("line.sg", savedModel), driver.Options{})
	if c == nil {
		t.Fatal(diags)
	}
	c.Spec.Version = sgppl.Version // as in a generated package
	for _, rows := range []int{40, 4000} {
		dir := t.TempDir()
		at := func(name string) string { return filepath.Join(dir, name) }
		r := rand.New(rand.NewPCG(1, uint64(rows)))
		x, y := make([]float64, rows), make([]float64, rows)
		var text strings.Builder
		text.WriteString("x,y\n")
		for i := range x {
			x[i] = math.Round(1e3*r.NormFloat64()) / 1e3
			y[i] = math.Round(1e3*(1+2*x[i]+r.NormFloat64())) / 1e3
			fmt.Fprintf(&text, "%v,%v\n", x[i], y[i])
		}
		write(t, at("d.csv"), text.String())
		in := typed.NewInputs()
		in.Put("x", x)
		in.Put("y", y)
		bound, err := in.Bind(&c.Spec.Schema)
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.VM(bound, nil)
		if err != nil {
			t.Fatal(err)
		}
		s := typed.DefaultSettings()
		s.Anchor, s.TargetESS, s.MaxBias, s.Chains = "auto", 200, 0.3, 2
		set, err := typed.Collect(t.Context(), m, s)
		if err != nil {
			t.Fatal(err)
		}
		if err := set.Save(at("r"), m); err != nil {
			t.Fatal(err)
		}
		if err := set.Save(at("r"), m); err == nil || !strings.Contains(err.Error(), "exists") {
			t.Errorf("a run was replaced: %v", err)
		}

		// The program reads it back.
		again, err := typed.Load(at("r"), m)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(again.Mean(), set.Mean()) || again.Len() != set.Len() {
			t.Errorf("%v was read as %v", set.Mean(), again.Mean())
		}
		if len(again.Health()) != len(set.Health()) {
			t.Errorf("health %+v was read as %+v", set.Health(), again.Health())
		}

		// The commands read it.
		var summary struct {
			Draws int
			Vars  []struct {
				Name          string
				Mean, ESSBulk float64
			}
			Health []run.Health
		}
		status, out, stderr := inProcess(t, "", "summary", at("r"), "--json")
		if err := json.Unmarshal([]byte(out), &summary); status != 0 || err != nil {
			t.Fatal(status, err, stderr)
		}
		if len(summary.Vars) != 4 || summary.Vars[3].Name != "twice" ||
			math.Abs(summary.Vars[1].Mean-set.Mean()[1]) > 1e-12 {
			t.Errorf("%+v, want %v", summary.Vars, set.Mean())
		}
		if len(summary.Health) != len(set.Health()) {
			t.Errorf("health %+v, want %+v", summary.Health, set.Health())
		}
		for _, args := range [][]string{
			{"report", at("r"), "--out", at("r.html")},
			{"export", at("r"), "--to", "csv", "--out", at("r.csv")},
			{"verify", at("r")},
			{"score", at("r"), "--data", at("d.csv")},
			{"loo", at("r"), "--data", at("d.csv")},
			{"predict", at("r"), "--data", at("d.csv"), "--out", at("p.csv"), "--mean"},
		} {
			if status, _, stderr := inProcess(t, "", args...); status != 0 {
				t.Errorf("%d rows, %v: status %d, %s", rows, args, status, stderr)
			}
		}
		// What needs the data of the run says that there are none.
		for _, args := range [][]string{{"predict", at("r"), "--out", at("q.csv")},
			{"loo", at("r")}} {
			if status, _, stderr := inProcess(t, "", args...); status != 2 ||
				!strings.Contains(stderr, "made by a Go program") {
				t.Errorf("%v: status %d, %s", args, status, stderr)
			}
		}

		// A run of the command is read by the program, with the same draws.
		if status, _, stderr := inProcess(t, "", "sample", write0(t, at("line.sg"), savedModel),
			"--data", at("d.csv"), "--engine", "vm", "--progress", "none",
			"--chains", "2", "--target-ess", "200", "--max-bias", "0.3", "--out",
			at("cli")); status != 0 {
			t.Fatal(stderr)
		}
		cli, err := typed.Load(at("cli"), m)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(cli.Mean(), set.Mean()) {
			t.Errorf("the command has %v, the program %v", cli.Mean(), set.Mean())
		}
	}
}

// write0 writes a file and returns its name.
func write0(t *testing.T, path, text string) string {
	t.Helper()
	write(t, path, text)
	return path
}

// TestLoadRefuses: a run of another model, or with data of other sizes, is not read.
func TestLoadRefuses(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	sample := func(out, model, data string) {
		t.Helper()
		write(t, at(out+".sg"), model)
		write(t, at(out+".json"), data)
		if status, _, stderr := inProcess(t, "", "sample", at(out+".sg"), "--data", at(out+".json"),
			"--engine", "vm", "--progress", "none", "--draws", "20", "--warmup", "100", "--out",
			at(out)); status != 0 {
			t.Fatal(stderr)
		}
	}
	const vector = "dim K\ndata y[K] : real\nparam m[K] : real ~ normal(0, 1)\ny ~ normal(m, 1)\n"
	sample("two", vector, `{"y": [1, 2]}`)
	sample("other", vector+"// another text\n", `{"y": [1, 2, 3]}`)
	c, _ := driver.Compile(source.New("two.sg", vector), driver.Options{})
	in := typed.NewInputs()
	in.Put("y", []float64{1, 2, 3})
	bound, err := in.Bind(&c.Spec.Schema)
	if err != nil {
		t.Fatal(err)
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	for out, says := range map[string]string{"two": "shape", "other": "another model",
		"none": "not a run directory"} {
		if _, err := typed.Load(at(out), m); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", out, err)
		}
	}
}
