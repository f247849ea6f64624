package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/results/run"
)

var quotedCommand = regexp.MustCompile("`(sgppl [^`]+)`")

// wholeCommands are the examples that take less than a second and are run as they are.
var wholeCommands = []string{"linear_regression", "beta_binomial", "eight_schools",
	"poisson_regression", "dirichlet_categorical", "vmf_posterior"}

// TestExampleCommands: the commands of examples/README.md run. Quick ones are run as
// they are and are healthy; the others take a few draws of one chain.
func TestExampleCommands(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "examples", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var commands []string
	for _, m := range quotedCommand.FindAllStringSubmatch(string(text), -1) {
		if strings.Contains(m[1], ".sg") {
			commands = append(commands, m[1])
		}
	}
	table := len(commands)
	for _, f := range fences(string(text)) {
		commands = append(commands, strings.TrimSpace(f.text))
	}
	if table < 40 || len(commands) == table {
		t.Fatalf("%d commands of the table and %d others were found", table, len(commands)-table)
	}
	out := t.TempDir()
	t.Chdir(filepath.Join("..", ".."))
	whole := 0
	for i, command := range commands {
		args := strings.Fields(command)[1:]
		model := strings.TrimSuffix(filepath.Base(args[1]), ".sg")
		dir := filepath.Join(out, "run")
		all := i < table && slices.Contains(wholeCommands, model)
		switch {
		case args[0] == "simulate":
			for k, a := range args {
				if strings.HasSuffix(a, ".json") {
					args[k] = filepath.Join(out, a)
				}
			}
		case args[0] == "approximate":
			args = append(args, "--engine", "vm", "--progress", "none", "--force", "--out", dir)
		case all:
			whole++
			args = append(args, "--engine", "vm", "--progress", "none", "--force", "--out", dir)
		default:
			args = append(args, "--engine", "vm", "--progress", "none", "--force", "--out", dir,
				"--chains", "1", "--warmup", "3", "--draws", "3", "--thin", "1")
		}
		if status, _, stderr := inProcess(t, "", args...); status != 0 {
			t.Errorf("%s: status %d\n%s", command, status, stderr)
			continue
		}
		if args[0] == "sample" {
			noInternalError(t, "predict", dir, "--mean", "--out", "-")
		}
		if !all {
			continue
		}
		r, err := run.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Health) == 0 {
			t.Errorf("%s has no health", command)
		}
		for _, h := range r.Health {
			if h.Verdict == "off" {
				t.Errorf("%s: %s of %s is off", command, h.Statistic, h.Block)
			}
		}
	}
	if whole != len(wholeCommands) {
		t.Errorf("%d examples were run whole, expected %d", whole, len(wholeCommands))
	}
}

// noInternalError runs a command, which may refuse its arguments but not fail.
func noInternalError(t *testing.T, args ...string) {
	t.Helper()
	status, _, stderr := inProcess(t, "", args...)
	if refused := status == session.ExitModel || status == session.ExitUsage ||
		status == session.ExitData; status != 0 && !refused {
		t.Errorf("%q: status %d\n%s", args, status, stderr)
	}
}
