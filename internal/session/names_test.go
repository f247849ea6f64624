package session

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	formats "github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// TestNamesOf: --names gives a dim of the run as many names as it has entries.
func TestNamesOf(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "words")
	if err := os.WriteFile(file, []byte("one\ntwo\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r := &run.Record{DataInfo: run.DataInfo{Dims: map[string]int{"W": 2, "topics": 3}}}
	w := newWorld()
	names, err := NamesOf(&w.Session, dir, r, []string{"W=" + file})
	if err != nil || len(names) != 1 || !slices.Equal(names["W"], []string{"one", "two"}) {
		t.Errorf("%v, %v", names, err)
	}
	for _, c := range []struct {
		spec string
		code int
		says string
	}{
		{"W", ExitUsage, "DIM=FILE is expected"},
		{"topic=" + file, ExitUsage, "did you mean topics?"},
		{"zzzzzz=" + file, ExitUsage, "its dims are W and topics"},
		{"topics=" + file, ExitData, "has 2 names, and topics is 3"},
		{"W=" + file + "none", ExitFiles, "none"},
	} {
		w := newWorld()
		_, err := NamesOf(&w.Session, dir, r, []string{c.spec})
		if code := w.Report(err); code != c.code || !strings.Contains(w.said.String(), c.says) {
			t.Errorf("%s: status %d: %s", c.spec, code, &w.said)
		}
	}
}

// TestEntryName: an entry is called by the names of its axes that have some.
func TestEntryName(t *testing.T) {
	v := trace.Variable{Name: "phi", Dims: []string{"K", "W"}, Shape: []int{2, 3}}
	labels := AxisNames(v, map[string][]string{"W": {"a", "b", "c"}})
	if got := EntryName(v.Shape, labels, 4); got != "b" {
		t.Errorf("%q", got)
	}
	labels = AxisNames(v, map[string][]string{"W": {"a", "b", "c"}, "K": {"first", "second"}})
	if got := EntryName(v.Shape, labels, 4); got != "second, b" {
		t.Errorf("%q", got)
	}
	if got := EntryName(v.Shape, AxisNames(v, nil), 4); got != "" {
		t.Errorf("%q without names", got)
	}
	if got := EntryName(nil, nil, 0); got != "" {
		t.Errorf("%q of a number", got)
	}
}

// TestMatches: without globs everything matches, else one glob has to match one name.
func TestMatches(t *testing.T) {
	for _, c := range []struct {
		globs, names []string
		want         bool
	}{
		{nil, []string{"a"}, true},
		{[]string{"b*"}, []string{"a", "beta"}, true},
		{[]string{"b*", "c"}, []string{"a"}, false},
		{[]string{"w[*]"}, []string{"w", "w[1]"}, true},
	} {
		if got := Matches(c.globs, c.names...); got != c.want {
			t.Errorf("%v, %v: %v", c.globs, c.names, got)
		}
	}
}

// TestSameData: the files of a run may be in another order and have other names, but not
// other contents, and each stands for one of them alone.
func TestSameData(t *testing.T) {
	print := func(name, sum string) formats.Fingerprint {
		return formats.Fingerprint{Name: name, Bytes: 1, SHA256: sum}
	}
	a, b := print("a", "1"), print("b", "2")
	for _, c := range []struct {
		then, now []formats.Fingerprint
		same      bool
	}{
		{[]formats.Fingerprint{a, b}, []formats.Fingerprint{print("b2", "2"), print("a2", "1")},
			true},
		{[]formats.Fingerprint{a, b}, []formats.Fingerprint{a}, false},
		{[]formats.Fingerprint{a}, []formats.Fingerprint{a, b}, false},
		{[]formats.Fingerprint{a, a}, []formats.Fingerprint{a, b}, false},
		{[]formats.Fingerprint{a}, []formats.Fingerprint{print("a", "3")}, false},
		{nil, nil, true},
	} {
		if err := SameData(c.then, c.now); (err == nil) != c.same {
			t.Errorf("%v, %v: %v", c.then, c.now, err)
		}
	}
}
