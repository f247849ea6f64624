package shards

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

func TestParseSpec(t *testing.T) {
	for text, want := range map[string]Spec{
		"rows.csv":                     {"", "rows.csv", ""},
		"y=rows.csv:label":             {"y", "rows.csv", ":label"},
		"s3://lake/a/*.parquet":        {"", "s3://lake/a/*.parquet", ""},
		"x=s3://lake/a/*.csv:age,inc":  {"x", "s3://lake/a/*.csv", ":age,inc"},
		"y=file:///tmp/a.csv:label":    {"y", "file:///tmp/a.csv", ":label"},
		"a=s3://b/x.csv?region=eu:lab": {"a", "s3://b/x.csv?region=eu", ":lab"},
		"a=s3://b/x.csv?endpoint=http://127.0.0.1:9000&s3ForcePathStyle=true:lab": {"a",
			"s3://b/x.csv?endpoint=http://127.0.0.1:9000&s3ForcePathStyle=true", ":lab"},
		"y=d/p=1/x.csv:label:rows=0:5": {"y", "d/p=1/x.csv", ":label:rows=0:5"},
	} {
		if s, err := ParseSpec(text); err != nil || s != want {
			t.Errorf("%s: %+v, %v", text, s, err)
		}
	}
	if _, err := ParseSpec("y="); err == nil {
		t.Error("a spec without a file is taken")
	}
}

func TestRows(t *testing.T) {
	parse := func(list ...string) (out []Spec) {
		for _, text := range list {
			s, err := ParseSpec(text)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, s)
		}
		return out
	}
	rows, whole, err := Rows(parse("m=means.json", "x=r/*.csv:a,b", "y=r/*.csv:c"))
	if err != nil || len(rows) != 2 || len(whole) != 1 || whole[0].Name != "m" {
		t.Errorf("%v, %v, %v", rows, whole, err)
	}
	if _, _, err := Rows(parse("x=r/*.csv:a", "y=s/*.csv:c")); err == nil {
		t.Error("rows in two sets of files are taken")
	}
}

// Pieces of a text are its lines, each once and in order, with the header before them,
// whatever their size; with and without an end of the last line.
func TestCutLines(t *testing.T) {
	dir := t.TempDir()
	for _, ending := range []string{"", "\n"} {
		for _, header := range []bool{true, false} {
			name := filepath.Join(dir, "rows.libsvm")
			var text strings.Builder
			if header {
				name = filepath.Join(dir, "rows.csv")
				text.WriteString("a,b\n")
			}
			for i := range 50 {
				fmt.Fprintf(&text, "%d,%s\n", i, strings.Repeat("z", i*i%37))
			}
			whole := strings.TrimSuffix(text.String(), "\n") + ending
			if err := os.WriteFile(name, []byte(whole), 0o666); err != nil {
				t.Fatal(err)
			}
			for most := int64(1); most < 1500; most += 1 + most/7 {
				if got, n := joined(t, name, most, header); got != whole {
					t.Fatalf("%d bytes a shard, %d shards: %q", most, n, got)
				}
			}
		}
	}
}

// joined cuts a file and puts it together from its pieces.
func joined(t *testing.T, name string, most int64, header bool) (string, int) {
	t.Helper()
	m, err := Cut(t.Context(), []string{name}, most)
	if err != nil {
		t.Fatal(err)
	}
	return together(t, m, header), len(m.Shards)
}

// together puts a file together from the pieces of a manifest.
func together(t *testing.T, m *Manifest, header bool) string {
	t.Helper()
	cache := t.TempDir()
	var all strings.Builder
	for i, s := range m.Shards {
		path, err := Fetch(t.Context(), s, cache)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if header && i > 0 {
			head, rest, _ := bytes.Cut(b, []byte("\n"))
			if string(head) != "a,b" || len(rest) == 0 {
				t.Fatalf("shard %d begins with %q", i, head)
			}
			b = rest
		}
		all.Write(b)
	}
	return all.String()
}

type record struct {
	X float64 `parquet:"x"`
	Y *int64  `parquet:"y,optional"`
	Z string  `parquet:"z,dict"`
}

