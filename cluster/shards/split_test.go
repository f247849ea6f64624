package shards

import (
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A shard that is cut once more has the same rows, in pieces at its place; the others stay.
func TestSplit(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "rows.csv")
	var text strings.Builder
	text.WriteString("a,b\n")
	for i := range 60 {
		fmt.Fprintf(&text, "%d,%s\n", i, strings.Repeat("z", i*i%37))
	}
	if err := os.WriteFile(name, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, most := range []int64{300, 1 << 30} {
		for n := 2; n < 9; n++ {
			m, err := Cut(t.Context(), []string{name}, most)
			if err != nil {
				t.Fatal(err)
			}
			before, k := *m, len(m.Shards)/2
			if err := m.Split(t.Context(), map[int]int{k: n}); err != nil {
				t.Fatal(err)
			}
			more := len(m.Shards) - len(before.Shards) + 1
			if more < 2 || more > n || k > 0 && m.Shards[0] != before.Shards[0] ||
				m.Identity() == before.Identity() {
				t.Errorf("%d pieces of %d: %v", more, n, m.Shards)
			}
			if got := together(t, m, true); got != text.String() {
				t.Errorf("%d pieces: %q", n, got)
			}
		}
	}
	name = filepath.Join(dir, "rows.parquet")
	rows := records(t, name)
	for _, most := range []int64{6000, 1 << 30} {
		for n := 2; n < 6; n++ {
			m, err := Cut(t.Context(), []string{name}, most)
			if err != nil {
				t.Fatal(err)
			}
			before := len(m.Shards)
			if err := m.Split(t.Context(), map[int]int{before - 1: n}); err != nil {
				t.Fatal(err)
			}
			if more := len(m.Shards) - before + 1; more < 2 || more > n {
				t.Errorf("%d pieces of %d: %v", more, n, m.Shards)
			}
			hasRecords(t, m, rows)
		}
	}
}

// What cannot be cut is an error in words, and the manifest stays.
func TestSplitRefused(t *testing.T) {
	dir := t.TempDir()
	line, packed := filepath.Join(dir, "line.csv"), filepath.Join(dir, "rows.csv.gz")
	if err := os.WriteFile(line, []byte("a\n1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(packed)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	if _, err := z.Write([]byte("a\n1\n2\n")); err != nil {
		t.Fatal(err)
	}
	if z.Close() != nil || f.Close() != nil {
		t.Fatal("the file is not written")
	}
	groups := filepath.Join(dir, "rows.parquet")
	records(t, groups)
	for name, most := range map[string]int64{line: 1 << 30, packed: 1 << 30, groups: 1} {
		m, err := Cut(t.Context(), []string{name}, most)
		if err != nil {
			t.Fatal(err)
		}
		before := m.Identity()
		if err := m.Split(t.Context(), map[int]int{0: 3}); err == nil ||
			!strings.Contains(err.Error(), "write them as several files") || m.Identity() != before {
			t.Errorf("%s: %v", name, err)
		}
	}
}
