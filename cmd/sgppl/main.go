// Command sgppl compiles probabilistic models and samples from them.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/sgppl/sgppl"
	_ "github.com/sgppl/sgppl/parquet" // registers the format
	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// cli is the command line. Each command is a struct of its own file, with a
// method Run(*env) error whose error's exit status ends the program.
type cli struct {
	Check    checkCmd    `cmd:"" help:"Diagnostics of a model; which axes can be minibatched."`
	Fmt      fmtCmd      `cmd:"" help:"Print models in the one layout."`
	Compile  compileCmd  `cmd:"" help:"Write a Go package."`
	Sample   sampleCmd   `cmd:"" help:"Draw from the posterior into a run directory."`
	Optimize optimizeCmd `cmd:"" help:"Find a point: santa, adam, rmsprop, sgdm, sgd."`
	Test     testCmd     `cmd:"" help:"Test a model: its gradient, prior draws, calibration."`
	Score    scoreCmd    `cmd:"" help:"Held-out log predictive density, accuracy, rmse."`
	Predict  predictCmd  `cmd:"" help:"Posterior predictive draws for new rows."`
	Loo      looCmd      `cmd:"" help:"Leave-one-out cross-validation and WAIC; comparison of runs."`
	Simulate simulateCmd `cmd:"" help:"Prior predictive data."`
	Summary  summaryCmd  `cmd:"" help:"Means, quantiles, effective sample sizes, R-hat and health of a run."`
	Report   reportCmd   `cmd:"" help:"A page of HTML with the summary of a run, and pictures of its draws."`
	Export   exportCmd   `cmd:"" help:"Write a run's draws as csv, stan-csv, parquet or zarr."`
	Verify   verifyCmd   `cmd:"" help:"Check every file of a run."`
	Doc      docCmd      `cmd:"" help:"The standard library and the tables."`
	Explain  explainCmd  `cmd:"" help:"Explain a diagnostic, with an example."`
	Version  versionCmd  `cmd:"" help:"Print the version."`

	MaxMemory   string      `placeholder:"SIZE" help:"How much memory may be used, such as 2G, or none; by default three quarters of what the machine or its control group has."`
	ShowVersion versionFlag `name:"version" help:"Print the version and leave."`
}

// Exit statuses, as the contract of the command line has them.
const (
	exitDone        = 0
	exitModel       = 1   // the model has errors
	exitUsage       = 2   // the command line is wrong
	exitData        = 3   // the data does not fit
	exitRun         = 4   // the run failed
	exitFiles       = 5   // files, disk or toolchain
	exitInterrupted = 130 // a checkpoint is written
)

// An exitError ends the program with a status. Its message is printed unless
// it is empty: then everything has been said already.
type exitError struct {
	code    int
	message string
	tag     string // a code that `sgppl explain` knows; "" without one
}

func (e *exitError) Error() string { return e.message }

// Printable says that the message is escaped, as printable.Error asks.
func (e *exitError) Printable() {}

// fail is an error that ends the program with a status and a message, in which names
// are escaped. One that tells of too little memory keeps the status of that.
func fail(code int, format string, args ...any) error {
	for _, a := range args {
		var m *memory.Error
		if err, is := a.(error); is && errors.As(err, &m) {
			code = m.Exit()
		}
	}
	return &exitError{code: code, message: printable.Sprintf(format, args...)}
}

// refused is the error of a setting of a sampler.
func refused(err error) error {
	return &exitError{code: exitUsage, message: printable.Error(err), tag: sampler.CodeOf(err)}
}

// usage is fail for a wrong command line.
func usage(format string, args ...any) error { return fail(exitUsage, format, args...) }

func main() { os.Exit(execute(processEnv())) }

// leave carries an exit status out of kong.
type leave int

// execute runs the program in an environment and returns its exit status.
func execute(e *env) int {
	return e.guarded(func() int {
		c, ctx, code := e.parse()
		if ctx == nil {
			return code
		}
		return e.perform(c, ctx)
	})
}

