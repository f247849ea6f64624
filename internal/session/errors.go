package session

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// OwnStatus converts an error that has the method Exit to an ExitError with its status. Other
// errors are returned unchanged.
func OwnStatus(err error) error {
	var own interface {
		error
		Exit() int
	}
	if errors.As(err, &own) {
		return Failf(own.Exit(), "%v", err)
	}
	return err
}

// Exit statuses, as the contract of the command line has them.
const (
	ExitDone        = 0
	ExitModel       = 1   // the model has errors
	ExitUsage       = 2   // the command line is wrong
	ExitData        = 3   // the data does not fit
	ExitRun         = 4   // the run failed
	ExitFiles       = 5   // files, disk or toolchain
	ExitInterrupted = 130 // a checkpoint is written
)

// An ExitError ends the program with an exit status. Its message is printed. An empty message means
// that the error was printed already.
type ExitError struct {
	Code    int
	message string
	tag     string // a code that `sgppl explain` knows; "" without one
}

func (e *ExitError) Error() string { return e.message }

// Printable says that the message is escaped, as printable.Error asks.
func (e *ExitError) Printable() {}

// Failf is an error that ends the program with a status and a message, in which names
// are escaped. One that tells of too little memory keeps the status of that.
func Failf(code int, format string, args ...any) error {
	for _, a := range args {
		var m *memory.Error
		if err, is := a.(error); is && errors.As(err, &m) {
			code = m.Exit()
		}
	}
	return &ExitError{Code: code, message: printable.Sprintf(format, args...)}
}

// Refused is the error of a setting of a sampler.
func Refused(err error) error { return Coded(ExitUsage, sampler.CodeOf(err), err) }

// Coded is an error with a code that `sgppl explain` knows, which ends the program with a status.
func Coded(status int, code string, err error) error {
	return &ExitError{Code: status, message: printable.Error(err), tag: code}
}

// Usagef is fail for a wrong command line.
func Usagef(format string, args ...any) error { return Failf(ExitUsage, format, args...) }

// Leave carries an exit status out of the reading of a command line.
type Leave int

// Guarded runs f with escaped output and returns its exit status. A panic of f is reported and
// gives the status ExitRun.
func (e *Session) Guarded(f func() int) (code int) {
	defer e.guardOutput()()
	defer func() {
		switch r := recover().(type) {
		case nil:
		case Leave:
			code = int(r)
		default:
			fmt.Fprintf(e.Stderr,
				"sgppl: internal error: %v\n%s\n"+
					"This is a mistake of sgppl %s, not yours. Please report it with the model.\n",
				r, debug.Stack(), sgppl.Version)
			code = ExitRun
		}
	}()
	return f()
}

// Report prints an error that has not been printed and returns its status.
func (e *Session) Report(err error) int {
	if err == nil {
		return ExitDone
	}
	var x *ExitError
	if !errors.As(err, &x) && errors.Is(err, trace.ErrCorrupt) {
		x = &ExitError{Code: ExitFiles, message: printable.Error(err)}
	} else if x == nil {
		x = &ExitError{Code: statusOf(err, ExitRun), message: printable.Error(err)}
	}
	if x.message != "" {
		tag := ""
		if x.tag != "" {
			tag = "[" + x.tag + "]"
		}
		fmt.Fprintf(e.Stderr, "sgppl: error%s: %s\n", tag, cutLines(x.message))
	}
	return x.Code
}

// cutLines shortens the long lines of a message, since names in files and arguments have any
// length.
func cutLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = printable.Cut(line, printable.Most)
	}
	return strings.Join(lines, "\n")
}

// statusOf is the exit status that an error has, or another.
func statusOf(err error, otherwise int) int {
	var own interface{ Exit() int }
	if errors.As(err, &own) {
		return own.Exit()
	}
	return otherwise
}
