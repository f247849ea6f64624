// Package device has the steps of chains taken by the program sgppl-cuda, on an NVIDIA GPU: it
// makes the job of a model, starts the program, and hands steps and states to and fro.
package device

import (
	"encoding/gob"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/sgppl/sgppl/internal/companion"
	"github.com/sgppl/sgppl/internal/device/wire"
)

// Program is the name of the program.
const Program = "sgppl-cuda"

// A Failure is a device that is not there or cannot do what is asked of it.
type Failure struct {
	Code string // of the table of settings' codes
	Text string
}

func (e *Failure) Error() string { return e.Text }

// Exit is the status of the program that this error ends.
func (e *Failure) Exit() int { return 5 }

// missing is the code of a device that is not there.
const missing = "S0112"

func failure(format string, args ...any) error {
	return &Failure{missing, "--device cuda: " + fmt.Sprintf(format, args...)}
}

// A client is the program while it runs.
type client struct {
	process *exec.Cmd
	in      io.WriteCloser
	to      *gob.Encoder
	from    *gob.Decoder
	said    *tail
}

// start starts the program.
func start() (*client, error) {
	path, err := companion.Find(Program)
	if err != nil {
		return nil, failure("the program %s, which drives the GPU, is not beside sgppl and not on "+
			"the PATH; install it: go install github.com/sgppl/sgppl/cuda/cmd/%s", Program, Program)
	}
	c := &client{process: exec.Command(path, "serve"), said: &tail{}}
	if c.in, err = c.process.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.process.Stderr = c.said
	if err := c.process.Start(); err != nil {
		return nil, failure("%s cannot be started: %v", path, err)
	}
	c.to, c.from = gob.NewEncoder(c.in), gob.NewDecoder(out)
	return c, nil
}

// ask sends a request and waits for the reply.
func (c *client) ask(q *wire.Request) (*wire.Reply, error) {
	q.Version = wire.Version
	var r wire.Reply
	err := c.to.Encode(q)
	if err == nil {
		err = c.from.Decode(&r)
	}
	if err != nil {
		text := strings.TrimSpace(string(c.said.b))
		if text == "" {
			text = err.Error()
		}
		return nil, failure("%s ended: %s", Program, text)
	}
	if r.Problem != nil {
		return nil, failure("%s", r.Problem.Text)
	}
	return &r, nil
}

// close ends the program.
func (c *client) close() {
	c.in.Close()
	c.process.Wait() // whatever it says now, nobody needs it any more
}

// A tail keeps the last bytes that are written to it.
type tail struct{ b []byte }

func (t *tail) Write(b []byte) (int, error) {
	t.b = append(t.b, b...)
	if most := 4096; len(t.b) > most {
		t.b = t.b[len(t.b)-most:]
	}
	return len(b), nil
}
