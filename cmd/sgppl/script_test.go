package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sgppl/sgppl/internal/scratch"
	"github.com/sgppl/sgppl/internal/session"
)

func init() {
	testMain = func(m *testing.M) {
		testscript.Main(scratch.M{M: m}, map[string]func(){"sgppl": main})
	}
}

// TestScripts runs testdata/script/*.txtar: what the program prints and which
// status it ends with. SGPPL_UPDATE=1 rewrites their golden files.
func TestScripts(t *testing.T) {
	scripts(t, filepath.Join("testdata", "script"))
}

// scripts runs the scripts of a directory.
func scripts(t *testing.T, dir string) {
	testscript.RunT(serial{t}, testscript.Params{
		Dir:                 dir,
		UpdateScripts:       os.Getenv("SGPPL_UPDATE") != "",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			dir, err := filepath.Abs("../../parquet/testdata")
			e.Setenv("TESTDATA", dir)
			e.Values[environ{}] = slices.Clone(e.Vars)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "cutchain": cutChain, "mark": mark, "restore": restore,
			"heldout": heldOutIs, "moments": momentsAre, "quantiles": quantilesAre,
			"lastdraws": lastDraws, "gzip": compress, "cut": cut, "flip": flip,
		},
	})
}

// serial is a test whose scripts run one after another: each has the working directory
// of the process while it runs the program.
type serial struct{ *testing.T }

func (serial) Parallel() {}

func (s serial) Run(name string, f func(testscript.T)) {
	s.T.Run(name, func(t *testing.T) { f(serial{t}) })
}

func (s serial) Verbose() bool { return testing.Verbose() }

// environ is the key of the environment of a script.
type environ struct{}

// exits runs a command that must end with the status given first. It runs sgppl in this
// process, which takes a third of the time; exec runs it as a program.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits N command args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if args[1] == "sgppl" {
		got = scripted(ts, args[2:])
	} else if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Check(err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("status %d, want %d", got, want)
	}
}

// scripted runs sgppl where a script is, with its environment, and returns the status.
func scripted(ts *testscript.TestScript, args []string) int {
	back, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer os.Chdir(back)
	return execute(&session.Session{
		Stdin: strings.NewReader(""), Stdout: ts.Stdout(), Stderr: ts.Stderr(), Args: args,
		Getenv: ts.Getenv, Environ: ts.Value(environ{}).([]string), Now: time.Now,
		Interrupts: func(func()) func() { return func() {} }, Quit: func(int) {},
	})
}
