package stream

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data"
)

// open makes a plan of specs in the working directory and opens it.
func open(t *testing.T, s *data.Schema, dim string, o Options, specs ...string) *Source {
	t.Helper()
	b, errs := data.NewRowBinder(s, specs, dim, probe)
	if errs != nil {
		t.Fatal(Errors(errs))
	}
	p, _, errs := Make(s, b, dim, o)
	if errs != nil {
		t.Fatal(Errors(errs))
	}
	src, errs := Open(p, s, nil)
	if errs != nil {
		t.Fatal(Errors(errs))
	}
	t.Cleanup(src.Close)
	return src
}

// TestGrow: a file that is written piece by piece, wherever pieces end, has in
// the end the rows of the whole file; at every moment, those that have an end.
func TestGrow(t *testing.T) {
	texts := files(60)
	for _, c := range []struct {
		file, dim string
		schema    *data.Schema
		specs     []string
		given     map[string]int
	}{
		{"t.csv", "N", table, []string{"t.csv"}, nil},
		{"q.csv", "N", table, []string{"q.csv:skip=1%4"}, nil},
		{"t.jsonl", "N", table, []string{"t.jsonl"}, nil},
		{"c.ldac", "D", bags, []string{"c=c.ldac"}, map[string]int{"V": 20}},
		{"s.libsvm", "N", sparse, []string{"x=s.libsvm", "y=s.libsvm:label"},
			map[string]int{"P": 20}},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Chdir(t.TempDir())
			text := texts[c.file] + "\n"
			f, err := os.Create(c.file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			at := len(text) / 3
			f.WriteString(text[:at])
			src := open(t, c.schema, c.dim,
				Options{Given: c.given, Block: 5, Window: 2, Follow: true}, c.specs...)
			src.Keep("index")
			before := src.Plan.Layout
			for n := before.Rows; at < len(text); {
				step := min(1+(at*7)%97, len(text)-at)
				f.WriteString(text[at : at+step])
				at += step
				rows, err := src.Grow()
				if err != nil {
					t.Fatal(err)
				}
				if rows < n {
					t.Fatalf("%d rows became %d", n, rows)
				}
				n = rows
			}
			want, _, errs := data.Bind(c.schema, c.specs, sets(c.given), data.Options{})
			if errs != nil {
				t.Fatal(errs)
			}
			if n := src.Plan.Layout.Rows; n != want.Dims[c.dim] {
				t.Fatalf("%d rows, the whole file has %d", n, want.Dims[c.dim])
			}
			check(t, src, want, 7)
			// A chain in an older pass knows fewer rows.
			r := src.Reader()
			r.Limit(before.Rows)
			var all []int
			for k := range before.Blocks() {
				all = append(all, k)
			}
			old, err := r.Load(nil, all)
			if err != nil || len(r.Rows(nil)) != before.Rows {
				t.Fatalf("%v, %d rows of %d", err, len(r.Rows(nil)), before.Rows)
			}
			for name, v := range old.Values {
				if v.Shape[0] != before.Rows ||
					rowText(v, before.Rows-1) != rowText(want.Values[name], before.Rows-1) {
					t.Errorf("%s has other rows than before", name)
				}
			}
			// The index that was kept opens to the same.
			again, err := OpenFile("index", c.schema, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			check(t, again, want, 7)
			if err := os.Truncate(c.file, int64(len(text)/2)); err != nil {
				t.Fatal(err)
			}
			if _, err := src.Grow(); err == nil || !strings.Contains(err.Error(), "D0158") {
				t.Errorf("a file that shrank: %v", err)
			}
		})
	}
}

// sets are sizes as --set gives them.
func sets(given map[string]int) (out []string) {
	for name, n := range given {
		out = append(out, fmt.Sprintf("%s=%d", name, n))
	}
	return out
}

