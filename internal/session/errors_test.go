package session

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// exits is an error with an exit status.
type exits int

func (e exits) Error() string { return fmt.Sprintf("exits with %d", int(e)) }
func (e exits) Exit() int     { return int(e) }

// TestReport: each error ends with its status, and is printed once, escaped.
func TestReport(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
		says string
	}{
		{nil, ExitDone, ""},
		{Failf(ExitData, "the file %s", "a\x07b"), ExitData, "sgppl: error: the file a\\u0007b\n"},
		{fmt.Errorf("around: %w", Usagef("no")), ExitUsage, "sgppl: error: no\n"},
		{&ExitError{Code: ExitModel}, ExitModel, ""}, // it has been told
		{errors.New("anything"), ExitRun, "sgppl: error: anything\n"},
		{fmt.Errorf("around: %w", exits(5)), 5, "sgppl: error: around: exits with 5\n"},
		{fmt.Errorf("x: %w", trace.ErrCorrupt), ExitFiles, "sgppl: error: x: "},
		{Failf(ExitData, "%v", &memory.Error{}), (&memory.Error{}).Exit(), "sgppl: error: "},
		{OwnStatus(fmt.Errorf("around: %w", exits(3))), ExitData,
			"sgppl: error: around: exits with 3\n"},
		{FilesError(errors.New("disk")), ExitFiles, "sgppl: error: disk\n"},
		{FilesError(Usagef("no")), ExitUsage, "sgppl: error: no\n"},
		{WriteError(errors.New("full")), ExitFiles, "sgppl: error: cannot write: full\n"},
	} {
		w := newWorld()
		if code := w.Report(c.err); code != c.code || !strings.HasPrefix(w.said.String(), c.says) ||
			c.says == "" && w.said.Len() > 0 {
			t.Errorf("%v: status %d, not %d: %q", c.err, code, c.code, &w.said)
		}
	}
	long := strings.Repeat("x", 1<<20)
	if got := cutLines(long + "\nsecond"); len(got) > printable.Most+100 ||
		!strings.HasSuffix(got, "\nsecond") {
		t.Errorf("a long line is printed as %d bytes", len(got))
	}
}

// TestGuarded: what is printed inside is escaped; a panic has a status, and so has Leave.
func TestGuarded(t *testing.T) {
	w := newWorld()
	code := w.Guarded(func() int {
		fmt.Fprint(w.Stdout, "a\x1bb")
		return 7
	})
	if code != 7 || w.out.String() != `a\u001bb` {
		t.Errorf("status %d: %q", code, &w.out)
	}
	if code := w.Guarded(func() int { panic(Leave(9)) }); code != 9 || w.said.Len() > 0 {
		t.Errorf("status %d: %q", code, &w.said)
	}
	code = w.Guarded(func() int { panic("lost") })
	if code != ExitRun || !strings.HasPrefix(w.said.String(), "sgppl: internal error: lost\n") {
		t.Errorf("status %d: %q", code, &w.said)
	}
	if w.Stdout != &w.out || w.Stderr != &w.said {
		t.Error("the writers are not as they were")
	}
}
