package session

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/base/spelling"
)

// Dump prints what a phase leaves, function by function, as far as the
// compiler comes: a model with errors still shows its earlier phases.
func Dump(e *Session, src *source.File, o driver.Options, want string) error {
	var seen []string
	found := false
	var out bytes.Buffer
	o.Dump = func(phase, function, text string) {
		if !slices.Contains(seen, phase) {
			seen = append(seen, phase)
		}
		if phase != want && !strings.HasPrefix(phase, want+":") {
			return
		}
		found = true
		if function != "" {
			fmt.Fprintf(&out, "# %s, %s\n", phase, function)
		}
		out.WriteString(strings.TrimRight(text, "\n") + "\n")
		if function != "" {
			out.WriteByte('\n')
		}
	}
	compiled, diags := driver.Compile(src, o)
	e.Diagnose(diags)
	if compiled != nil && !found {
		hint := "."
		if near := spelling.Nearest(want, seen); near != "" {
			hint = "; did you mean " + near + "?"
		}
		return Usagef("--dump %s: there is no such phase%s The phases are %s", want, hint,
			strings.Join(seen, " "))
	}
	if err := e.Print("%s", out.Bytes()); err != nil {
		return err
	}
	if compiled == nil {
		return &ExitError{Code: ExitModel}
	}
	return nil
}
