package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sgppl/sgppl/internal/scratch"
)

func init() {
	testMain = func(m *testing.M) { testscript.Main(scratch.M{M: m}, map[string]func(){"sgppl": main}) }
}

// TestScripts runs testdata/script/*.txtar: what the program prints and which
// status it ends with. SGPPL_UPDATE=1 rewrites their golden files.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("SGPPL_UPDATE") != "",
		Setup: func(e *testscript.Env) error {
			dir, err := filepath.Abs("../../parquet/testdata")
			e.Setenv("TESTDATA", dir)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "cutchain": cutChain, "mark": mark, "restore": restore, "heldout": heldOutIs, "moments": momentsAre,
			"quantiles": quantilesAre, "lastdraws": lastDraws},
	})
}

// exits runs a command that must end with the status given first.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits N command args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
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
