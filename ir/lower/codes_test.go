package lower_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
)

// safetyNet is the one code without example: what no known program makes.
const safetyNet = "E0701"

// TestLowerCodes: the example of every E07 code is a right program, which
// compiling or simulating it refuses with that code and no other.
func TestLowerCodes(t *testing.T) {
	seen := 0
	for _, e := range diag.Codes() {
		if !strings.HasPrefix(string(e.Code), "E07") {
			continue
		}
		seen++
		if e.Code == safetyNet {
			continue
		}
		if wrong := exampleOf(e); wrong != "" {
			t.Errorf("%s: %s", e.Code, wrong)
		}
	}
	if seen < 10 {
		t.Errorf("only %d codes", seen)
	}
}

// exampleOf says what is wrong with the example of a code.
func exampleOf(e diag.Explanation) string {
	src := source.New("example.sg", e.Example)
	if _, m := driver.Check(src, driver.Options{}); m.Diags.Errors() {
		return "the example is not a right program: " + codesOf(m.Diags)
	}
	_, diags := driver.Compile(src, driver.Options{})
	if !diags.Errors() {
		_, diags = driver.Compile(src, driver.Options{Gibbs: true})
		if !slices.ContainsFunc(diags, func(d *diag.Diagnostic) bool { return d.Code == e.Code }) {
			diags = nil
		}
	}
	if !diags.Errors() {
		// What compiles may still be refused to be simulated, or to be left out.
		_, simulated, _, _ := driver.Simulate(src,
			driver.SimulateOptions{Seed: 1, Sets: []string{"N=3"}})
		_, pointwise := driver.Pointwise(src, driver.Options{})
		for _, list := range []diag.List{simulated, pointwise} {
			if slices.ContainsFunc(list, func(d *diag.Diagnostic) bool {
				return d.Code == e.Code
			}) {
				diags = list
				break
			}
		}
	}
	if !diags.Errors() {
		return fmt.Sprintf("the example compiles: %q", e.Example)
	}
	for _, d := range diags {
		switch {
		case d.Severity != diag.Error:
		case d.Code != e.Code:
			return "the example makes " + string(d.Code) + ": " + d.Message
		case d.File == nil || d.Span.End <= d.Span.Start:
			return "the diagnostic has no place"
		}
	}
	return ""
}

func codesOf(l diag.List) string {
	var parts []string
	for _, d := range l {
		parts = append(parts, string(d.Code)+" "+d.Message)
	}
	return strings.Join(parts, "; ")
}

// The check lines of a model's own distributions are evaluated.
func TestCheckLines(t *testing.T) {
	e, ok := diag.Explain("E0610")
	if !ok {
		t.Fatal("no E0610")
	}
	_, m := driver.Check(source.New("m.sg", e.Example), driver.Options{})
	if len(m.Diags) != 1 || m.Diags[0].Code != e.Code {
		t.Errorf("the example gives %s", codesOf(m.Diags))
	}
	// log 2 makes it right.
	right := strings.Replace(e.Example, "logpdf(x) = ", "logpdf(x) = log(2) + ", 1)
	if _, m := driver.Check(source.New("m.sg", right), driver.Options{}); len(m.Diags) != 0 {
		t.Errorf("the right one gives %s", codesOf(m.Diags))
	}
}
