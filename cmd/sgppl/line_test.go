package main

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
)

// TestLineForgets: a line that has read other command lines, right and wrong ones, reads
// the next as a new line does; so does a line of one command.
func TestLineForgets(t *testing.T) {
	used := newLine("")
	read := func(l *line, args string) (values []reflect.Value, given []string, status int,
		said string) {
		var out bytes.Buffer
		e := &session.Session{Args: strings.Fields(args), Stdout: &out, Stderr: &out}
		defer func() { // --help and --version leave
			if left := recover(); left != nil {
				status, said = int(left.(session.Leave)), out.String()
			}
		}()
		ctx, status := l.parse(e)
		if ctx == nil {
			return nil, nil, status, out.String()
		}
		for _, f := range ctx.Flags() {
			values = append(values, f.Target)
			if f.Set {
				given = append(given, f.Name)
			}
		}
		return values, given, status, out.String()
	}
	ones := map[string]*line{}
	for _, args := range []string{
		"sample m.sg --data a.json --data b.json --step 0.5 --set N=3 --chains 7 --sampler sgld " +
			"--stream --log-lik",
		"sample m.sg", "optimize m.sg --steps 5 --step 3", "sample", "sample --no-such-flag",
		"optimize m.sg",
		"sample --resume r", "summary r --vars a --vars b --json", "summary r", "loo a b --save",
		"sample --help", "loo -h", "version --sbom", "sample m.sg --version", "fmt --no-such", "check",
		"optimize m.sg --sampler nuts", "sample m.sg extra", "play --port", "verify",
		"loo a", "sample m.sg --step x", "sample m.sg",
	} {
		want, wantGiven, wantStatus, wantSaid := read(newLine(""), args)
		command, _, _ := strings.Cut(args, " ")
		if onlyCommand(strings.Fields(args)) != command {
			t.Errorf("%s: all commands are made for it", args)
		}
		if ones[command] == nil {
			ones[command] = newLine(command)
		}
		for _, l := range []*line{used, ones[command]} {
			got, given, status, said := read(l, args)
			if status != wantStatus || said != wantSaid || !reflect.DeepEqual(given, wantGiven) ||
				len(got) != len(want) {
				t.Fatalf("%s: status %d, %q given, %s\na new line: status %d, %q given, %s", args,
					status, given, said, wantStatus, wantGiven, wantSaid)
			}
			for i := range want {
				if !reflect.DeepEqual(got[i].Interface(), want[i].Interface()) {
					t.Errorf("%s: value %d is %v, of a new line %v", args, i, got[i], want[i])
				}
			}
		}
	}
}

// TestOnlyCommand: a line of one command is made where no other command is needed.
func TestOnlyCommand(t *testing.T) {
	for args, want := range map[string]string{"sample m.sg": "sample", "man": "", "": "",
		"completion bash": "", "--help": "", "no-such": "", "Sample m.sg": "", "globals": "",
		"maxmemory": "", "sample m.sg --config c.toml": "", "sample m.sg --config=c.toml": "",
		"lsp": "lsp"} {
		if got := onlyCommand(strings.Fields(args)); got != want {
			t.Errorf("%q: %q, want %q", args, got, want)
		}
	}
}
