package worker

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/host"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// Each request on the pipe is a host.Job, whose work is a header, its data, and behind them
// the shared bytes, unless the program has them. Each answer is a line of JSON, and behind it
// the bytes of the result.

// header is the request on the pipe.
type header struct {
	Request
	Digest string `json:"digest,omitempty"` // of the shared bytes, SHA-256
	Length int    `json:"length,omitempty"` // of those that follow
}

// answer is the line before a result.
type answer struct {
	Bytes int    `json:"bytes"`
	Error string `json:"error,omitempty"`
}

// An Error is the answer of a program to a request that failed. The program goes on.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

// Printable says that Error escapes names, as printable.Error asks.
func (e *Error) Printable() {}

// Main is the main program of a model that was built into a binary: it answers requests from
// the standard input, one after another, until that ends.
func Main(compiled func() (*model.Spec, model.Code)) {
	if err := Serve(os.Stdin, os.Stdout, compiled); err != nil {
		fmt.Fprintln(os.Stderr, printable.Error(err))
		os.Exit(5)
	}
}

// Serve is Main on other files. Its error is one of reading or writing. When the input ends
// while a request is worked on, the work ends: whoever asked is gone.
func Serve(r io.Reader, w io.Writer, compiled func() (*model.Spec, model.Code)) error {
	spec, code := compiled()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	in := bufio.NewReaderSize(r, 1<<16) // those that read of it take it as theirs
	var shared []byte
	more := func() bool {
		_, err := in.Peek(1)
		return err == nil
	}
	if !more() {
		return nil
	}
	for {
		job, bound, err := host.ReadJob(in)
		if err != nil {
			return err
		}
		var h header
		if err := json.Unmarshal(job.Work, &h); err != nil {
			return fmt.Errorf("request: %w", err)
		}
		if h.Length > 0 {
			shared = make([]byte, h.Length)
			if _, err := io.ReadFull(in, shared); err != nil {
				return fmt.Errorf("request: %w", err)
			}
			if sum := sha256.Sum256(shared); hex.EncodeToString(sum[:]) != h.Digest {
				return errors.New("request: its shared bytes are damaged")
			}
		}
		h.Shared = shared
		if h.Digest == "" {
			h.Shared = nil
		}
		next := make(chan bool, 1)
		go func() { // nothing else reads while the work is done
			there := more()
			if !there {
				cancel()
			}
			next <- there
		}()
		out, err := work(ctx, spec, code, job, bound, &h.Request)
		if err := reply(w, out, err); err != nil {
			return err
		}
		if !<-next {
			return nil
		}
	}
}

// work binds the model to the data of a request, and does the work.
func work(
	ctx context.Context, spec *model.Spec, code model.Code, job host.Job, bound *data.Bound,
	q *Request,
) ([]byte, error) {
	m, err := model.New(spec, code, bound, job.Constants)
	if err != nil {
		return nil, err
	}
	return Do(ctx, m, q)
}

// reply writes an answer.
func reply(w io.Writer, out []byte, wrong error) error {
	a := answer{Bytes: len(out)}
	if wrong != nil {
		a, out = answer{Error: printable.Error(wrong)}, nil
	}
	line, err := json.Marshal(a)
	if err != nil {
		return err
	}
	if _, err = w.Write(append(append(line, '\n'), out...)); err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	return nil
}

// Ask sends a request with its data to a program. sent is the digest of the shared bytes that
// the program has; it is set to that of the request's.
func Ask(w io.Writer, job host.Job, bound *data.Bound, q *Request, sent *string) error {
	h := header{Request: *q}
	if q.Shared != nil {
		sum := sha256.Sum256(q.Shared)
		if h.Digest = hex.EncodeToString(sum[:]); h.Digest != *sent {
			h.Length = len(q.Shared)
		}
	}
	var err error
	if job.Work, err = json.Marshal(h); err != nil {
		return err
	}
	if err := host.WriteJob(w, job, bound); err != nil {
		return err
	}
	if h.Length > 0 {
		if _, err := w.Write(q.Shared); err != nil {
			return err
		}
		*sent = h.Digest
	}
	return nil
}

// Hear reads the answer of a program. An *Error is one of the work; with any other the
// program cannot be used any more.
func Hear(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	var a answer
	if err := json.Unmarshal(line, &a); err != nil || a.Bytes < 0 {
		return nil, errors.New("the answer of the program of the model cannot be read")
	}
	if a.Error != "" {
		return nil, &Error{a.Error}
	}
	out := make([]byte, a.Bytes)
	if _, err := io.ReadFull(r, out); err != nil {
		return nil, err
	}
	return out, nil
}
