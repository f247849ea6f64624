package recorded

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const measured = `date: 2026-01-02
commit: 12345678
cpu: A processor
command: go test -bench Step
goos: linux
BenchmarkStep/sgld/batch=10-2 5 0 ns/op 1200 generated-ns 2.5 ratio
BenchmarkStep/sgld/batch=10-2 5 0 ns/op 1000 generated-ns 2 ratio
BenchmarkStep/sgld/batch=10-2 5 0 ns/op 1100 generated-ns 4 ratio
BenchmarkStep/of_two_words 5 12.34 ns/op
ok  	a/package	1.2s
`

func TestTable(t *testing.T) {
	r, err := parse(measured, "stored")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ pattern, want string }{
		{"^Step/(sgld.*)", "| | generated-ns | ratio |\n| --- | --- | --- |\n" +
			"| sgld/batch=10 | 1,100 [1,000–1,200] | 2.5 [2–4] |\n\n" +
			"Rounds: 3. Measured on 2026-01-02 at 12345678, by `go test -bench Step`, on A processor.\n"},
		{"words", "| | ns/op |\n| --- | --- |\n| Step/of two words | 12.3 |\n\n" +
			"Rounds: 1. Measured on 2026-01-02 at 12345678, by `go test -bench Step`, on A processor.\n"},
	} {
		if got, err := r.Table(c.pattern, ""); err != nil || got != c.want {
			t.Errorf("%s: got\n%s%v\nwant\n%s", c.pattern, got, err, c.want)
		}
	}
	if _, err := r.Table("nothing", ""); err == nil {
		t.Error("a pattern that nothing matches is no error")
	}
}

// TestLine: what Line writes is read back.
func TestLine(t *testing.T) {
	var b strings.Builder
	b.WriteString("date: 2026-01-02\ncommit: 1\ncommand: x\n")
	for _, x := range []float64{0.001234567, 2e9} {
		if err := Line(&b, "one thread", Value{x, "wall ms"}, Value{-1, "ratio"}); err != nil {
			t.Fatal(err)
		}
	}
	r, err := parse(b.String(), "lines")
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 1 || r.Rows[0].Name != "one_thread" ||
		r.Rows[0].Values["wall_ms"][1] != 2e9 || r.Rows[0].Values["ratio"][0] != -1 {
		t.Errorf("read %+v", r.Rows)
	}
}

const copied = `date: 2026-01-02
commit: 12345678, 87654321
from: page
rounds: 9
command: a command

| | sgppl | ratio |
| --- | ---: | --- |
| a | 1 [0–2] | 1.5 |
| b |  | – |
`

// TestStoredTable: rows of a stored table are shown as they are.
func TestStoredTable(t *testing.T) {
	r, err := parse(copied, "copied")
	if err != nil {
		t.Fatal(err)
	}
	const head = "| | sgppl | ratio |\n| --- | --- | --- |\n"
	const note = "\nRounds: 9. Typed on 2026-01-02 at 12345678, 87654321 from what `a command` gave.\n"
	for pattern, want := range map[string]string{"": "| a | 1 [0–2] | 1.5 |\n| b | | – |\n",
		"b": "| b | | – |\n"} {
		if got, err := r.Table(pattern, ""); err != nil || got != head+want+note {
			t.Errorf("%s: got\n%s%v", pattern, got, err)
		}
	}
	for _, wrong := range []string{strings.Replace(copied, "| 1.5 |", "|", 1),
		strings.Replace(copied, "from: page", "from: hearsay", 1),
		strings.Replace(copied, "| --- | ---: | --- |\n", "", 1), copied + "BenchmarkA 1 2 ns/op\n"} {
		if _, err := parse(wrong, "wrong"); err == nil {
			t.Errorf("this is read:\n%s", wrong)
		}
	}
}

func TestUnknown(t *testing.T) {
	if _, err := parse("BenchmarkA 1 2 ns/op\n", "x"); err == nil {
		t.Error("measurements without a date are no error")
	}
}

// TestPrefixed: units of several runs stand beside each other.
func TestPrefixed(t *testing.T) {
	text := "date: 2026-01-02\ncommit: 1\ncommand: x\n"
	for _, word := range []string{"avx2", "portable"} {
		text += string(Prefixed([]byte("goos: linux\nBenchmarkA/b-2 \t 5\t 12.5 ns/op\t 3 ns/elt\n"+
			"BenchmarkA/c-2 \t 5\t 12.5 ns/op\t 4 ns/elt\nPASS\nok   a 1.2s\n"), word))
	}
	r, err := parse(text, "text")
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Table("A/(.*)", "elt")
	want := "| | avx2 ns/elt | portable ns/elt |\n| --- | --- | --- |\n| b | 3 | 3 |\n" +
		"| c | 4 | 4 |\n"
	if err != nil || !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s%v", got, err)
	}
}

// TestPages: a page gets its tables and notes, and what stands around them stays.
func TestPages(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(Results+"/steps.txt", measured)
	write("runs.csv", "a,b\n1,2\n")
	write(stored, strings.Join(storedHead, ",")+"\nruns.csv,0,2026-01-02,1234,3,,a command\n")
	write("other.md", "none\n")
	write("page.md", "a\n<!-- recorded steps words -->\nold\n<!-- end of recorded -->\nb\n"+
		"<!-- recorded steps sgld -->\n<!-- end of recorded -->\nc\n"+
		"<!-- stored runs.csv -->\nold\n<!-- end of stored -->\nd\n")
	if _, _, err := Pages(dir, false); err == nil {
		t.Error("results that changed since they were stamped are no error")
	}
	if _, _, err := Pages(dir, true); err != nil {
		t.Fatal(err)
	}
	pages, shown, err := Pages(dir, false)
	if err != nil || len(pages) != 1 || len(shown) != 3 {
		t.Fatal(len(pages), shown, err)
	}
	got := string(pages[filepath.Join(dir, "page.md")])
	for _, want := range []string{"a\n<!-- recorded steps words -->\n\n| | ns/op |",
		"\n<!-- end of recorded -->\nb\n<!-- recorded steps sgld -->\n\n| |", "-->\nc\n",
		"<!-- stored runs.csv -->\n\nRounds: 3. Stored on 20", ".\n\n<!-- end of stored -->\nd\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "old") || strings.Contains(got, "2026-01-02 at 1234,") {
		t.Error("the old table is still there")
	}
	open := "<!-- recorded steps words -->\na\n<!-- recorded steps words -->\n<!-- end of recorded -->\n" +
		"<!-- stored runs.csv -->\n<!-- end of stored -->\n"
	write("page.md", open)
	if _, _, err := Pages(dir, false); err == nil {
		t.Error("a table without an end is no error")
	}
	write("page.md", "a\n")
	if _, _, err := Pages(dir, false); err == nil {
		t.Error("results without a note are no error")
	}
	write("page.md", "<!-- recorded absent x -->\n<!-- end of recorded -->\n"+
		"<!-- stored runs.csv -->\n<!-- end of stored -->\n")
	if _, _, err := Pages(dir, false); err == nil {
		t.Error("a table of results that are not there is no error")
	}
}

func TestDigits(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.01234: "0.0123", 9.999: "10", 1234: "1,230",
		1234567: "1,230,000", 58.04: "58", -1234: "-1,230", -123456: "-123,000"} {
		if got := Digits(x); got != want {
			t.Errorf("%g: got %s, want %s", x, got, want)
		}
	}
}
