// Command sgppl compiles probabilistic models and samples from them.
package main

import (
	"os"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/internal/commandline"
	"github.com/sgppl/sgppl/internal/session"
	_ "github.com/sgppl/sgppl/parquet" // registers the format
)

// cli is the command line. Each command is a struct of its own file, with a
// method Run(*session.Session) error whose error's exit status ends the program. One that asks
// which flags were given has Run(*session.Session, *commandline.Context) error.
type cli struct {
	Check       checkCmd       `cmd:"" help:"Diagnostics of a model; which axes can be minibatched."`
	Fmt         fmtCmd         `cmd:"" help:"Print models in the one layout."`
	Formula     formulaCmd     `cmd:"" help:"Print the model of a regression formula, with default priors from the data."`
	Import      importCmd      `cmd:"" help:"Print a program of Stan as a model of the language."`
	Compile     compileCmd     `cmd:"" help:"Write a Go package."`
	Sample      sampleCmd      `cmd:"" help:"Draw from the posterior into a run directory."`
	Optimize    optimizeCmd    `cmd:"" help:"Find a point: santa, adam, rmsprop, sgdm, sgd."`
	Approximate approximateCmd `cmd:"" help:"Draw from a distribution near to the posterior, held against it: laplace, pathfinder, advi, smc."`
	Test        testCmd        `cmd:"" help:"Test a model: its gradient, prior draws, calibration."`
	Score       scoreCmd       `cmd:"" help:"Held-out log predictive density, accuracy, rmse."`
	Predict     predictCmd     `cmd:"" help:"Posterior predictive draws for new rows."`
	Derive      deriveCmd      `cmd:"" help:"Quantities of the draws of a run, by expressions of the language."`
	Generate    generateCmd    `cmd:"" help:"The values of generate lines at the draws of a run, drawn at random or computed."`
	Prior       priorCmd       `cmd:"" help:"Write the model of a run with its posterior as priors, for data that come later."`
	Cv          cvCmd          `cmd:"" help:"K-fold and leave-group-out cross-validation of the model of a run, which is fitted again."`
	Effects     effectsCmd     `cmd:"" help:"Average marginal effects of inputs, and expected responses at their values."`
	Sensitivity sensitivityCmd `cmd:"" help:"How much a posterior depends on its priors and its likelihood, by power scaling."`
	Loo         looCmd         `cmd:"" help:"Leave-one-out cross-validation and WAIC; comparison of runs."`
	Simulate    simulateCmd    `cmd:"" help:"Prior predictive data."`
	Summary     summaryCmd     `cmd:"" help:"Means, quantiles, effective sample sizes, R-hat and health of a run."`
	Watch       watchCmd       `cmd:"" help:"Follow a run of another process on a page, or in the terminal."`
	Report      reportCmd      `cmd:"" help:"A page of HTML with the summary of a run, and pictures of its draws."`
	Export      exportCmd      `cmd:"" help:"Write a run's draws as csv, stan-csv, parquet or zarr."`
	Verify      verifyCmd      `cmd:"" help:"Check every file of a run."`
	Doc         docCmd         `cmd:"" help:"The standard library and the tables."`
	Explain     explainCmd     `cmd:"" help:"Explain a diagnostic, with an example."`
	Lsp         lspCmd         `cmd:"" help:"The language server, for editors."`
	Play        playCmd        `cmd:"" help:"A page in the browser to write, check and sample models."`
	Serve       serveCmd       `cmd:"" help:"Log densities and gradients for programs in other languages."`
	Cluster     clusterCmd     `cmd:"" help:"Work on more than one machine, by the program sgppl-cluster."`
	Completion  completionCmd  `cmd:"" help:"Print the completions of a shell: bash, zsh, fish, powershell."`
	Man         manCmd         `cmd:"" help:"Write manual pages."`
	Version     versionCmd     `cmd:"" help:"Print the version, the commit and what this program was built of."`

	Globals
}

// Globals are the flags that every command has.
type Globals struct {
	MaxMemory   string `placeholder:"SIZE" help:"How much memory may be used, such as 2G, or none; by default three quarters of what the machine or its control group has."`
	ShowVersion bool   `name:"version" help:"Print the version and leave."`
}

func main() { os.Exit(execute(session.ProcessEnv())) }

// execute runs the program in an environment and returns its exit status.
func execute(e *session.Session) int {
	return e.Guarded(func() int {
		l := takeLine(e.Args)
		defer l.release()
		ctx, code := l.parse(e)
		if ctx == nil {
			return code
		}
		return perform(e, &l.cli, ctx)
	})
}

// perform runs the command of a command line and returns its exit status.
func perform(e *session.Session, c *cli, ctx *commandline.Context) int {
	for _, f := range ctx.Flags() {
		if f.Name == "threads" && f.Target.CanInt() && f.Target.Int() < 0 {
			return e.Report(session.Usagef("--threads %d: at least 1, or 0 for as many as there "+
				"are processors", f.Target.Int()))
		}
	}
	if err := e.LimitMemory(c.MaxMemory); err != nil {
		return e.Report(err)
	}
	if err := fetchRuns(e, ctx); err != nil {
		return e.Report(err)
	}
	return e.Report(runCommand(e, ctx))
}

// runCommand runs the command that was selected.
func runCommand(e *session.Session, ctx *commandline.Context) error {
	switch c := ctx.Selected().Target.Addr().Interface().(type) {
	case interface{ Run(*session.Session) error }:
		return c.Run(e)
	case interface {
		Run(*session.Session, *commandline.Context) error
	}:
		return c.Run(e, ctx)
	}
	panic("the command " + ctx.Selected().Name + " does not run")
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
			if last := &out[len(out)-1]; strings.HasPrefix(*last, "--") &&
				!strings.Contains(*last, "=") {
				*last += "=" + arg
				continue
			}
		}
		out = append(out, arg)
	}
	return out
}
