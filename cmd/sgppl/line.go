package main

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/sgppl/sgppl/internal/commandline"
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
	parser  *commandline.Program
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
	if isCommand(args[0]) {
		return args[0]
	}
	return ""
}

// isCommand reports whether cli has a command.
func isCommand(name string) bool {
	fields := reflect.VisibleFields(reflect.TypeFor[cli]())
	return slices.ContainsFunc(fields, func(f reflect.StructField) bool {
		_, is := f.Tag.Lookup("cmd")
		return is && strings.ToLower(f.Name) == name
	})
}

// newLine returns a line that reads one command, or all where command is "".
func newLine(command string) *line {
	l := &line{command: command, files: &config.Files{ByBlock: sampling.BlockFlagNames()}}
	l.Sample.Configs = l.files
	l.parser = &commandline.Program{
		Name:    "sgppl",
		About:   "A compiler and samplers for probabilistic models whose data are large.",
		Globals: &l.cli,
		Only:    command,
		Vars:    commandline.Vars{},
		Exit:    func(status int) { panic(session.Leave(status)) },
	}
	for _, vars := range []commandline.Vars{sampling.SampleVars(), sampling.PlanningVars(),
		sampling.OptimizeVars(), sampling.ApproximateVars(), summaryVars()} {
		maps.Copy(l.parser.Vars, vars)
	}
	l.parser.Make()
	l.fresh = l.cli
	return l
}

// parse reads the arguments of a session into cli; where they are wrong, ctx is nil,
// and code the exit status.
func (l *line) parse(e *session.Session) (ctx *commandline.Context, code int) {
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

// reset forgets the command line before, and has the next one read for a session.
func (l *line) reset(e *session.Session) {
	l.cli, l.files.List = l.fresh, nil
	l.parser.Forget()
	l.parser.Out, l.parser.Width = e.Stdout, helpWidth(e)
	l.parser.At = map[string]func(*commandline.Context, *commandline.Flag) error{
		"config": l.files.Add,
		"version": func(*commandline.Context, *commandline.Flag) error {
			panic(session.Leave(e.Report(versionCmd{}.Run(e))))
		},
	}
}

// helpWidth is how long the lines of help may be.
func helpWidth(e *session.Session) int {
	if e.Getenv != nil {
		if columns, err := strconv.Atoi(e.Getenv("COLUMNS")); err == nil {
			return columns
		}
	}
	return 80
}
