package native

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/sgppl/sgppl/runtime/data"
	"github.com/sgppl/sgppl/runtime/host"
)

// Program makes the main function of a model: it runs the jobs of package host
// by run.Child.
func Program(importPath string) string {
	name := importPath[strings.LastIndexByte(importPath, '/')+1:]
	return fmt.Sprintf(`// Command %[1]s samples one model.
package main

import (
	"%[3]s/runtime/host"
	"%[3]s/runtime/run"

	compiled %[2]q
)

func main() { host.Main(compiled.Compiled, run.Child) }
`, name, importPath, module)
}

// An ExitError is the failure of a child: its message and exit status are those
// that the same work has in process.
type ExitError struct {
	Code    int
	Message string
}

func (e *ExitError) Error() string { return e.Message }

// Exit is the status of the program that this error ends.
func (e *ExitError) Exit() int { return e.Code }

// grace is how long a child that was told to stop may take for its checkpoints,
// and a build for the compilation at hand.
const grace = 20 * time.Second

// Run gives a job to a program that Build made and waits for its end. event is
// called with every line that the child writes, without its end. When ctx is
// cancelled the child is interrupted and leaves its checkpoints; the error is
// then that of ctx. The child ends likewise when this process does.
func Run(ctx context.Context, program string, job host.Job, bound *data.Bound, event func(line []byte)) error {
	path, err := spool(job, bound)
	if err != nil {
		return err
	}
	defer os.Remove(path)
	c := exec.CommandContext(ctx, program, path)
	c.Cancel = func() error {
		if err := c.Process.Signal(os.Interrupt); err != nil {
			return c.Process.Kill() // where there are no signals
		}
		return nil
	}
	c.WaitDelay = grace
	var messages bytes.Buffer
	c.Stderr = &messages
	stdin, err := c.StdinPipe() // its other end lives as long as this process
	if err != nil {
		return err
	}
	defer stdin.Close()
	stdout, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return fmt.Errorf("the program of the model does not start: %w", err)
	}
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		if event != nil {
			event(lines.Bytes())
		}
	}
	io.Copy(io.Discard, stdout)
	err = c.Wait()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return &ExitError{exit.ExitCode(), strings.TrimRight(messages.String(), "\n")}
	}
	return fmt.Errorf("the program of the model ended: %w\n%s", err, messages.String())
}

// spool writes the job to a file.
func spool(job host.Job, bound *data.Bound) (path string, err error) {
	job.Attached = true
	file, err := os.CreateTemp("", "sgppl-job-")
	if err != nil {
		return "", err
	}
	err = errors.Join(host.WriteJob(file, job, bound), file.Close())
	if err != nil {
		os.Remove(file.Name())
		return "", err
	}
	return file.Name(), nil
}
