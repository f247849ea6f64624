package native

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os/exec"
	"strings"
	"time"

	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/base/system"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/host"
	"github.com/sgppl/sgppl/runtime/engine/worker"
)

// Worker is the main file of a program that does the tasks of a cluster: without an argument
// it answers the requests of package worker, with one it runs a job, as Program does.
func Worker(importPath string) string {
	name := importPath[strings.LastIndexByte(importPath, '/')+1:]
	return fmt.Sprintf(`// Command %[1]s does the tasks of a cluster that evaluate one model.
package main

import (
	"os"

	"%[3]s/runtime/base/setting"
	"%[3]s/runtime/engine/host"
	"%[3]s/runtime/engine/worker"
	"%[3]s/runtime/results/run"

	compiled %[2]q
)

func main() {
	setting.Spell = func(name string) string { return "--" + name }
	if len(os.Args) > 1 {
		host.Main(compiled.Compiled, run.Child)
	}
	worker.Main(compiled.Compiled)
}
`, name, importPath, module)
}

// A child is a running program that is spoken to over its standard input and output.
type child struct {
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      *bufio.Reader
	messages messages
	gone     bool
}

// start starts a program. It ends when this process does, by the end of its input.
func start(c *exec.Cmd, env []string) (*child, error) {
	r := &child{cmd: c}
	// Others run at the same time.
	c.Env = append(env[:len(env):len(env)], "GOMAXPROCS=1")
	if n := memory.Limit(); n < math.MaxInt64 {
		c.Env = append(c.Env, fmt.Sprintf("GOMEMLIMIT=%d", n))
	}
	c.Stderr = &r.messages
	var err error
	if r.in, err = c.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	r.out = bufio.NewReaderSize(out, 1<<16)
	if err = c.Start(); err != nil {
		return nil, fmt.Errorf("the program of the model does not start: %w", err)
	}
	return r, nil
}

// Gone says that the program has ended, and cannot be used any more.
func (r *child) Gone() bool { return r.gone }

// ended is the error of a program that is gone.
func (r *child) ended(err error) error {
	r.gone = true
	r.in.Close()
	if end := r.cmd.Wait(); end != nil { // says more than the end of a file
		err = end
	}
	return &endedError{err, r.messages.String()}
}

// Close ends the program.
func (r *child) Close() error {
	r.in.Close()
	return r.cmd.Wait()
}

// messages keeps the begin of what a program writes to its standard error: a crash begins
// with its reason.
type messages struct{ strings.Builder }

const mostMessages = 4096

func (m *messages) Write(b []byte) (int, error) {
	if room := mostMessages - m.Len(); room > 0 {
		m.Builder.Write(b[:min(room, len(b))])
	}
	return len(b), nil
}

// An Engine is a running program whose main file is Worker's. One goroutine uses it at a
// time.
type Engine struct {
	*child
	sent string // digest of the shared bytes that the program has
}

// StartEngine starts a program that Build made. The error is a *StartError.
func StartEngine(program string, env []string) (*Engine, error) {
	for try := 0; ; try++ {
		c, err := start(exec.Command(program), env)
		switch {
		case err == nil:
			return &Engine{child: c}, nil
		case try < 5 && system.IsBusy(err):
			// Another goroutine started a program while the file was written.
			time.Sleep(20 * time.Millisecond)
		default:
			return nil, &StartError{err}
		}
	}
}

// Ask has the program do the work of a request with data. A *worker.Error is the work's own;
// with any other the program is gone. When ctx is cancelled the program ends.
func (e *Engine) Ask(
	ctx context.Context, constants host.Numbers, bound *data.Bound, q *worker.Request,
) ([]byte, error) {
	stop := context.AfterFunc(ctx, func() { e.cmd.Process.Kill() })
	out, err := e.ask(host.Job{Constants: constants}, bound, q)
	if cancelled := !stop(); cancelled && !e.gone {
		e.ended(ctx.Err())
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return out, err
}

func (e *Engine) ask(job host.Job, bound *data.Bound, q *worker.Request) ([]byte, error) {
	if err := worker.Ask(e.in, job, bound, q, &e.sent); err != nil {
		return nil, e.ended(err)
	}
	out, err := worker.Hear(e.out)
	if own := (*worker.Error)(nil); err != nil && !errors.As(err, &own) {
		return nil, e.ended(err)
	}
	return out, err
}
