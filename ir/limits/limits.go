// Package limits has the errors of what the language can say and this version
// cannot compile. Every package between the checker and the planner reports
// them, as values with a code and a place in the model.
package limits

import (
	"fmt"

	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
)

// The codes; the table of lang/diag explains them.
const (
	NotLowered         = diag.Code("E0701")
	TypeNotLowered     = diag.Code("E0703")
	NoDerivative       = diag.Code("E0704")
	LocalNotLowered    = diag.Code("E0705")
	RaggedNotLowered   = diag.Code("E0706")
	StrategyNotLowered = diag.Code("E0708")
	NoCDF              = diag.Code("E0710")
	SparseMadeDense    = diag.Code("E0711")
	CannotSimulate     = diag.Code("E0712")
	CannotLeaveOut     = diag.Code("E0714")
	TooLarge           = diag.Code("E0713")
	DropoutPlace       = diag.Code("E0715")
	NoConditional      = diag.Code("E0716")
	CheckFails         = diag.Code("E0610")
)

// An Error says what cannot be compiled, and where it stands in the model.
type Error struct {
	Code    diag.Code
	Span    source.Span
	Message string
}

func (e *Error) Error() string { return e.Message }

// Errorf makes an Error.
func Errorf(code diag.Code, at source.Span, format string, args ...any) *Error {
	return &Error{Code: code, Span: at, Message: fmt.Sprintf(format, args...)}
}

// In is the error as a diagnostic of a file.
func (e *Error) In(file *source.File) *diag.Diagnostic {
	return &diag.Diagnostic{Code: e.Code, File: file, Span: e.Span, Message: e.Message}
}

// A failure is an Error on its way from Fail to Try.
type failure struct{ err *Error }

// Fail gives up what Try runs with an error.
func Fail(code diag.Code, at source.Span, format string, args ...any) {
	panic(failure{Errorf(code, at, format, args...)})
}

// Try runs f and returns the error that it failed with; nil where it did not.
func Try(f func()) (err *Error) {
	defer func() {
		if r := recover(); r != nil {
			x, is := r.(failure)
			if !is {
				panic(r)
			}
			err = x.err
		}
	}()
	f()
	return nil
}
