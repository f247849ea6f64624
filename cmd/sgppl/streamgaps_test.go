package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
)

// gappy writes rows of which some have a missing entry, as a table, as two and as lines of
// JSON, and the same without those rows.
func gappy(t *testing.T, dir string, rows int) {
	t.Helper()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("m.sg"), `dim N, J
data x[N] : real
data y[N] : real
data g[N] : index[J]
param a[J] : real ~ normal(0, 10)
param b : real ~ normal(0, 10)
for n in N { y[n] ~ normal(a[g[n]] + b * x[n], 1) }
`)
	r := rand.New(rand.NewPCG(7, 7))
	texts := map[string]*strings.Builder{}
	add := func(name, format string, args ...any) {
		if texts[name] == nil {
			texts[name] = &strings.Builder{}
		}
		fmt.Fprintf(texts[name], format, args...)
	}
	for _, head := range []string{"gaps.csv", "whole.csv"} {
		add(head, "x,y,g\n")
		add("x-"+head, "x\n")
		add("y-"+head, "y,g\n")
	}
	for i := range rows {
		x, y := fmt.Sprintf("%.3f", r.NormFloat64()), fmt.Sprintf("%.3f", r.NormFloat64())
		g := []string{"north", "south", "west"}[r.IntN(3)]
		kinds := []string{"gaps", "whole"}
		switch r.IntN(8) { // levels stand in the order of their first row that is kept
		case 0:
			x, kinds = "", kinds[:1]
		case 1:
			y, kinds = "NA", kinds[:1]
		case 2:
			if i > 20 {
				g, kinds = "", kinds[:1]
			}
		}
		for _, k := range kinds {
			add(k+".csv", "%s,%s,%s\n", x, y, g)
			add("x-"+k+".csv", "%s\n", cmp.Or(x, "NA"))
			add("y-"+k+".csv", "%s,%s\n", y, g)
			null := func(s string) string {
				if s == "" || s == "NA" {
					return "null"
				}
				return s
			}
			add(k+".jsonl", `{"x": %s, "y": %s, "g": %q}`+"\n", null(x), null(y), g)
		}
	}
	for name, text := range texts {
		write(t, at(name), text.String())
	}
}

// TestStreamGaps: with --stream, --na drop leaves out the rows with missing entries: the draws are
// those of files without such rows, also after a killed run goes on.
func TestStreamGaps(t *testing.T) {
	dir := t.TempDir()
	gappy(t, dir, 300)
	at := func(name string) string { return filepath.Join(dir, name) }
	run := func(on disk.FS, out string, more ...string) (int, string) {
		return inDir(t, dir, on, slices.Concat([]string{"sample", "m.sg", "--stream", "--block-rows",
			"10", "--window", "3", "--batch", "4", "--sampler", "sgld", "--step", "0.001", "--chains",
			"2",
			"--warmup", "40", "--draws", "60", "--engine", "vm", "--progress", "none", "--levels",
			"J=sorted", "--checkpoint", "0.1", "--out", out}, more)...)
	}
	for _, c := range []struct {
		name string
		args []string // of data, with KIND for gaps or whole
	}{
		{"table", []string{"--data", "KIND.csv"}},
		{"cached", []string{"--data", "KIND.csv", "--cache"}},
		{"two", []string{"--data", "x=x-KIND.csv:x", "--data", "y-KIND.csv"}},
		{"lines", []string{"--data", "KIND.jsonl"}},
	} {
		of := func(kind string) []string {
			var out []string
			for _, a := range c.args {
				out = append(out, strings.Replace(a, "KIND", kind, 1))
			}
			return out
		}
		if status, said := run(disk.OS, c.name, of("whole")...); status != session.ExitDone {
			t.Fatal(c.name, status, said)
		}
		status, said := run(disk.OS, c.name+"-gaps", append(of("gaps"), "--na", "drop")...)
		if status != session.ExitDone || !strings.Contains(said, "--na drop: ") {
			t.Fatal(c.name, status, said)
		}
		want := contents(t, at(c.name))
		if !reflect.DeepEqual(contents(t, at(c.name+"-gaps")), want) {
			t.Errorf("%s: other draws", c.name)
		}
		killed := killedAt("chain-1.ckpt", 2)
		if run(killed, c.name+"-killed", append(of("gaps"), "--na", "drop")...); !killed.died() {
			t.Fatalf("%s: not killed", c.name)
		}
		if status, said := inDir(t, dir, disk.OS, "sample", "--resume", c.name+"-killed", "--engine",
			"vm", "--progress", "none"); status != session.ExitDone {
			t.Errorf("%s goes on: %d %s", c.name, status, said)
		}
		if !reflect.DeepEqual(contents(t, at(c.name+"-killed")), want) {
			t.Errorf("%s, killed: other draws", c.name)
		}
	}
	write(t, at("none.csv"), "x,y,g\n,1,a\n2,,b\n")
	if status, said := run(disk.OS, "none", "--data", "none.csv", "--na", "drop"); status !=
		session.ExitData || !strings.Contains(said, "leaves no row of N") {
		t.Errorf("no rows: %d %s", status, said)
	}
}
