package printable

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Lines is text of several lines whose names are escaped already: [Sprintf] leaves it
// as it is.
type Lines string

// Sprintf is fmt.Sprintf for messages: every argument that is text, a list of texts or
// an error is escaped, so that a name stays on the line on which the message has it.
func Sprintf(format string, args ...any) string {
	safe := make([]any, len(args))
	for i, a := range args {
		safe[i] = argument(a)
	}
	return fmt.Sprintf(format, safe...)
}

// Fprintf writes what [Sprintf] returns.
func Fprintf(w io.Writer, format string, args ...any) (int, error) {
	return io.WriteString(w, Sprintf(format, args...))
}

// argument returns an argument of a message with its text escaped.
func argument(a any) any {
	switch a := a.(type) {
	case Lines:
		return string(a)
	case error:
		return Error(a)
	case []string:
		out := make([]string, len(a))
		for i, s := range a {
			out[i] = Line(s)
		}
		return out
	case fmt.Stringer:
		return a
	}
	if v := reflect.ValueOf(a); v.Kind() == reflect.String {
		return Line(v.String())
	}
	return a
}

// Error returns the text of an error, escaped. An error has several lines only if
// its type has the method Printable, which promises that names in its text are
// escaped. Around such an error, what other errors add stays on one line.
func Error(err error) string {
	text := err.Error()
	var safe interface {
		error
		Printable()
	}
	if !errors.As(err, &safe) {
		return Line(text)
	}
	before, after, found := strings.Cut(text, safe.Error())
	if !found {
		return Line(text)
	}
	return Line(before) + safe.Error() + Line(after)
}
