package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8/cwriter"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/native"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// An env is what the program sees of the world: nothing else of it is read,
// so that tests can run the program in their own.
type env struct {
	stdin io.Reader
	// Both escape control characters while the program runs: see guardOutput.
	stdout, stderr io.Writer
	// The same as they are: verbatim takes the texts of files, screen what moves
	// the cursor or has colours, whose writers escape what comes from files.
	verbatim, screen io.Writer
	args             []string // without the program's name
	getenv           func(string) string
	environ          []string // for the programs that are started
	colour           bool     // colours on stderr
	terminal         bool     // stderr is a terminal that knows its size: bars may move
	now              func() time.Time
	disk             disk.FS // what runs are written to; nil: the operating system's
	// engine changes the sources of a sampler before it is built; nil: they stay.
	engine func(native.Source) native.Source
	// interrupts calls f at every interrupt until stop is called, or another f is
	// there, and again once that one is stopped.
	interrupts func(f func()) (stop func())
	quit       func(code int) // ends the process at once

	jsonNotes bool // by --progress json
}

// processEnv is the world of the process.
func processEnv() *env {
	e := &env{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, args: os.Args[1:], getenv: os.Getenv, environ: os.Environ(), now: time.Now, interrupts: onSignals(), quit: os.Exit}
	fd := int(os.Stderr.Fd())
	terminal := cwriter.IsTerminal(fd) && os.Getenv("TERM") != "dumb"
	e.colour = terminal && os.Getenv("NO_COLOR") == ""
	width, height, err := cwriter.GetSize(fd)
	e.terminal = terminal && err == nil && width > 0 && height > 0
	return e
}

// guardOutput has all that is printed go through writers that escape control
// characters, so that no key, header or name of a file can command the terminal.
// What it returns writes what is left, and takes the writers away.
func (e *env) guardOutput() (done func()) {
	e.verbatim, e.screen = e.stdout, e.stderr
	out, err := printable.NewWriter(e.stdout), printable.NewWriter(e.stderr)
	e.stdout, e.stderr = out, err
	return func() {
		out.Flush()
		err.Flush()
		e.stdout, e.stderr = e.verbatim, e.screen
	}
}

// onSignals makes what calls the newest f at every signal that asks the process to end.
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
		release := catch(c)
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

// readModel reads a model's text: a path, or "-" for standard input.
func (e *env) readModel(path string) (*source.File, error) {
	in := e.stdin
	if path != "-" {
		file, err := disk.OpenInput(path)
		if err != nil {
			return nil, fail(exitFiles, "cannot read the model: %v", err)
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, mostModel+1))
	if err != nil {
		return nil, fail(exitFiles, "cannot read the model: %v", err)
	}
	if len(text) > mostModel {
		return nil, fail(exitFiles, "cannot read the model: %s is longer than %s, and no model; data are given with --data", path, memory.Text(mostModel))
	}
	return source.New(path, string(text)), nil
}

// diagnose prints diagnostics for people.
func (e *env) diagnose(list diag.List) {
	if len(list) > 0 {
		list.Render(e.screen, e.colour)
	}
}

// compile compiles a model and prints its diagnostics, warnings too. With
// errors the program's status is that of a wrong model.
func (e *env) compile(src *source.File, o driver.Options) (*driver.Compiled, error) {
	c, list := driver.Compile(src, o)
	e.diagnose(list)
	if c == nil {
		return nil, &exitError{code: exitModel}
	}
	return c, nil
}

// print writes a result to standard output. That it cannot is an error.
func (e *env) print(format string, args ...any) error {
	if _, err := fmt.Fprintf(e.stdout, format, args...); err != nil {
		return fail(exitFiles, "cannot write: %v", err)
	}
	return nil
}

// note writes a line of information to standard error: an object of JSON
// where events are objects too. Names among the arguments are escaped.
func (e *env) note(format string, args ...any) {
	text := strings.TrimRight(printable.Sprintf(format, args...), "\n")
	if e.jsonNotes {
		run.WriteNote(e.stderr, text)
		return
	}
	io.WriteString(e.stderr, "note: "+text+"\n")
}
