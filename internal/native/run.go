package native

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/host"
)

// Program makes the main function of a model: it runs the jobs of package host
// by run.Child. Its messages name settings as flags, like those of the command.
func Program(importPath string) string {
	name := importPath[strings.LastIndexByte(importPath, '/')+1:]
	return fmt.Sprintf(`// Command %[1]s samples one model.
package main

import (
	"%[3]s/runtime/base/setting"
	"%[3]s/runtime/engine/host"
	"%[3]s/runtime/results/run"

	compiled %[2]q
)

func main() {
	setting.Spell = func(name string) string { return "--" + name }
	host.Main(compiled.Compiled, run.Child)
}
`, name, importPath, module)
}

// An ExitError is the failure of a child: its message and exit status are those
// that the same work has in process.
type ExitError struct {
	Code    int
	Message string
}

func (e *ExitError) Error() string { return e.Message }

// Printable says that the program escapes its messages, as printable.Error asks.
func (e *ExitError) Printable() {}

// Exit is the status of the program that this error ends.
func (e *ExitError) Exit() int { return e.Code }

// checkpointEvent begins the line of the event after which a child waits for an answer.
const checkpointEvent = `{"event":"checkpoint"`

// grace is how long a child that was told to stop may take for its checkpoints,
// and a build for the compilation at hand.
const grace = 20 * time.Second

// Run gives a job to a program that Build made and waits for its end. event is
// called with every line that the child writes, without its end. When ctx is
// cancelled the child is interrupted and leaves its checkpoints; the error is
// then that of ctx. The child ends likewise when this process does. A job that holds at its
// checkpoints goes on when event has returned.
func Run(
	ctx context.Context, program string, job host.Job, bound *data.Bound, event func(line []byte),
) error {
	file, err := spool(job, bound)
	if err != nil {
		return &StartError{err}
	}
	defer os.Remove(file.Name())
	defer file.Close()
	c := exec.CommandContext(ctx, program)
	giveJob(c, file)
	if n := memory.Limit(); n < math.MaxInt64 {
		c.Env = append(c.Environ(), fmt.Sprintf("GOMEMLIMIT=%d", n))
	}
	var messages bytes.Buffer
	c.Stderr = &messages
	stdin, err := c.StdinPipe() // its other end lives as long as this process
	if err != nil {
		return err
	}
	defer stdin.Close()
	c.Cancel = func() error {
		err := c.Process.Signal(os.Interrupt)
		switch {
		case err == nil:
			return nil
		case job.Attached: // where there are no signals the end of its input says the same
			return stdin.Close()
		}
		return c.Process.Kill()
	}
	c.WaitDelay = grace
	stdout, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return &StartError{fmt.Errorf("%s does not start: %w", program, err)}
	}
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		if event != nil {
			event(lines.Bytes())
		}
		if bytes.HasPrefix(lines.Bytes(), []byte(checkpointEvent)) {
			io.WriteString(stdin, "\n") // the child is gone, or reads it
		}
	}
	broken := lines.Err() // of a line that is too long: the child may wait for an answer to it
	if broken != nil {
		c.Process.Kill()
	}
	io.Copy(io.Discard, stdout)
	err = c.Wait()
	var exit *exec.ExitError
	switch {
	case broken != nil && ctx.Err() == nil:
		return &endedError{fmt.Errorf("its report cannot be read: %w", broken), messages.String()}
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return &ExitError{exit.ExitCode(), strings.TrimRight(messages.String(), "\n")}
	}
	return &endedError{err, messages.String()}
}

// An endedError says that a program of a model ended early. Its message has the last
// lines that the program wrote.
type endedError struct {
	err    error
	output string
}

func (e *endedError) Error() string {
	return fmt.Sprintf("the program of the model ended: %v\n%s", e.err,
		strings.TrimRight(e.output, "\n"))
}

// Printable says that programs escape what they write, as printable.Error asks.
func (e *endedError) Printable() {}

func (e *endedError) Unwrap() error { return e.err }

// A StartError says that an engine could not be started: the VM can be used in its
// place, since nothing has been done.
type StartError struct{ Err error }

func (e *StartError) Error() string { return "the engine cannot be started: " + e.Err.Error() }
func (e *StartError) Unwrap() error { return e.Err }

// Exit is the status of the program that this error ends.
func (e *StartError) Exit() int { return 5 }

// spool writes the job to a temporary file, and returns it at its beginning.
func spool(job host.Job, bound *data.Bound) (file *os.File, err error) {
	job.Attached = true
	file, err = os.CreateTemp("", "sgppl-job-")
	if err != nil {
		return nil, fmt.Errorf("there is no place for its data: %w; TMPDIR names another", err)
	}
	if err = host.WriteJob(file, job, bound); err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		file.Close()
		os.Remove(file.Name())
		return nil, fmt.Errorf("its data cannot be written: %w; TMPDIR names another place", err)
	}
	return file, nil
}
