package driver_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
)

// refusal is written at the end of the line it speaks of: // ERROR E0710: a part of the message
var refusal = regexp.MustCompile(`// ERROR (E\d{4}): (.*)$`)

// TestRefused holds what compiling, and then simulating, says of right programs
// that it cannot do against the comments of their lines: none missing, none
// extra, and each at a place.
func TestRefused(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.sg")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d programs, %v", len(files), err)
	}
	for _, path := range files {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(raw)
		want := map[string]bool{}
		for i, line := range strings.Split(text, "\n") {
			if m := refusal.FindStringSubmatch(line); m != nil {
				want[fmt.Sprintf("%d %s %s", i+1, m[1], m[2])] = true
			}
		}
		if len(want) == 0 {
			t.Errorf("%s expects nothing", path)
		}
		src := source.New(filepath.Base(path), text)
		_, diags := driver.Compile(src, driver.Options{})
		if !diags.Errors() {
			_, list, _, err := driver.Simulate(src,
				driver.SimulateOptions{Seed: 1, Sets: []string{"N=4"}})
			if err != nil && len(list) == 0 {
				t.Errorf("%s: %v", path, err)
			}
			diags = append(diags, list...)
		}
		for _, d := range diags {
			if d.Severity != diag.Error {
				continue
			}
			found := false
			for w := range want {
				head := fmt.Sprintf("%d %s ", d.File.Position(d.Span.Start).Line, d.Code)
				if strings.HasPrefix(w, head) && strings.Contains(d.Message, w[len(head):]) &&
					d.Span.End > d.Span.Start {
					delete(want, w)
					found = true
					break
				}
			}
			if !found {
				t.Errorf("%s:%d: unexpected %s %s", path, d.File.Position(d.Span.Start).Line,
					d.Code, d.Message)
			}
		}
		for w := range want {
			t.Errorf("%s: missing %s", path, w)
		}
	}
}
