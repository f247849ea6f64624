package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStoringInterrupted: an interrupt takes away rows that are half stored, and the
// directories that were made for them.
func TestStoringInterrupted(t *testing.T) {
	dir := t.TempDir()
	b := &Binding{Rows: &RowsOptions{Dir: filepath.Join(dir, "runs", "one")}}
	w := newWorld()
	end := b.Storing(&w.Session)
	defer end()
	if err := os.MkdirAll(b.Rows.Scratch(), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.Rows.Scratch(), "0.text"), []byte("half"),
		0o666); err != nil {
		t.Fatal(err)
	}
	w.interrupt()
	if left, err := os.ReadDir(dir); len(left) > 0 || err != nil || w.code != ExitInterrupted {
		t.Errorf("there is %v, %v, status %d", left, err, w.code)
	}
}

// TestAbsolute: the path of a spec becomes absolute; its name and its field stay.
func TestAbsolute(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("a=b", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	at := func(path string) string { return dir + string(filepath.Separator) + path }
	for spec, want := range map[string]string{
		"x=d.csv:y": "x=" + at("d.csv:y"), "d.csv": at("d.csv"), "./k=v": at("./k=v"),
		"a=b":       at("a=b"), // a file of that name
		at("d.csv"): at("d.csv"), "x=" + at("d.csv"): "x=" + at("d.csv"),
	} {
		if got := absolute(spec); got != want {
			t.Errorf("%s: %s, not %s", spec, got, want)
		}
	}
}

// TestMoves: data that leave nothing to be learned are refused, and the error says why.
func TestMoves(t *testing.T) {
	for _, c := range []struct{ model, set, says string }{
		{"param a : real ~ normal(0, 1)\n", "", ""},
		{"dim K\nparam a[K] : real ~ normal(0, 1)\n", "K=0", "a has no entries, as K is 0"},
		{"dim K\nparam a : simplex[K] ~ dirichlet(1)\n", "K=1", "have one value alone"},
	} {
		w := newWorld()
		var sets []string
		if c.set != "" {
			sets = []string{c.set}
		}
		err := bound(t, w, c.model, sets...).Moves()
		if (err == nil) != (c.says == "") ||
			err != nil && (w.Report(err) != ExitData ||
				!strings.Contains(w.said.String(), c.says)) {
			t.Errorf("%s %s: %v", c.model, c.set, err)
		}
	}
}

// TestEventOf: a line of an engine is an event, or is skipped.
func TestEventOf(t *testing.T) {
	if v, is := EventOf([]byte(`{"event":"progress","chain":2}`)); !is || v.Event != "progress" ||
		v.Chain != 2 {
		t.Errorf("%+v, %v", v, is)
	}
	if _, is := EventOf([]byte("warning: no such thing")); is {
		t.Error("a line of text is an event")
	}
}

// TestDuration: seconds are shown to the second, less than one to the millisecond.
func TestDuration(t *testing.T) {
	for seconds, want := range map[float64]string{0.01234: "12ms", 61.4: "1m1s", 3600: "1h0m0s",
		1e9: "long"} {
		if got := Duration(seconds); got != want {
			t.Errorf("%v s: %s", seconds, got)
		}
	}
}
