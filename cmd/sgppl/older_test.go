package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// unpack writes what is in an archive into a folder.
func unpack(t *testing.T, archive, dir string) {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(z)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.Typeflag == tar.TypeDir {
			err = os.MkdirAll(path, 0o755)
		} else {
			var b []byte
			if b, err = io.ReadAll(r); err == nil {
				err = os.WriteFile(path, b, 0o644)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// olderData is what the runs of testdata/older were fitted to.
const olderData = `{"x": [-1, 0, 1, 2, 3], "y": [-2.1, 0.2, 1.9, 4.4, 5.8]}` + "\n"

// TestOlderRuns: runs that earlier states of the program wrote are read by every command that
// looks at runs. Each archive has a run, named by its version and its commit, and its draws
// as the program that made it exported them.
func TestOlderRuns(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("testdata", "older", "*.tar.gz"))
	if err != nil || len(archives) < 5 {
		t.Fatalf("%d archives, %v", len(archives), err)
	}
	for _, archive := range archives {
		whole, err := filepath.Abs(archive)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(archive), ".tar.gz"), func(t *testing.T) {
			t.Chdir(t.TempDir())
			unpack(t, whole, ".")
			write(t, "d.json", olderData)
			for _, command := range [][]string{
				{"summary", "run"}, {"summary", "run", "--json"}, {"verify", "run", "--no-data"},
				{"export", "run", "--to", "csv", "--out", "now.csv"},
				{"export", "run", "--to", "zarr", "--out", "now.zarr"},
				{"export", "run", "--to", "stan-csv", "--out", "now"},
				{"report", "run", "--out", "report.html"}, {"score", "run", "--data", "d.json"},
				{"predict", "run", "--data", "d.json", "--out", "y.csv"},
				{"loo", "run", "--data", "d.json"},
				{"derive", "run", "exp(a) - b"}, {"derive", "run", "a + b * x", "--data", "d.json"},
			} {
				if status, _, stderr := inProcess(t, "", command...); status != 0 {
					t.Errorf("%s: status %d\n%s", strings.Join(command, " "), status, stderr)
				}
			}
			now := readText(t, "now.csv")
			then := now
			if _, err := os.Stat("draws.csv"); err == nil { // the first of all had no export
				then = readText(t, "draws.csv")
			}
			if then != now || strings.Count(now, "\n") != 41 {
				t.Errorf("the draws are\n%.300s\nand were\n%.300s", now, then)
			}
		})
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestOtherVersions: a run of an earlier version is read, with a note, and does not go on; one
// of a later version is refused.
func TestOtherVersions(t *testing.T) {
	// whose record has no digest
	archive, err := filepath.Abs(filepath.Join("testdata", "older", "0.1.0-dev-5609687.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	unpack(t, archive, ".")
	write(t, "d.json", olderData)
	record := readText(t, "run/run.json")
	for _, c := range []struct {
		version, says string
		status        int
		command       []string
	}{
		{"0.0.9", "run was made by sgppl 0.0.9; its model is read by this version", 0,
			[]string{"predict", "run", "--data", "d.json", "--out", "p.csv"}},
		{"0.0.9", "run was made by sgppl 0.0.9, this is", 2,
			[]string{"sample", "--resume", "run", "--more-draws", "5"}},
		{"9.0.0", "run was made by sgppl 9.0.0, which is later than this", 2,
			[]string{"predict", "run", "--data", "d.json", "--out", "q.csv"}},
		{"0.1.0", "run was made by sgppl 0.1.0, which is later than this", 2,
			[]string{"loo", "run", "--data", "d.json"}},
	} {
		changed := strings.Replace(record, `"0.1.0-dev"`, `"`+c.version+`"`, 1)
		if changed == record {
			t.Fatal("the record has no version")
		}
		if err := os.WriteFile("run/run.json", []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
		status, _, stderr := inProcess(t, "", c.command...)
		if status != c.status || !strings.Contains(stderr, c.says) {
			t.Errorf("%s by version %s: status %d, expected %d with %q\n%s",
				strings.Join(c.command, " "), c.version, status, c.status, c.says, stderr)
		}
	}
}
