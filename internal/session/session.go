package session

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/native"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/base/system"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/stan"
	"github.com/sgppl/sgppl/stan/translate"
)

// A Session is the program's access to its environment: streams, arguments, variables, clock and
// signals. The program uses nothing else of the process, so tests can replace it.
type Session struct {
	Stdin io.Reader
	// Both escape control characters while the program runs: see guardOutput.
	Stdout, Stderr io.Writer
	// Stdout and Stderr without escapes. Verbatim is for the texts of files. Screen is for output that
	// moves the cursor or has colours; its writers escape text from files themselves.
	Verbatim, Screen io.Writer
	Args             []string // without the program's name
	Getenv           func(string) string
	Environ          []string // for the programs that are started
	colour           bool     // colours on stderr
	Terminal         bool     // stderr is a terminal that knows its size: bars may move
	Now              func() time.Time
	Disk             disk.FS // file system of runs; nil: the operating system's
	// Engine changes the sources of a sampler before it is built; nil: they stay.
	Engine func(native.Source) native.Source
	// Interrupts calls f at every interrupt until stop is called, or another f is
	// there, and again once that one is stopped.
	Interrupts func(f func()) (stop func())
	Quit       func(code int) // ends the process at once

	JsonNotes bool // by --progress json

	builder *native.Builder // see Builder
}

// ProcessEnv returns the session of the process.
func ProcessEnv() *Session {
	e := &Session{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Args: os.Args[1:],
		Getenv: os.Getenv, Environ: os.Environ(), Now: time.Now, Interrupts: onSignals(),
		Quit: os.Exit}
	is, sized := terminal(os.Stderr)
	is = is && os.Getenv("TERM") != "dumb"
	e.colour = is && os.Getenv("NO_COLOR") == ""
	e.Terminal = is && sized
	return e
}

// guardOutput makes Stdout and Stderr escape control characters, so that a name in a file cannot
// send commands to the terminal. done flushes them and restores the original writers.
func (e *Session) guardOutput() (done func()) {
	e.Verbatim, e.Screen = e.Stdout, e.Stderr
	out, err := printable.NewWriter(e.Stdout), printable.NewWriter(e.Stderr)
	e.Stdout, e.Stderr = out, err
	return func() {
		out.Flush()
		err.Flush()
		e.Stdout, e.Stderr = e.Verbatim, e.Screen
	}
}

// onSignals returns a function that registers a handler f for signals that ask the process to end.
// A signal calls only the handler registered last. stop removes the handler.
func onSignals() func(f func()) (stop func()) {
	var lock sync.Mutex
	var waiting []*func()
	newest := func(f *func()) bool {
		lock.Lock()
		defer lock.Unlock()
		return len(waiting) > 0 && waiting[len(waiting)-1] == f
	}
	return func(f func()) (stop func()) {
		lock.Lock()
		waiting = append(waiting, &f)
		lock.Unlock()
		c := make(chan os.Signal, 1)
		release := system.OnEnd(c)
		done := make(chan struct{})
		go func() {
			for {
				select {
				case <-c:
					if newest(&f) {
						f()
					}
				case <-done:
					return
				}
			}
		}()
		return func() {
			release()
			close(done)
			lock.Lock()
			waiting = slices.DeleteFunc(waiting, func(g *func()) bool { return g == &f })
			lock.Unlock()
		}
	}
}

// mostModel bounds the text of a model, so that a wrong path does not fill memory.
const mostModel = 32 << 20

// ReadModel reads a model's text: a path, or "-" for standard input. A program of Stan is imported.
func (e *Session) ReadModel(path string) (*source.File, error) {
	return e.ReadModelFor(path, nil, nil, 1)
}

// ReadModelFor is ReadModel for the data of --data and the values of --set. A program of Stan whose
// structure depends on data is translated for them, which a note says. The seed is that of the
// numbers that its transformed data draw.
func (e *Session) ReadModelFor(
	path string, data, sets []string, seed uint64,
) (*source.File, error) {
	src, err := e.ReadText(path)
	if err != nil || !stan.Is(path) {
		return src, err
	}
	return e.ImportStan(src, data, sets, seed)
}

// ImportStan translates a program of Stan, and prints what is wrong with it.
func (e *Session) ImportStan(
	src *source.File, data, sets []string, seed uint64,
) (*source.File, error) {
	defer e.CollectRarely()()
	var read func() map[string]*stan.Given
	if len(data) > 0 {
		read = func() map[string]*stan.Given { return stan.ReadData(data, sets) }
	}
	drawer := func() translate.Drawer { return (&driver.LawDrawer{Seed: seed}).Draw }
	out, bound, diags := stan.ModelFor(src, read, drawer, accepted)
	if bound {
		e.Note("%s is translated for these data: its structure depends on them", src.Name)
	}
	if out == nil { // for want of data, perhaps, that a file would have
		if errs := stan.Unreadable(data); len(errs) > 0 {
			return nil, e.DataErrors(errs)
		}
	}
	e.Diagnose(diags)
	if out == nil {
		return nil, &ExitError{Code: ExitModel}
	}
	return out, nil
}

// accepted is what the language has against a model.
func accepted(model *source.File) diag.List {
	_, m := driver.Check(model, driver.Options{})
	return m.Diags
}

// ReadText reads the text of a model or a program as it is.
func (e *Session) ReadText(path string) (*source.File, error) {
	in := e.Stdin
	if path != "-" {
		file, err := disk.OpenInput(path)
		if err != nil {
			return nil, Failf(ExitFiles, "cannot read the model: %v", err)
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, mostModel+1))
	if err != nil {
		return nil, Failf(ExitFiles, "cannot read the model: %v", err)
	}
	if len(text) > mostModel {
		return nil, Failf(ExitFiles,
			"cannot read the model: %s is longer than %s, and no model; data are given with --data",
			path, memory.Text(mostModel))
	}
	return source.New(path, string(text)), nil
}

// Diagnose prints diagnostics for people.
func (e *Session) Diagnose(list diag.List) {
	if len(list) > 0 {
		list.Render(e.Screen, e.colour)
	}
}

// Compile compiles a model and prints its diagnostics, warnings too. With
// errors the program's status is that of a wrong model.
func (e *Session) Compile(src *source.File, o driver.Options) (*driver.Compiled, error) {
	defer e.CollectRarely()()
	c, list := driver.Compile(src, o)
	e.Diagnose(list)
	if c == nil {
		return nil, &ExitError{Code: ExitModel}
	}
	return c, nil
}

// Print writes a result to standard output. That it cannot is an error.
func (e *Session) Print(format string, args ...any) error {
	if _, err := fmt.Fprintf(e.Stdout, format, args...); err != nil {
		return Failf(ExitFiles, "cannot write: %v", err)
	}
	return nil
}

// Note writes a line of information to standard error: an object of JSON
// where events are objects too. Names among the arguments are escaped.
func (e *Session) Note(format string, args ...any) {
	text := strings.TrimRight(printable.Sprintf(format, args...), "\n")
	if e.JsonNotes {
		run.WriteNote(e.Stderr, text)
		return
	}
	io.WriteString(e.Stderr, "note: "+text+"\n")
}
