// Package parquet reads columns of numbers from Parquet files, as the format is
// specified by the Apache Parquet project (parquet-format 2.10): flat columns,
// required or optional, of whole numbers, floats and bools; pages of version 1
// and 2, plain, with dictionaries, run lengths, deltas or split bytes;
// uncompressed, or by Snappy or gzip. All numbers come as float64.
package parquet

import "fmt"

// An Error says what of a file cannot be read.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

func fail(format string, args ...any) { panic(&Error{fmt.Sprintf(format, args...)}) }

// caught turns the panic of fail, and reading beyond a damaged page, into an
// error.
func caught(err *error) {
	switch x := recover().(type) {
	case nil:
	case *Error:
		*err = x
	case interface{ RuntimeError() }: // an index or a length of a damaged file
		*err = &Error{"the file is damaged"}
	default:
		panic(x)
	}
}
