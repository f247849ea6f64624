package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/commandline"
	"github.com/sgppl/sgppl/internal/native"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
)

// faultData are files of the runs: two models, of few parameters since each is a
// file or more of every store, and their data.
var faultData = map[string]string{
	"b.sg": "dim N\ndata x[N], y[N] : real\nparam b[2] : real ~ normal(0, 1)\n" +
		"for n in N { y[n] ~ normal(b[0] + b[1] * x[n], 1) }\n",
	"a.sg": "dim N\ndata x[N], y[N] : real\nparam a : real ~ normal(0, 1)\n" +
		"for n in N { y[n] ~ normal(a * x[n], 1) }\n",
	"d.json": `{"x": [1, 2, 3, 4, 5, 6], "y": [2, 4.1, 5.9, 8, 9, 12]}`,
	"h.json": `{"x": [7, 8], "y": [13, 17]}`,
	"l.sg": "dim N\ndata x[N] : real\ndata y[N] : bool\nparam a : real ~ normal(0, 1)\n" +
		"for n in N { y[n] ~ bernoulli_logit(a * x[n]) }\n",
	"l.csv": "x,y\n" + strings.Repeat("1,1\n-1,0\n2,1\n-0.5,1\n0.3,0\n1.5,0\n", 20),
	"d.csv": "x,y\n1,2\n2,4.1\n3,5.9\n4,8\n5,9\n6,12\n",
}

// faultKinds are short runs of each kind. What a kind does again and again it does
// twice at least: every chain stores two chunks and two checkpoints or more.
var faultKinds = []faultKind{
	{"vm", "sample b.sg --data d.json --sampler sgld --step 0.01 --batch N=3 --chains 2 --warmup " +
		"1 --draws 4 --thin 1 --chunk 2 --held-out h.json", true},
	{"stream", "sample a.sg --data d.csv --stream --cache --block-rows 2 --sampler msgnht --step " +
		"0.01 --friction 10 --batch N=2 --chains 1 --warmup 2 --draws 4 --thin 2 --chunk 2 " +
		"--save-warmup", true},
	{"follow", "sample a.sg --data d.csv --stream --follow --block-rows 2 --sampler sgld --step " +
		"0.01 --batch N=2 --chains 1 --warmup 2 --draws 4 --thin 2 --chunk 2", true},
	{"moments", "sample a.sg --data d.json --sampler sgld --step 0.01 --batch N=3 --chains 1 " +
		"--warmup 1 --draws 5 --thin 1 --chunk 2 --keep moments --reservoir 4 --sketch 8", false},
	{"last", "sample a.sg --data d.json --sampler sgld --step 0.01 --batch N=3 --chains 1 " +
		"--warmup 1 --draws 6 --thin 1 --chunk 2 --keep last=4", false},
	{"optimize", "optimize a.sg --data d.json --algorithm adam --step 0.05 --batch N=3 --steps 8 " +
		"--trace --iterates 2 --chains 2", false},
	{"log-lik", "sample a.sg --data d.json --sampler hmc --step 0.1 --leapfrog 2 --chains 1 " +
		"--warmup 2 --draws 4 --chunk 2 --log-lik", true},
	{"anchor", "sample l.sg --data l.csv --sampler sghmc --anchor mode --chains 1 --draws 4 --chunk 2",
		true},
}

// A faultKind is a run by its command line.
type faultKind struct {
	name string
	args string
	// draws appear in their order: those of a run that was stopped are the first of the whole run's
	prefix bool
}

// moreRows are appended to the rows of a run with --follow when it begins.
const moreRows = "7,14\n8,15\n9,18.5\n"

// faultArgs are the arguments of a run, whose files it makes in dir.
func faultArgs(t *testing.T, line, dir string) []string {
	t.Helper()
	for name, text := range faultData {
		write(t, filepath.Join(dir, name), text)
	}
	args := strings.Fields(line)
	for i, a := range args {
		if faultData[a] != "" {
			args[i] = filepath.Join(dir, a)
		}
	}
	if args[0] == "sample" {
		args = append(args, "--init", "0")
	}
	return args
}

// faulty runs the program on a file system, by a clock that goes on by a
// millisecond whenever it is read.
func faulty(on disk.FS, args ...string) (status int, messages string) {
	return faultyEngine(on, nil, args...)
}

func faultyEngine(
	on disk.FS, engine func(native.Source) native.Source, args ...string,
) (status int, messages string) {
	return inFaultyEnv(execute,
		&session.Session{Disk: on, Engine: engine,
			Interrupts: func(func()) func() { return func() {} }}, args...)
}

// inFaultyEnv runs the program in an environment of which disk, engine and interrupts
// are given, and the clock may be.
func inFaultyEnv(
	program func(*session.Session) int, e *session.Session, args ...string,
) (status int, messages string) {
	var out, err bytes.Buffer
	if e.Now == nil {
		e.Now = ticks(time.Millisecond)
	}
	e.Stdin, e.Stdout, e.Stderr, e.Args = strings.NewReader(""), &out, &err, args
	e.Getenv, e.Environ, e.Quit = os.Getenv, os.Environ(), func(int) {}
	return program(e), err.String()
}

// ticks is a clock that goes on by d whenever it is read.
func ticks(d time.Duration) func() time.Time {
	var now atomic.Int64
	return func() time.Time { return time.Unix(0, now.Add(int64(d))) }
}

// A commandLine is one that was read.
type commandLine struct {
	*line
	read cli // what cli was when it was read
	ctx  *commandline.Context
}

// commandLines are those that again has read: to read one takes longer than the run.
var commandLines = map[string]*commandLine{}

// again is execute, and reads a command line once.
func again(e *session.Session) int {
	return e.Guarded(func() int {
		key := strings.Join(e.Args, "\x00")
		c := commandLines[key]
		if c == nil {
			l := newLine(onlyCommand(e.Args))
			ctx, code := l.parse(e)
			if ctx == nil {
				return code
			}
			c = &commandLine{l, l.cli, ctx}
			commandLines[key] = c
		}
		c.cli = c.read
		return perform(e, &c.cli, c.ctx)
	})
}
