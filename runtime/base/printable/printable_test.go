package printable

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"plain μ é 漢":         "plain μ é 漢",
		"\x1b[2J":             `\u001b[2J`,
		"a\r\nb\tc":           `a\r\nb\tc`,
		"\u009b31m\x7f":       `\u009b31m\u007f`,
		"\x9b31m":             `\x9b31m`,
		"a\u202eb\u2066":      `a\u202eb\u2066`,
		"\ufeffx\u2028":       `\ufeffx\u2028`,
		"\x00\a\b":            `\u0000\u0007\u0008`,
		"real \ufffd stays":   "real \ufffd stays",
		"\x1b]0;title\a rest": `\u001b]0;title\u0007 rest`,
	} {
		if got := Line(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	if got := Text("a\n\tb\x1b\r\n"); got != "a\n\tb\\u001b\\r\n" {
		t.Errorf("%q", got)
	}
}

func TestCut(t *testing.T) {
	if got := Line(strings.Repeat("7", 10_000_000)); len(got) > 2*Most ||
		!strings.HasSuffix(got, "… (9999400 more bytes)") {
		t.Errorf("%d bytes: …%s", len(got), got[len(got)-40:])
	}
	if got := Cut("αβγδ", 3); got != "αβγ… (2 more bytes)" {
		t.Error(got)
	}
	if got := Cut("αβγ", 3); got != "αβγ" {
		t.Error(got)
	}
}

// JSON that is written through a Writer is the JSON that it was.
func TestWriterKeepsJSON(t *testing.T) {
	in := map[string]string{"a\x1b\u009b\x7f\u202e\r\n\u2028": "\x00"}
	b, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if n, err := NewWriter(&out).Write(b); n != len(b) || err != nil {
		t.Fatal(n, err)
	}
	var got map[string]string
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || fmt.Sprint(got) != fmt.Sprint(in) {
		t.Errorf("%v: %q", err, out.String())
	}
}

// Characters that are cut by calls of Write are put together.
func TestWriterJoins(t *testing.T) {
	text := "aμ漢😀\x1b\xe6\xbc!\xf0\x9f"
	var out bytes.Buffer
	w := NewWriter(&out)
	for _, b := range []byte(text) {
		if n, err := w.Write([]byte{b}); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	}
	w.Flush()
	if out.String() != Text(text) {
		t.Errorf("%q, want %q", out.String(), Text(text))
	}
}

// Whatever goes in, what comes out is UTF-8 without control characters.
func FuzzPrintable(f *testing.F) {
	f.Add("a\x1b[0m\x9b\u009b\u202e\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, got := range []string{Line(text), Text(text)} {
			if !utf8.ValidString(got) {
				t.Fatalf("%q", got)
			}
			for _, r := range got {
				if r < ' ' && r != '\n' && r != '\t' || 0x7f <= r && r < 0xa0 {
					t.Fatalf("%q", got)
				}
			}
		}
		if strings.ContainsAny(Line(text), "\n\t\r") {
			t.Fatalf("%q", Line(text))
		}
	})
}
