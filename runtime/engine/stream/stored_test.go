package stream

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// TestRestore: rows stored next to a run are stored again, byte for byte, if they are missing or
// cut off, but not from another file.
func TestRestore(t *testing.T) {
	dir := place(t, 50)
	t.Chdir(dir)
	zip(t, "t.csv", "z.csv.gz")
	zip(t, "c.ldac", "c.ldac.gz")
	for _, c := range []struct {
		name, dim string
		schema    *data.Schema
		spec      string
		cache     bool
	}{
		{"0.cells", "N", table, "z.csv.gz:skip=1%3", false},
		{"0.cells", "N", table, "t.csv", true},
		{"0.text", "D", bags, "c=c.ldac.gz", false},
		{"0.text", "N", columns, "p.parquet", false},
	} {
		t.Run(c.spec, func(t *testing.T) {
			t.Cleanup(func() { os.RemoveAll("kept.rows") })
			src := open(t, c.schema, c.dim,
				Options{Block: 10, Window: 3, Spool: "run.rows", Cache: c.cache,
					Given: map[string]int{}}, c.spec)
			if err := src.Settle("kept.rows"); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat("run.rows"); err == nil {
				t.Error("the directory from which it was moved is still there")
			}
			name := filepath.Join("kept.rows", c.name)
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			p := src.Plan
			if p.Lost() || !p.Stores() || p.Files[0].Stored != absolute(name) {
				t.Errorf("after it was moved: %q", p.Files[0].Stored)
			}
			for _, harm := range []func() error{
				func() error { return os.Truncate(name, int64(len(want)/2)) },
				func() error { return Clear(disk.OS, "kept.rows") },
			} {
				if err := harm(); err != nil {
					t.Fatal(err)
				}
				if !p.Lost() {
					t.Fatal("it is not missed")
				}
				Clear(disk.OS, "kept.rows")
				if errs := p.Restore(c.schema, src.binder, "again.rows", "kept.rows"); errs != nil {
					t.Fatal(Errors(errs))
				}
				if got, err := os.ReadFile(name); err != nil || string(got) != string(want) {
					t.Fatalf("%v; what is stored again differs", err)
				}
				again, errs := Open(p, c.schema, nil)
				if errs != nil {
					t.Fatal(Errors(errs))
				}
				again.Close()
			}
			path := p.Files[0].At
			whole, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			defer os.WriteFile(path, whole, 0o666)
			os.WriteFile(path, append(whole[:len(whole):len(whole)], 0), 0o666)
			Clear(disk.OS, "kept.rows")
			if errs := p.Restore(c.schema, src.binder, "again.rows", "kept.rows"); errs == nil {
				t.Error("it is stored again from another file")
			}
			if _, err := os.Stat("kept.rows"); err == nil {
				t.Error("what is stored of another file is left")
			}
		})
	}
}

// TestClear: only what is stored of rows is taken away.
func TestClear(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := Clear(disk.OS, "none"); err != nil {
		t.Errorf("of a directory that is not there: %v", err)
	}
	os.Mkdir("r", 0o777)
	for _, name := range []string{"0.text", "12.cells", "x.text", "0.csv", "README"} {
		os.WriteFile(filepath.Join("r", name), nil, 0o666)
	}
	if err := Clear(disk.OS, "r"); err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob("r/*")
	if len(left) != 3 {
		t.Errorf("left are %v", left)
	}
}