// Row groups that are copied are read like those of the whole file.
func TestCutGroups(t *testing.T) {
	name := filepath.Join(t.TempDir(), "rows.parquet")
	rows := records(t, name)
	for _, most := range []int64{1, 2000, 5000, 1 << 30} {
		m, err := Cut(t.Context(), []string{name}, most)
		if err != nil {
			t.Fatal(err)
		}
		hasRecords(t, m, rows)
		if most == 1 && len(m.Shards) != 10 {
			t.Errorf("%d shards", len(m.Shards))
		}
	}
}

// records writes a Parquet file of ten row groups.
func records(t *testing.T, name string) []record {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := parquet.NewGenericWriter[record](f, parquet.MaxRowsPerRowGroup(100),
		parquet.Compression(&parquet.Zstd))
	var rows []record
	for i := range 950 {
		r := record{X: math.Sin(float64(i)), Z: fmt.Sprint("level ", i%7)}
		if i%3 > 0 {
			y := int64(i)
			r.Y = &y
		}
		rows = append(rows, r)
	}
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	return rows
}

// hasRecords holds the rows of all shards to those of the file.
func hasRecords(t *testing.T, m *Manifest, rows []record) {
	t.Helper()
	at := 0
	cache := t.TempDir()
	for _, s := range m.Shards {
		path, err := Fetch(t.Context(), s, cache)
		if err != nil {
			t.Fatal(err)
		}
		got, err := parquet.ReadFile[record](path)
		if err != nil {
			t.Fatalf("%v: %v", s, err)
		}
		for _, r := range got {
			want := rows[at]
			if r.X != want.X || r.Z != want.Z || (r.Y == nil) != (want.Y == nil) ||
				r.Y != nil && *r.Y != *want.Y {
				t.Fatalf("row %d of %d shards is %v", at, len(m.Shards), r)
			}
			at++
		}
	}
	if at != len(rows) {
		t.Errorf("%d of %d rows in %d shards", at, len(rows), len(m.Shards))
	}
}

// What cannot be cut, or is damaged, is an error in words.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"rows.xlsx": "PK", "short.parquet": "PAR1", "cut.parquet": strings.Repeat("PAR1xxxx", 9),
		"lies.parquet": "PAR1" + strings.Repeat("x", 40) + "\xff\xff\xff\x7fPAR1",
		"junk.parquet": "PAR1" + strings.Repeat("x", 40) + "\x10\x00\x00\x00PAR1",
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Cut(t.Context(), []string{path}, 1); err == nil || len(err.Error()) < 20 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Cut(t.Context(), []string{dir + "/*.tsv"}, 1); err == nil {
		t.Error("a pattern that no file has is taken")
	}
}

// A file that is written again after the cut is refused, and so is a cell that was cut.
func TestChanged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(name, []byte("a\n1\n2\n3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	m, err := Cut(t.Context(), []string{name}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("a\n1\n2\n3\n4\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Fetch(t.Context(), m.Shards[0], t.TempDir()); err == nil ||
		!strings.Contains(err.Error(), "has changed") {
		t.Errorf("a file that has changed: %v", err)
	}
	if err := os.WriteFile(name, []byte("a,b\n1,\"x\ny\"\n2,z\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	m, err = Cut(t.Context(), []string{name}, 2)
	if err != nil {
		t.Fatal(err)
	}
	odd := 0
	for _, s := range m.Shards {
		path, err := Fetch(t.Context(), s, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if Quotes(path) != nil {
			odd++
		}
	}
	if odd == 0 {
		t.Errorf("a cell over two lines was cut into %v without a word", m.Shards)
	}
}

// Fetch of a piece that is not all there is an error, and leaves nothing behind.
func TestShortRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(name, []byte("a\n1\n2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	m, err := Cut(t.Context(), []string{name}, 3)
	if err != nil {
		t.Fatal(err)
	}
	s := m.Shards[len(m.Shards)-1]
	s.To += 5
	cache := t.TempDir()
	if _, err := Fetch(t.Context(), s, cache); err == nil ||
		!strings.Contains(err.Error(), io.ErrUnexpectedEOF.Error()) {
		t.Errorf("5 bytes more than there are: %v", err)
	}
	if left, _ := os.ReadDir(cache); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
