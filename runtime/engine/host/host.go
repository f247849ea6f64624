// Package host is the main program of a model that was built as a separate binary: it reads a job,
// binds the model to the job's data and runs what the parent would have run in process.
//
// A job is one file: a line of JSON, then the data as a spool, then those that
// are held out of the run, if there are some, as another. The child
// writes events to its standard output, messages to its standard error, and
// ends with the exit status of the error, if there is one. SIGINT, SIGTERM
// and, for an attached job, the end of its standard input cancel the run.
package host

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"syscall"

	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/stream"
)

// A Job is the work of a child process.
type Job struct {
	// Constants replace derived values, as for model.New.
	Constants Numbers `json:"constants,omitempty"`
	// Held are rows held out of a run, the data of the model's HeldOut, and
	// HeldConstants replace derived values of theirs. They follow the data.
	Held          *data.Bound `json:"-"`
	HeldConstants Numbers     `json:"held_constants,omitempty"`
	HasHeld       bool        `json:"held,omitempty"` // WriteJob sets it
	// Index is the file that says where rows are which are read as they are
	// needed; "" where all are in the data.
	Index string `json:"index,omitempty"`
	// Attached says that the child's standard input lives as long as the
	// parent: its end means that the parent is gone.
	Attached bool `json:"attached,omitempty"`
	// Work is for the function that runs the job.
	Work json.RawMessage `json:"work"`
}

// Numbers are arrays by name. JSON has their bits, since it has no infinity.
type Numbers map[string][]float64

// MarshalJSON implements json.Marshaler.
func (n Numbers) MarshalJSON() ([]byte, error) {
	out := make(map[string][]uint64, len(n))
	for name, x := range n {
		bits := make([]uint64, len(x))
		for i, f := range x {
			bits[i] = math.Float64bits(f)
		}
		out[name] = bits
	}
	return json.Marshal(out)
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *Numbers) UnmarshalJSON(b []byte) error {
	var in map[string][]uint64
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*n = make(Numbers, len(in))
	for name, bits := range in {
		x := make([]float64, len(bits))
		for i, u := range bits {
			x[i] = math.Float64frombits(u)
		}
		(*n)[name] = x
	}
	return nil
}

// A Run does the work of a job with the model bound to its data.
type Run func(ctx context.Context, m *model.Model, work json.RawMessage, events io.Writer) error

// WriteJob writes the file that a child reads.
func WriteJob(w io.Writer, j Job, bound *data.Bound) error {
	j.HasHeld = j.Held != nil
	line, err := json.Marshal(j)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(line, '\n')); err != nil {
		return err
	}
	if err := data.Write(w, bound); err != nil || j.Held == nil {
		return err
	}
	return data.Write(w, j.Held)
}

// ReadJob reads what WriteJob wrote.
func ReadJob(r io.Reader) (Job, *data.Bound, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	var j Job
	line, err := in.ReadBytes('\n')
	if err != nil {
		return j, nil, fmt.Errorf("job: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&j); err != nil {
		return j, nil, fmt.Errorf("job: %w", err)
	}
	bound, err := data.Read(in)
	if err == nil && j.HasHeld {
		j.Held, err = data.Read(in)
	}
	return j, bound, err
}

// Inherited is the argument that tells a program that its job is the file with descriptor 3, the
// first after the standard three, which it inherited.
const Inherited = "fd:3"

func openJob(name string) (*os.File, error) {
	if name != Inherited {
		return os.Open(name)
	}
	return os.NewFile(3, "job"), nil
}

// Main runs the job that the program's only argument names, a path or Inherited,
// and ends the process.
func Main(compiled func() (*model.Spec, model.Code), run Run) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := serve(ctx, os.Args[1:], os.Stdin, os.Stdout, compiled, run)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, printable.Error(err))
	}
	os.Exit(Status(err))
}

func serve(
	ctx context.Context, args []string, stdin io.Reader, stdout io.Writer,
	compiled func() (*model.Spec, model.Code), run Run,
) error {
	spec, code := compiled()
	if len(args) != 1 {
		return fmt.Errorf("this is the model %s built by sgppl %s; it wants one argument, a job",
			spec.Name, spec.Version)
	}
	file, err := openJob(args[0])
	if err != nil {
		return err
	}
	memory.Tight() // from here on data and states are most of what there is
	job, bound, err := ReadJob(file)
	file.Close()
	if err != nil {
		return err
	}
	m, err := bind(spec, code, bound, &job)
	if err != nil {
		return err
	}
	if job.Held != nil {
		if m.HeldOut, err = model.New(spec, code, job.Held, job.HeldConstants); err != nil {
			return err
		}
	}
	bound, job.Held = nil, nil // the models have what they need of them
	memory.Settle()
	if job.Attached {
		attached, cancel := context.WithCancel(ctx)
		defer cancel()
		p := &parent{stdout, make(chan struct{}, 1)}
		go func() {
			p.listen(stdin)
			cancel()
		}()
		return run(attached, m, job.Work, p)
	}
	return run(ctx, m, job.Work, stdout)
}

// A parent is what events of an attached job are written to. It can answer.
type parent struct {
	io.Writer
	answers chan struct{} // closed when the parent is gone
}

// listen reads lines of the parent until they end.
func (p *parent) listen(from io.Reader) {
	for in := bufio.NewScanner(from); in.Scan(); {
		select {
		case p.answers <- struct{}{}:
		default: // nobody asked
		}
	}
	close(p.answers)
}

// Wait waits until the parent has written a line, or is gone.
func (p *parent) Wait() { <-p.answers }

// bind binds the model to the data of the job.
func bind(spec *model.Spec, code model.Code, bound *data.Bound, job *Job) (*model.Model, error) {
	if job.Index == "" {
		return model.New(spec, code, bound, job.Constants)
	}
	rows, err := stream.OpenFile(job.Index, &spec.Schema, bound.Values)
	if err != nil {
		return nil, err
	}
	return model.Stream(spec, code, bound, job.Constants, rows)
}

// Status is the exit status of an error: its own, 130 for an interrupted run,
// else 5; 0 for none.
func Status(err error) int {
	var own interface{ Exit() int }
	switch {
	case err == nil:
		return 0
	case errors.As(err, &own):
		return own.Exit()
	case errors.Is(err, context.Canceled):
		return 130
	}
	return 5
}
