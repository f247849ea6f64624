// Command sgppl-cluster does the work of sgppl on more than one machine: scores and
// predictions of rows in buckets, and a posterior for each customer. `sgppl cluster` runs it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/cluster/bucket"
	"github.com/sgppl/sgppl/cluster/pass"
	"github.com/sgppl/sgppl/internal/flags"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// cli is the command line: a file a command.
type cli struct {
	Shards  shardsCmd  `cmd:"" help:"Print how files of rows are cut into shards."`
	Sample  sampleCmd  `cmd:"" help:"Draw from the posterior given the rows of all files."`
	Chains  chainsCmd  `cmd:"" help:"Chains of sgppl sample, a task each, that read all rows."`
	Score   scoreCmd   `cmd:"" help:"The log predictive density of rows under the draws of a run."`
	Loo     looCmd     `cmd:"" help:"Leave-one-out cross-validation of rows, by the draws of a run."`
	LogLik  logLikCmd  `cmd:"" help:"The log likelihood of rows at the draws of a run, an object a shard."`
	Predict predictCmd `cmd:"" help:"Expected values and probabilities of classes for rows, a csv a shard."`
	Fleet   fleetCmd   `cmd:"" help:"A posterior for each value of a column, such as a customer."`
	Test    testCmd    `cmd:"" help:"Test a model: its gradient, prior draws, calibration."`
	Sweep   sweepCmd   `cmd:"" help:"Calibrate a model under every combination of some settings."`
	Task    taskCmd    `cmd:"" help:"Do one task of a pass: for job arrays, and to look for mistakes."`
	Array   arrayCmd   `cmd:"" help:"Print the job array of a pass, for Slurm or Kubernetes."`
	Fold    foldCmd    `cmd:"" help:"Fold the results of a pass whose tasks have ended."`
	Fetch   fetchCmd   `cmd:"" help:"Copy a run from a bucket to a directory."`
	Status  statusCmd  `cmd:"" help:"How far the passes of a run are."`

	Version kong.VersionFlag `help:"Print the version and leave."`
}

// A world is what a command sees of the process.
type world struct {
	ctx            context.Context
	stdout, stderr io.Writer
	getenv         func(string) string
}

// Exit statuses, those of sgppl.
const (
	exitUsage       = 2
	exitData        = 3
	exitFiles       = 5
	exitInterrupted = 130
)

// A usageError is a wrong command line.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func usage(format string, args ...any) error {
	return &usageError{printable.Sprintf(format, args...)}
}

// Messages of the runtime name settings as flags.
func init() { setting.Spell = flags.Name }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	w := &world{ctx, os.Stdout, os.Stderr, os.Getenv}
	code := 0
	if is, err := beamWorker(ctx, os.Args[1:]); is {
		code = w.report(err)
	} else {
		code = execute(w, os.Args[1:])
	}
	stop()
	os.Exit(code)
}

// execute runs a command line and returns the exit status.
func execute(w *world, args []string) int {
	var c cli
	left := -1
	parser, err := kong.New(&c, kong.Name("sgppl-cluster"), kong.Writers(w.stdout, w.stderr),
		kong.Vars{"version": sgppl.Version}, kong.Vars(sampleVars), testVars(), kong.UsageOnError(),
		kong.Description("The work of sgppl on more than one machine."),
		kong.Exit(func(code int) {
			if left < 0 {
				left = code
			}
		}))
	if err != nil {
		panic(err) // the declarations above are wrong
	}
	ctx, err := parser.Parse(args)
	if left >= 0 { // help or version
		return left
	}
	if err != nil {
		return w.report(&usageError{err.Error()})
	}
	return w.report(ctx.Run(w))
}

// report prints an error and returns its exit status.
func (w *world) report(err error) int {
	if err == nil || errors.Is(err, errAsked) {
		return 0
	}
	wrong, permanent := (*usageError)(nil), (*pass.Permanent)(nil)
	own, ran := (*session.ExitError)(nil), (*run.Error)(nil)
	code := exitFiles
	switch {
	case w.ctx.Err() != nil:
		fmt.Fprintln(w.stderr, "sgppl-cluster: interrupted; the same command goes on with it")
		return exitInterrupted
	case errors.As(err, &wrong):
		code = exitUsage
	case errors.As(err, &own):
		code = own.Code
	case errors.As(err, &ran):
		code = ran.Code
	case errors.As(err, &permanent):
		code = exitData
	}
	if err.Error() == "" { // all has been said
		return code
	}
	const most = 20
	parts := pass.Parts(err)
	for _, part := range parts[:min(len(parts), most)] {
		fmt.Fprintf(w.stderr, "sgppl-cluster: error: %s\n", printable.Error(part))
	}
	if more := len(parts) - most; more > 0 {
		fmt.Fprintf(w.stderr, "sgppl-cluster: and %d errors more\n", more)
	}
	switch unfinished := (*unfinishedError)(nil); {
	case errors.As(err, &unfinished): // it says what to do
	case code == exitFiles && errors.Is(err, bucket.ErrDenied):
		fmt.Fprintln(w.stderr, "What is done is kept: with credentials that the store accepts the "+
			"same command goes on with the rest.")
	case code == exitFiles:
		fmt.Fprintln(w.stderr, "What is done is kept: the same command goes on with the rest.")
	}
	return code
}
