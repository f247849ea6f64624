package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/sgppl/sgppl/cluster/bucket"
	"github.com/sgppl/sgppl/cluster/pass"
)

// A parquetRow is a row of table.
type parquetRow struct {
	X0 float64 `parquet:"x.0"`
	X1 float64 `parquet:"x.1"`
	Y  int32   `parquet:"y"`
}

// parts writes rows of a csv as two files, by an encoding of some of its lines.
func parts(t *testing.T, dir, rows, ending string, encode func(lines []string) []byte) string {
	t.Helper()
	text, err := os.ReadFile(rows)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	middle := 1 + (len(lines)-1)/3
	for name, some := range map[string][]string{"1": lines[1:middle], "2": lines[middle:]} {
		b := encode(append([]string{lines[0]}, some...))
		if err := os.WriteFile(filepath.Join(dir, "part-"+name+ending), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "part-*"+ending)
}

func packed(lines []string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(strings.Join(lines, "\n"))) // into memory
	w.Close()
	return b.Bytes()
}

func parquetOf(t *testing.T) func(lines []string) []byte {
	return func(lines []string) []byte {
		at := map[string]int{}
		for i, name := range strings.Split(lines[0], ",") {
			at[name] = i
		}
		var rows []parquetRow
		for _, line := range lines[1:] {
			number := func(name string) float64 {
				x, err := strconv.ParseFloat(strings.Split(line, ",")[at[name]], 64)
				if err != nil {
					t.Fatal(err)
				}
				return x
			}
			rows = append(rows, parquetRow{number("x.0"), number("x.1"), int32(number("y"))})
		}
		var b bytes.Buffer
		w := parquet.NewGenericWriter[parquetRow](&b)
		for len(rows) > 0 { // several row groups
			n := min(len(rows), 70)
			if _, err := w.Write(rows[:n]); err != nil {
				t.Fatal(err)
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			rows = rows[n:]
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
}

// Chains that read packed files, or files of Parquet, have the draws of sgppl sample on the rows
// of all. A run whose chains have lost their files is put together again: each chain is sampled
// once more, to the same bits.
func TestChainsJoin(t *testing.T) {
	if testing.Short() {
		t.Skip("builds sgppl")
	}
	sgppl, dir := program(t), t.TempDir()
	rows, model := table(t, dir, 300), filepath.Join(dir, "m.sg")
	if err := os.WriteFile(model, []byte(regression), 0o666); err != nil {
		t.Fatal(err)
	}
	flags := []string{"--chains", "2", "--sampler", "nuts", "--warmup", "60", "--draws", "250",
		"--seed", "9"}
	whole := filepath.Join(dir, "whole")
	out, err := exec.Command(sgppl, append([]string{"sample", model, "--data", rows, "--engine", "vm",
		"--out", whole}, flags...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for ending, encode := range map[string]func([]string) []byte{".csv.gz": packed,
		".parquet": parquetOf(t)} {
		to := filepath.Join(dir, "of"+ending)
		args := append([]string{"chains", model, "--data", parts(t, dir, rows, ending, encode), "--out",
			to, "--engine", "vm", "--cache", filepath.Join(dir, "cache")}, flags...)
		run := func() {
			t.Helper()
			if code, _, said := command(t, nil, args...); code != 0 {
				t.Fatalf("%s: status %d: %s", ending, code, said)
			}
			sameFiles(t, whole, to)
		}
		run()
		lose(t, to)
		run()
		if all := passesOf(t, to); len(all) != 1 || all[0].Resumed != 2 || all[0].Done != 2 {
			t.Errorf("%s: %+v: each chain was expected to be sampled again", ending, all)
		}
	}
}

// lose removes the record of a run, and its draws. Those of its chains are gone already.
func lose(t *testing.T, to string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(to, "chain", "*", "files", "*"))
	if err != nil || len(left) > 0 {
		t.Fatalf("%v, %v", left, err)
	}
	for _, name := range []string{"run.json", "draws.zarr"} {
		if err := os.RemoveAll(filepath.Join(to, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func passesOf(t *testing.T, at string) []pass.State {
	t.Helper()
	b, err := bucket.Open(t.Context(), at, false)
	if err != nil {
		t.Fatal(err)
	}
	e, err := pass.Open(t.Context(), b, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	all, err := e.Passes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}
