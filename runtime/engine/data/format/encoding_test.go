package format_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data/format"
)

// TestOtherTexts: words are the same in every encoding, and how numbers and words were read
// is told where there are other ways.
func TestOtherTexts(t *testing.T) {
	t.Chdir(t.TempDir())
	latin := func(s string) string {
		var b []byte
		for _, r := range s {
			b = append(b, byte(r))
		}
		return string(b)
	}
	wide := func(s string) string {
		b := []byte{0xff, 0xfe}
		for _, r := range s {
			b = append(b, byte(r), byte(r>>8))
		}
		return string(b)
	}
	const text = "stadt;y\nK\u00f6ln;1,5\nM\u00fcnchen;2\nK\u00f6ln;1,234,5\n"
	for name, text := range map[string]string{"utf8.csv": text, "latin.csv": latin(text),
		"wide.csv": wide(text), "wide.csv.gz": zipped(wide(text))} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		table, errs := format.ReadFile(name)
		if errs != nil {
			t.Fatal(errs[0])
		}
		v, _ := table.Texts("stadt")
		y, wrong := table.Texts("y")
		if got := fmt.Sprint(v.Words, y.F64[:2], len(wrong)); got !=
			"[K\u00f6ln M\u00fcnchen] [1.5 2] 1" {
			t.Errorf("%s: %s", name, got)
		}
		notes := strings.Join(table.Notes, "; ")
		if !strings.Contains(notes, "1,5 is read as 1.5") ||
			strings.Contains(notes, "not UTF-8") != (name == "latin.csv") {
			t.Errorf("%s: %s", name, notes)
		}
	}
	if _, fields, errs := format.Probe("wide.csv", ""); errs != nil ||
		fmt.Sprint(fields) != "[stadt y]" {
		t.Errorf("by rows: %q, %v", fields, errs)
	}
	// Half a character at the end.
	os.WriteFile("cut.csv", []byte(wide(text)[:61]), 0o666)
	if _, errs := format.ReadFile("cut.csv"); len(errs) != 1 || errs[0].Code != "D0104" {
		t.Errorf("cut: %v", errs)
	}
	// Quotes and dashes of Windows.
	os.WriteFile("windows.csv", []byte("a,b\n1,\x93x\x94\x96\x81\n"), 0o666)
	table, errs := format.ReadFile("windows.csv")
	if errs != nil {
		t.Fatal(errs[0])
	}
	if v, _ := table.Texts("b"); v.Words[0] != "\u201cx\u201d\u2013\u0081" {
		t.Errorf("%q", v.Words)
	}
}
