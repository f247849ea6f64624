package replicate

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/engine/host"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// An Answer is what a child says to one job.
type Answer struct {
	Kept  *Kept  `json:"kept,omitempty"`
	Error string `json:"error,omitempty"` // of this posterior; others may go well
}

// Main is the main program of a model that was built as a separate binary: it reads jobs from
// standard input, one after another, and answers each with a line of JSON, until its input ends.
func Main(compiled func() (*model.Spec, model.Code)) {
	if err := Serve(os.Stdin, os.Stdout, compiled); err != nil {
		fmt.Fprintln(os.Stderr, printable.Error(err))
		os.Exit(5)
	}
}

// Serve is Main on other files. Its error is one of reading or writing.
func Serve(r io.Reader, w io.Writer, compiled func() (*model.Spec, model.Code)) error {
	spec, code := compiled()
	in := bufio.NewReaderSize(r, 1<<16) // those that read of it take it as theirs
	for {
		if _, err := in.Peek(1); errors.Is(err, io.EOF) {
			return nil
		}
		job, bound, err := host.ReadJob(in)
		if err != nil {
			return err
		}
		var work Work
		if err := json.Unmarshal(job.Work, &work); err != nil {
			return fmt.Errorf("job: %w", err)
		}
		var a Answer
		m, err := model.New(spec, code, bound, job.Constants)
		if err == nil {
			a.Kept, err = Sample(context.Background(), m, work)
		}
		if err != nil {
			a = Answer{Error: err.Error()}
		}
		line, err := json.Marshal(a)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
}
