package main

import (
	"errors"
	"fmt"

	"github.com/alecthomas/kong"

	"github.com/sgppl/sgppl/internal/config"
	"github.com/sgppl/sgppl/internal/sampling"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/sources"
	"github.com/sgppl/sgppl/runtime/base/printable"
)

// A line reads command lines, one at a time. To make the model of all commands and
// flags takes longer than many commands do, so a line is used again.
type line struct {
	cli
	fresh  cli // cli before the first command line was read
	files  *config.Files
	parser *kong.Kong
}

// lines are those that no command uses now.
var lines = make(chan *line, 4)

// takeLine returns a line that no other command uses.
func takeLine() *line {
	select {
	case l := <-lines:
		return l
	default:
		return newLine()
	}
}

// release keeps a line for the next command.
func (l *line) release() {
	select {
	case lines <- l:
	default:
	}
}

func newLine() *line {
	l := &line{files: &config.Files{ByBlock: sampling.BlockFlagNames()}}
	var err error
	l.parser, err = kong.New(&l.cli,
		kong.Name("sgppl"),
		kong.Description("A compiler and samplers for probabilistic models whose data are large."),
		kong.Exit(func(status int) { panic(session.Leave(status)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.Bind(l.files),
		kong.Configuration(l.files.Read),
		sampling.SampleVars(), sampling.PlanningVars(),
		sampling.OptimizeVars(),
		sampling.ApproximateVars(),
		summaryVars(),
	)
	if err != nil {
		panic(err)
	}
	l.fresh = l.cli
	return l
}

// parse reads the arguments of a session into cli; where they are wrong, ctx is nil,
// and code the exit status.
func (l *line) parse(e *session.Session) (ctx *kong.Context, code int) {
	l.reset(e)
	ctx, err := l.parser.Parse(joinNegative(sources.Conceal(e.Args)))
	if err != nil {
		if own := config.Error(""); errors.As(err, &own) {
			err = own
		}
		err = explainForeign(err)
		fmt.Fprintf(e.Stderr, "sgppl: error: %s\n", printable.Error(err))
		return nil, session.ExitUsage
	}
	return ctx, session.ExitDone
}

// reset forgets the command line before, and gives hooks and output of kong a session.
func (l *line) reset(e *session.Session) {
	l.cli, l.files.List = l.fresh, nil
	for _, o := range []kong.Option{kong.Bind(e), kong.Writers(e.Stdout, e.Stderr)} {
		if err := o.Apply(l.parser); err != nil {
			panic(err)
		}
	}
	err := kong.Visit(l.parser.Model, func(n kong.Visitable, next kong.Next) error {
		switch n := n.(type) { // Parse gives values their defaults, but leaves Set
		case *kong.Value:
			n.Set = false
		case *kong.Flag:
			n.Set = false
		}
		return next(nil)
	})
	if err != nil {
		panic(err)
	}
}
