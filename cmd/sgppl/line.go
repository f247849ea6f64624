package main

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/kong"

	"github.com/sgppl/sgppl/internal/config"
	"github.com/sgppl/sgppl/internal/sampling"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/sources"
	"github.com/sgppl/sgppl/runtime/base/printable"
)

// A line reads command lines, one at a time. To make the model of all commands and
// flags takes longer than many commands do. So a line that reads one command has no other
// command in its model, and a line is used again.
type line struct {
	cli
	fresh   cli    // cli before the first command line was read
	command string // the only command that it reads, or "" for all of them
	files   *config.Files
	parser  *kong.Kong
}

// lines are those that no command uses now, by the command that they read.
var lines = struct {
	sync.Mutex
	free map[string][]*line
}{free: map[string][]*line{}}

// takeLine returns a line for arguments that no other command uses.
func takeLine(args []string) *line {
	command := onlyCommand(args)
	lines.Lock()
	defer lines.Unlock()
	if free := lines.free[command]; len(free) > 0 {
		lines.free[command] = free[:len(free)-1]
		return free[len(free)-1]
	}
	return newLine(command)
}

// release keeps a line for the next command.
func (l *line) release() {
	lines.Lock()
	defer lines.Unlock()
	lines.free[l.command] = append(lines.free[l.command], l)
}

// onlyCommand returns the command that arguments begin with, or "" where they need all commands:
// they begin otherwise, the command shows the model of all, or a configuration file may have
// settings of other commands.
func onlyCommand(args []string) string {
	if len(args) == 0 || args[0] == "completion" || args[0] == "man" ||
		slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--config") }) {
		return ""
	}
	if _, is := commandField(args[0]); is {
		return args[0]
	}
	return ""
}

// commandField returns the field of cli that has a command.
func commandField(name string) (reflect.StructField, bool) {
	fields := reflect.VisibleFields(reflect.TypeFor[cli]())
	i := slices.IndexFunc(fields, func(f reflect.StructField) bool {
		_, is := f.Tag.Lookup("cmd")
		return is && strings.ToLower(f.Name) == name
	})
	if i < 0 {
		return reflect.StructField{}, false
	}
	return fields[i], true
}

// newLine returns a line that reads one command, or all where command is "".
func newLine(command string) *line {
	l := &line{command: command, files: &config.Files{ByBlock: sampling.BlockFlagNames()}}
	options := []kong.Option{
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
	}
	var grammar any = &l.cli
	if field, is := commandField(command); is {
		grammar = &l.Globals
		at := reflect.ValueOf(&l.cli).Elem().FieldByIndex(field.Index).Addr().Interface()
		options = append(options, kong.DynamicCommand(command, field.Tag.Get("help"), "", at))
	}
	var err error
	if l.parser, err = kong.New(grammar, options...); err != nil {
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
