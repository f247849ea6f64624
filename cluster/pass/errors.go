package pass

import (
	"errors"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/printable"
)

// Parts are the errors that an error was joined of, by errors.Join; else it is alone.
func Parts(err error) []error {
	var list []error
	switch of := err.(type) {
	case interface{ Unwrap() []error }:
		list = of.Unwrap()
	case interface{ Unwrap() error }:
		if inner := of.Unwrap(); inner != nil {
			list = []error{inner}
		}
	}
	texts := make([]string, len(list))
	for i, part := range list {
		texts[i] = part.Error()
	}
	if len(list) == 0 || strings.Join(texts, "\n") != err.Error() { // it adds words of its own
		return []error{err}
	}
	var out []error
	for _, part := range list {
		out = append(out, Parts(part)...)
	}
	return out
}

// A failure is the text of an error in which names are escaped.
type failure string

func (f failure) Error() string { return string(f) }

// Printable says that names are escaped, as printable.Error asks.
func (f failure) Printable() {}

// escaped is an error whose text is fit for a terminal, part by part.
func escaped(err error) error {
	var list []error
	for _, part := range Parts(err) {
		list = append(list, failure(printable.Error(part)))
	}
	return errors.Join(list...)
}

// renamed is an error, escaped, with another name of a file in its text.
func renamed(err error, file, name string) error {
	var list []error
	for _, part := range Parts(escaped(err)) {
		list = append(list, failure(strings.ReplaceAll(part.Error(), printable.Line(file),
			printable.Line(name))))
	}
	return errors.Join(list...)
}