// guarded runs f, whose exit status it returns, with what it prints escaped; a panic
// is told of, and gives a status too.
func (e *env) guarded(f func() int) (code int) {
	defer e.guardOutput()()
	defer func() {
		switch r := recover().(type) {
		case nil:
		case leave:
			code = int(r)
		default:
			fmt.Fprintf(e.stderr, "sgppl: internal error: %v\n%s\nThis is a mistake of sgppl %s, not yours. Please report it with the model.\n", r, debug.Stack(), sgppl.Version)
			code = exitRun
		}
	}()
	return f()
}

// parse reads the command line; where it is wrong, ctx is nil, and code the exit
// status.
func (e *env) parse() (c *cli, ctx *kong.Context, code int) {
	c = &cli{}
	files := &configFiles{}
	parser, err := kong.New(c,
		kong.Name("sgppl"),
		kong.Description("A compiler and samplers for probabilistic models whose data are large."),
		kong.Writers(e.stdout, e.stderr),
		kong.Exit(func(status int) { panic(leave(status)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.Bind(e, files),
		kong.Configuration(files.read),
		sampleVars(), planningVars(),
		optimizeVars(),
		summaryVars(),
	)
	if err != nil {
		panic(err)
	}
	if ctx, err = parser.Parse(joinNegative(e.args)); err != nil {
		if own := settingError(""); errors.As(err, &own) {
			err = own
		}
		fmt.Fprintf(e.stderr, "sgppl: error: %s\n", printable.Error(err))
		return nil, nil, exitUsage
	}
	return c, ctx, exitDone
}

// perform runs the command of a command line and returns its exit status.
func (e *env) perform(c *cli, ctx *kong.Context) int {
	for _, f := range ctx.Flags() {
		if f.Name == "threads" && f.Target.CanInt() && f.Target.Int() < 0 {
			return e.report(usage("--threads %d: at least 1, or 0 for as many as there are processors", f.Target.Int()))
		}
	}
	if err := e.limitMemory(c.MaxMemory); err != nil {
		return e.report(err)
	}
	return e.report(ctx.Run(e))
}

// joinNegative makes --step=-1 of --step -1: no flag of the program is a number,
// so what follows is the value, and its flag says what is wrong with it.
func joinNegative(args []string) []string {
	var out []string
	for i, arg := range args {
		if arg == "--" {
			return append(out, args[i:]...)
		}
		if _, err := strconv.ParseFloat(arg, 64); err == nil && arg[0] == '-' && len(out) > 0 {
			if last := &out[len(out)-1]; strings.HasPrefix(*last, "--") && !strings.Contains(*last, "=") {
				*last += "=" + arg
				continue
			}
		}
		out = append(out, arg)
	}
	return out
}

// report prints an error that has not been printed and returns its status.
func (e *env) report(err error) int {
	if err == nil {
		return exitDone
	}
	var x *exitError
	if !errors.As(err, &x) && errors.Is(err, trace.ErrCorrupt) {
		x = &exitError{code: exitFiles, message: printable.Error(err)}
	} else if x == nil {
		x = &exitError{code: statusOf(err, exitRun), message: printable.Error(err)}
	}
	if x.message != "" {
		tag := ""
		if x.tag != "" {
			tag = "[" + x.tag + "]"
		}
		fmt.Fprintf(e.stderr, "sgppl: error%s: %s\n", tag, cutLines(x.message))
	}
	return x.code
}

// cutLines cuts the lines of a message that are longer than anyone reads: what a
// file or an argument holds may be of any length.
func cutLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = printable.Cut(line, printable.Most)
	}
	return strings.Join(lines, "\n")
}

// statusOf is the exit status that an error has, or another.
func statusOf(err error, otherwise int) int {
	var own interface{ Exit() int }
	if errors.As(err, &own) {
		return own.Exit()
	}
	return otherwise
}

type versionCmd struct{}

func (versionCmd) Run(e *env) error {
	return e.print("sgppl %s\n", sgppl.Version)
}

type versionFlag bool

// BeforeApply prints the version before anything else is asked for.
func (versionFlag) BeforeApply(k *kong.Kong, e *env) error {
	k.Exit(e.report(versionCmd{}.Run(e)))
	return nil
}
