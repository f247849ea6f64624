package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/scratch"
	"github.com/sgppl/sgppl/internal/session"
)

// asProgram in the environment makes the test binary the program itself, for
// tests that kill it or need its own process.
const asProgram = "SGPPL_AS_PROGRAM"

// pauseAt in the environment of the program is the name of a file: once one of that name was put
// in its place the program waits, until there is a file with the path in goOnAt.
const pauseAt, goOnAt = "SGPPL_PAUSE_AT", "SGPPL_GO_ON_AT"

// testMain runs the tests; scripts put their own in its place.
var testMain = func(m *testing.M) { os.Exit(scratch.M{M: m}.Run()) }

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		if name := os.Getenv(pauseAt); name != "" {
			os.Exit(execute(pausing(name, os.Getenv(goOnAt))))
		}
		main()
	}
	// Hundreds of runs are made here, each of which keeps little. GOGC is set as well, or the first
	// run that reads rows as it needs them would make the heap of all later ones grow by half only.
	os.Setenv("GOGC", "400")
	debug.SetGCPercent(400)
	testMain(m)
}

// program is a command that runs sgppl in a process of its own.
func program(t testing.TB, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Dir = dir
	cmd.Env = append(slices.DeleteFunc(os.Environ(),
		func(v string) bool { return strings.HasPrefix(v, "GOGC=") }), asProgram+"=1")
	return cmd
}

// pausing is the environment of this process, whose disk waits as pauseAt says.
func pausing(name, until string) *session.Session {
	e := session.ProcessEnv()
	e.Disk = atMoment(name, 1, func() bool {
		for {
			if _, err := os.Stat(until); err == nil {
				return false
			}
			time.Sleep(2 * time.Millisecond)
		}
	})
	return e
}

// pauses has a program of the tests wait at a file, as pauseAt says, and returns the function that
// lets it go on.
func pauses(t testing.TB, cmd *exec.Cmd, name string) (goOn func()) {
	t.Helper()
	until := filepath.Join(t.TempDir(), "on")
	cmd.Env = append(cmd.Env, pauseAt+"="+name, goOnAt+"="+until)
	return func() { write(t, until, "") }
}

// appears waits for a file that another process makes.
func appears(t testing.TB, path string) {
	t.Helper()
	for range 60000 { // two minutes, which only a failure takes
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
	t.Fatalf("%s does not appear", path)
}

// inProcess runs sgppl here and returns its status and output.
func inProcess(t testing.TB, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	e := &session.Session{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &err, Args: args,
		Getenv: func(string) string { return "" },
		Now:    time.Now, Interrupts: func(func()) func() { return func() {} }, Quit: func(int) {}}
	status = execute(e)
	return status, out.String(), err.String()
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
