package run

import (
	"errors"
	"fmt"

	"github.com/sgppl/sgppl/runtime/printable"
	"github.com/sgppl/sgppl/runtime/sampler"
)

// Exit statuses of the command line's contract.
const (
	exitUsage = 2
	exitRun   = 4
	exitFiles = 5
)

// An Error is what ended a run, with the exit status of the program.
type Error struct {
	Code    int
	Message string
	cause   error
}

func (e *Error) Error() string { return e.Message }

// Exit is the exit status.
func (e *Error) Exit() int { return e.Code }

func (e *Error) Unwrap() error { return e.cause }

// fail is an Error with a message. Texts in it are names, which stay on one line.
func fail(code int, format string, args ...any) error {
	for i, a := range args {
		if name, is := a.(string); is {
			args[i] = printable.Line(name)
		}
	}
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
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
	return &Error{exitFiles, err.Error(), err}
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
		return &Error{code, err.Error(), err}
	case errors.As(err, &own):
		return &Error{own.Code, err.Error(), err}
	case errors.As(err, &config), errors.As(err, &block):
		return &Error{exitUsage, err.Error(), err}
	case errors.As(err, &checkpoint):
		return &Error{exitFiles, err.Error(), err}
	}
	return &Error{exitRun, err.Error(), err}
}
