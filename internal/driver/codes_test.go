package driver_test

import (
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
)

// TestLowerCodes: the example of every E07 code is a right program, which
// compiling or simulating it refuses with that code and no other.
func TestLowerCodes(t *testing.T) {
	seen := 0
	for _, e := range diag.Codes() {
		if !strings.HasPrefix(string(e.Code), "E07") {
			continue
		}
		seen++
		src := source.New("example.sg", e.Example)
		if _, m := driver.Check(src, driver.Options{}); m.Diags.Errors() {
			t.Errorf("%s: the example is not a right program: %s", e.Code, codesOf(m.Diags))
			continue
		}
		_, diags := driver.Compile(src, driver.Options{})
		if !diags.Errors() {
			// What compiles may still be refused to be simulated.
			_, list, _, _ := driver.Simulate(src, driver.SimulateOptions{Seed: 1, Sets: []string{"N=3"}})
			diags = append(diags, list...)
		}
		errors := 0
		for _, d := range diags {
			if d.Severity != diag.Error {
				continue
			}
			errors++
			if d.Code != e.Code {
				t.Errorf("%s: the example makes %s: %s", e.Code, d.Code, d.Message)
			}
			if d.File == nil || d.Span.End <= d.Span.Start {
				t.Errorf("%s: the diagnostic has no place", e.Code)
			}
		}
		if errors == 0 {
			t.Errorf("%s: the example compiles: %q", e.Code, e.Example)
		}
	}
	if seen < 10 {
		t.Errorf("only %d codes", seen)
	}
}

func codesOf(l diag.List) string {
	var parts []string
	for _, d := range l {
		parts = append(parts, string(d.Code)+" "+d.Message)
	}
	return strings.Join(parts, "; ")
}
