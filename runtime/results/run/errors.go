package run

import (
	"errors"

	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// Exit statuses of the command line's contract.
const (
	exitUsage = 2
	exitRun   = 4
	exitFiles = 5
)

// An Error is an error that ended a run, with the exit status of the program.
type Error struct {
	Code    int
	Message string
	cause   error
}

func (e *Error) Error() string { return e.Message }

// Exit is the exit status.
func (e *Error) Exit() int { return e.Code }

func (e *Error) Unwrap() error { return e.cause }

// Printable says that Message is escaped, as printable.Error asks.
func (e *Error) Printable() {}

// fail is an Error with a message, in which names are escaped.
func fail(code int, format string, args ...any) error {
	return &Error{Code: code, Message: printable.Sprintf(format, args...)}
}

// because is an Error with the text of another, which it wraps.
func because(code int, err error) error {
	return &Error{Code: code, Message: printable.Error(err), cause: err}
}

// disk marks an error as one of files.
func disk(err error) error {
	if err == nil {
		return nil
	}
	var own *Error
	if errors.As(err, &own) {
		return err
	}
	return because(exitFiles, err)
}

// classify gives an error of a sampler its exit status.
func classify(err error) error {
	var own *Error
	var config *sampler.ConfigError
	var block *sampler.BlockError
	var checkpoint *sampler.CheckpointError
	var rows *sampler.RowsError
	switch {
	case errors.As(err, &rows):
		code := exitFiles
		var has interface{ Exit() int }
		if errors.As(err, &has) {
			code = has.Exit()
		}
		return because(code, err)
	case errors.As(err, &own):
		return because(own.Code, err)
	case errors.As(err, &config), errors.As(err, &block):
		return because(exitUsage, err)
	case errors.As(err, &checkpoint):
		return because(exitFiles, err)
	}
	return because(exitRun, err)
}
