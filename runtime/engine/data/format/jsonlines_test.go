package format_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data/format"
)

// TestJSONLines: words are kept, and mistakes have their line and are of their key alone.
func TestJSONLines(t *testing.T) {
	text := `{"town": "Ada", "y": 1, "v": [1, 2], "w": 1}
{"town": "Bonn", "y": "x", "v": [1], "w": [1]}
{"town": null, "y": {"z": 1}, "v": 3}
`
	table, errs := format.ReadJSONLines("f", strings.NewReader(text))
	if errs != nil {
		t.Fatal(errs[0])
	}
	if v, _ := table.Texts("town"); fmt.Sprint(v.Words, v.Shape) != "[Ada Bonn] [3]" {
		t.Errorf("%v", v.Words)
	}
	for name, want := range map[string]string{
		"y": `f:2: error[D0106]: "x" is no number (key y)|f:3: error[D0106]: is deeper than a list of numbers or words (key y)`,
		"v": "f:2: error[D0106]: has 1 entries, and 2 in rows before (key v)|f:3: error[D0106]: " +
			"a list is expected, as in rows before (key v)",
		"w": "f:2: error[D0106]: is a list, and none in rows before (key w)",
	} {
		_, errs := table.Field(name)
		var got []string
		for _, e := range errs {
			got = append(got, strings.TrimSpace(e.Error()))
		}
		if text := strings.Join(got, "|"); text != want {
			t.Errorf("%s: %s, want %s", name, text, want)
		}
	}
	for text, want := range map[string]string{
		"":                       "D0103",
		"\n \n":                  "D0103",
		"[1]\n":                  "D0108",
		"{\"a\": 1}\n{\"a\": ":   "D0108",
		"{\"a\": 1} 2\n":         "D0108",
		"{\"a\": 1, \"a\": 2}\n": "D0118",
		"{\"a\": 1":              "D0108",
		"{\"a\": tru}\n":         "D0108",
	} {
		if _, errs := format.ReadJSONLines("f", strings.NewReader(text)); len(errs) != 1 ||
			errs[0].Code != want {
			t.Errorf("%q: %v, want %s", text, errs, want)
		}
	}
}
