package main

import (
	"bytes"
	"os"
	"os/exec"
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

// testMain runs the tests; scripts put their own in its place.
var testMain = func(m *testing.M) { os.Exit(scratch.M{M: m}.Run()) }

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
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
