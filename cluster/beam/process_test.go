package beam

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/sgppl/sgppl/cluster/front"
	"github.com/sgppl/sgppl/cluster/pass"
)

// dieOnce names a file: a worker that can make it dies when it has done two tasks.
const dieOnce = "SGPPL_TEST_DIE_ONCE"

// TestMain runs the tests, or, where a runner starts this binary, a worker.
func TestMain(m *testing.M) {
	if !IsWorker(os.Args[1:]) {
		os.Exit(m.Run())
	}
	if marker := os.Getenv(dieOnce); marker != "" {
		var done atomic.Int32
		opened = func(e *pass.Env) {
			e.Told = func(pass.Task, *pass.Done) {
				if done.Add(1) < 2 {
					return
				}
				f, err := os.OpenFile(marker, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
				if err != nil {
					return // another died before
				}
				f.Close()
				if self, err := os.FindProcess(os.Getpid()); err == nil {
					self.Kill()
				}
				select {} // until the signal comes
			}
		}
	}
	if err := Worker(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// limited ends a job that a lost worker would leave running for ever.
func limited(t *testing.T) context.Context {
	ctx, stop := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(stop)
	return ctx
}

func self(t *testing.T) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// Each kind of pass has the same bits in a worker process as by a loop: on prism in this process,
// and through the job service of a runner.
func TestProcesses(t *testing.T) {
	loop := results(t, environment(t), front.Loop{Workers: 2})
	f := Processes{Program: self(t)}
	if got := results(t, environment(t), f); !bytes.Equal(loop, got) {
		t.Errorf("%d bytes by a loop and %d in a process differ", len(loop), len(got))
	}
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	f.Endpoint = l.Addr().String()
	l.Close()
	_, port, err := net.SplitHostPort(f.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	var number int
	fmt.Sscan(port, &number)
	if _, err := prism.CreateJobServer(limited(t), prism.Options{Port: number}); err != nil {
		t.Fatal(err)
	}
	f.Endpoint = "localhost:" + port
	if got := results(t, environment(t), f); !bytes.Equal(loop, got) {
		t.Errorf("%d bytes by a loop and %d by a job service differ", len(loop), len(got))
	}
	if got := results(t, environment(t), Prism{}); !bytes.Equal(loop, got) {
		t.Error("prism in this process differs when it comes after processes")
	}
}

// A worker that is killed ends the pass on prism with an error. The same pass does what is left,
// with the same results.
func TestWorkerKilled(t *testing.T) {
	marker := filepath.Join(t.TempDir(), "died")
	t.Setenv(dieOnce, marker)
	want := results(t, environment(t), front.Loop{Workers: 2})
	e, f := environment(t), Processes{Program: self(t)}
	n := len(e.Run.Manifest.Shards)
	if n < 4 {
		t.Fatalf("%d shards", n)
	}
	run := func() error {
		return e.Pass(limited(t), f, 1, "sizes", n, nil, func(int, []byte) error { return nil })
	}
	if err := run(); err == nil || !strings.Contains(err.Error(), "prism") {
		t.Fatalf("a worker was killed: %v", err)
	}
	if _, err := os.Stat(marker); err != nil {
		t.Fatal(err)
	}
	due, err := e.Due(t.Context(), "pass/001-sizes", n)
	if err != nil || len(due) > n-2 { // others may have ended before the signal came
		t.Errorf("%d of %d tasks are left, %v", len(due), n, err)
	}
	if err := run(); err != nil {
		t.Fatal(err)
	}
	if got := results(t, e, f); !bytes.Equal(got, want) {
		t.Error("the results differ")
	}
}

// Arguments that no runner gives are errors.
func TestWorkerArguments(t *testing.T) {
	for _, args := range [][]string{{"--worker"}, {"--id=a"}, {"--id='a'", "--other=1"},
		{"--worker=true", "--control_endpoint=localhost:1"}} {
		if err := Worker(t.Context(), args); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
	for _, args := range [][]string{nil, {"score", "--worker"}, {"task", "--id=3"}} {
		if IsWorker(args) {
			t.Errorf("%q are those of a worker", args)
		}
	}
}