// TestBroken: whatever becomes of a file under a source, a page is its rows or an
// error that says where.
func TestBroken(t *testing.T) {
	t.Chdir(place(t, 97))
	good, err := os.ReadFile("t.csv")
	if err != nil {
		t.Fatal(err)
	}
	src := open(t, table, "N", Options{Block: 10, Window: 3}, "t.csv")
	raw, err := src.Plan.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8}
	for _, c := range []struct {
		name, want string
		bad        []byte
	}{
		{"cut", "ends where rows", good[:len(good)/2]},
		{"one byte", "has other bytes where rows",
			append(append(append([]byte(nil), good[:500]...), good[500]^1), good[501:]...)},
		{"another row", "bytes", append(append([]byte(nil), good...), "\n1,2,0\n"...)},
		{"empty", "ends where rows", nil},
	} {
		if err := os.WriteFile("t.csv", c.bad, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := src.Reader().Load(nil, all)
		var own Errors
		if c.name == "another row" { // what the run reads is as it was
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		} else if !errors.As(err, &own) || own[0].Code != "D0158" || own.Exit() != 3 ||
			!strings.Contains(err.Error(), c.want) || own[0].Line == 0 {
			t.Errorf("%s: %v", c.name, err)
		}
		p, _ := Unmarshal(raw)
		if _, errs := Open(p, table, nil); len(errs) != 1 && c.name != "one byte" {
			t.Errorf("%s: a run goes on with it: %v", c.name, errs)
		} else if len(errs) > 0 && errs[0].Code != "D0158" && c.name != "empty" {
			t.Errorf("%s: %v", c.name, errs[0])
		}
	}
	if err := os.WriteFile("t.csv", good, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := src.Reader().Load(nil, all); err != nil {
		t.Errorf("after repair: %v", err)
	}
	p, _ := Unmarshal(raw)
	again, errs := Open(p, table, nil)
	if errs != nil {
		t.Fatalf("after repair: %v", Errors(errs))
	}
	again.Close()
	os.Remove("t.csv")
	if _, errs := Open(p, table, nil); len(errs) != 1 || errs[0].Code != "D0101" ||
		errs[0].Exit() != 5 {
		t.Errorf("a file that is gone: %v", errs)
	}
}

// TestIndex: an index that is damaged anywhere is none.
func TestIndex(t *testing.T) {
	t.Chdir(place(t, 30))
	src := open(t, table, "N", Options{Block: 10, Window: 3}, "t.csv")
	raw, err := src.Plan.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for i := range raw {
		if _, err := Unmarshal(raw[:i]); err == nil {
			t.Fatalf("cut at %d: no error", i)
		}
		raw[i] ^= 0x41
		if _, err := Unmarshal(raw); err == nil {
			t.Fatalf("byte %d flipped: no error", i)
		}
		raw[i] ^= 0x41
	}
}

// TestCompressed: the text of a compressed file is stored next to the run. It is checked as it is
// read, and a failure to store it is an error.
func TestCompressed(t *testing.T) {
	dir := place(t, 50)
	t.Chdir(dir)
	zip(t, "t.csv", "z.csv.gz")
	want, _, errs := data.Bind(table, []string{"z.csv.gz"}, nil, data.Options{})
	if errs != nil {
		t.Fatal(errs)
	}
	src := open(t, table, "N", Options{Block: 10, Window: 3, Spool: filepath.Join(dir, "run.rows")},
		"z.csv.gz")
	if src.Plan.Files[0].Print != want.Files[0] {
		t.Errorf("fingerprint %v, of the file itself %v", src.Plan.Files[0].Print, want.Files[0])
	}
	check(t, src, want, 8)
	stored := src.Plan.Files[0].Stored
	text, err := os.ReadFile(stored)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	os.WriteFile(stored, text, 0o666)
	if _, err := src.Reader().Load(nil, []int{0, 1, 2, 3, 4}); err == nil ||
		!strings.Contains(err.Error(), "D0160") {
		t.Errorf("a stored text that changed: %v", err)
	}
	os.WriteFile("file", nil, 0o666)
	b, _ := data.NewRowBinder(table, []string{"z.csv.gz"}, "N", probe)
	if _, _, errs := Make(table, b, "N", Options{Spool: "file"}); len(errs) != 1 ||
		errs[0].Code != "D0161" {
		t.Errorf("a directory that cannot be made: %v", errs)
	}
	whole, _ := os.ReadFile("z.csv.gz")
	os.WriteFile("z.csv.gz", whole[:len(whole)-20], 0o666)
	b, _ = data.NewRowBinder(table, []string{"z.csv.gz"}, "N", probe)
	if _, _, errs := Make(table, b, "N", Options{Spool: "cut"}); len(errs) != 1 ||
		errs[0].Code != "D0104" {
		t.Errorf("a compressed file that is cut off: %v", errs)
	}
	if _, err := os.Stat(filepath.Join("cut", "0.text")); err == nil {
		t.Error("half a text is left")
	}
}

// zip compresses a file.
func zip(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(text)
	w.Close()
	if err := os.WriteFile(to, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}
