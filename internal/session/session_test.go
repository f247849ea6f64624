package session

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/source"
)

// world is a session that prints into a buffer, and notes the status that ends the process.
type world struct {
	Session
	out, said bytes.Buffer
	code      int
	interrupt func() // what an interrupt calls
	stopped   bool   // nobody waits for interrupts any more
}

func newWorld() *world {
	w := &world{code: -1}
	w.Stdout, w.Stderr = &w.out, &w.said
	w.Verbatim, w.Screen = &w.out, &w.said
	w.Getenv = func(string) string { return "" }
	w.Quit = func(code int) { w.code = code }
	w.Interrupts = func(f func()) func() {
		w.interrupt = f
		return func() { w.stopped = true }
	}
	return w
}

// bound compiles a model and binds it to the values of sets.
func bound(t *testing.T, w *world, model string, sets ...string) *Binding {
	t.Helper()
	b := &Binding{Given: Given{Set: sets}}
	if err := b.Compile(&w.Session, source.New("m.sg", model)); err != nil {
		t.Fatal(err, w.said.String())
	}
	if err := b.Bind(&w.Session); err != nil {
		t.Fatal(err, w.said.String())
	}
	return b
}

// TestReadModel: the text of standard input has the name "-"; a path that is not there, and
// a text that no model is as long as, end with the status of files.
func TestReadModel(t *testing.T) {
	w := newWorld()
	w.Stdin = strings.NewReader("param x : real")
	if src, err := w.ReadModel("-"); err != nil || src.Name != "-" || src.Text != "param x : real" {
		t.Errorf("%v, %v", src, err)
	}
	_, err := w.ReadModel(t.TempDir() + "/none.sg")
	if code := w.Report(err); code != ExitFiles {
		t.Errorf("status %d: %s", code, &w.said)
	}
	w.Stdin = strings.NewReader(strings.Repeat(" ", mostModel+1))
	_, err = w.ReadModel("-")
	if code := w.Report(err); code != ExitFiles || !strings.Contains(w.said.String(), "--data") {
		t.Errorf("status %d: %s", code, &w.said)
	}
}

// TestNote: notes are lines, or objects where events are; names in them are escaped.
func TestNote(t *testing.T) {
	w := newWorld()
	w.Note("%s is new\n", "a\x1b[2J")
	w.JsonNotes = true
	w.Note("%d rows", 3)
	want := "note: a\\u001b[2J is new\n"
	if got := w.said.String(); !strings.HasPrefix(got, want) ||
		!strings.Contains(got[len(want):], `"3 rows"`) {
		t.Errorf("%q", got)
	}
}

// TestStopper: the first interrupt asks for an end, the second ends the process.
func TestStopper(t *testing.T) {
	w := newWorld()
	s, release := w.Stopper()
	if s.Asked() || s.Err() != nil {
		t.Error("asked before an interrupt")
	}
	w.interrupt()
	if !s.Asked() || w.Report(s.Err()) != ExitInterrupted || w.code != -1 {
		t.Errorf("after one interrupt: %v, the process ended with %d", s.Err(), w.code)
	}
	w.interrupt()
	if w.code != ExitInterrupted {
		t.Errorf("after two the process ended with %d", w.code)
	}
	if release(); !w.stopped {
		t.Error("not released")
	}
	var none *Stopper
	if none.Asked() || none.Err() != nil {
		t.Error("a stopper that is nil was asked")
	}
}
