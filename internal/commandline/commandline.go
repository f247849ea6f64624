// Package commandline reads command lines into structs: a struct a command, a field a flag or an
// argument, and tags of the fields say the rest. Help, errors with their suggestions, completions
// and manual pages follow from one model.
//
// It looks up no method by a name. A program that does so has to carry every exported method of
// every type that it converts to an interface, which made this one 5 MB larger.
//
// A field of a command is a flag named after it, --max-memory of MaxMemory. Fields of embedded
// structs are fields of the command. The tags:
//
//	help         what it is, with ${name} for variables and ${default} for the default
//	name         another name; short is a letter beside it, and aliases are names beside it
//	default      the value where none is given; enum has the values that there are
//	placeholder  what help shows for the value; group is the heading that it stands under in help
//	sep          what separates the values of a list, by default a comma; mapsep those of a map; none
//	required     the flag has to be given
//	xor          of flags with the same word here one may be given
//	arg          an argument and no flag; optional where it may be left away, and passthrough where
//	             all that follows belongs to it
//	cmd          a command, of a field of the program's struct
//	flag:"-"     neither
package commandline

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Vars are the variables of tags.
type Vars map[string]string

// A Program says what Parse reads.
type Program struct {
	Name, About string
	Globals     any // a pointer to the struct of the flags of all commands, and of commands
	// Only, if it is not "", is the name of the only command of the model; the field of Globals
	// that has it is used.
	Only string
	Vars Vars
	// At has for names of flags what happens when the command line has them: before the files of
	// flags are asked, and before flags are missed.
	At map[string]func(ctx *Context, f *Flag) error

	Out   io.Writer // help goes there
	Width int       // of the lines of help
	// Exit is called with 0 after help was printed. It does not return.
	Exit func(status int)

	Model *Node // the program, whose children are the commands; made by Make
}

// An Error is a mistake on the command line.
type Error struct {
	Context *Context // as far as the command line was read
	err     error
}

func (e *Error) Error() string { return e.err.Error() }

func (e *Error) Unwrap() error { return e.err }

// A Resolver has values for flags that the command line does not have.
type Resolver interface {
	// Check is called when all values are settled.
	Check(program *Node) error
	// Resolve returns the texts of a flag. A flag that is no list may have one of them.
	Resolve(ctx *Context, f *Flag) (texts []string, found bool, err error)
}

// Parse reads a command line into the structs of the program. Errors are of type *Error.
func (p *Program) Parse(args []string) (*Context, error) {
	ctx := &Context{Program: p, Path: []*Path{{Node: p.Model}}, texts: map[*Value][]token{}}
	steps := []func() error{
		func() error { return ctx.read(&scanner{left: words(args)}) },
		ctx.help, ctx.reset, ctx.react, ctx.resolve, ctx.apply, ctx.check,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, &Error{ctx, err}
		}
	}
	return ctx, nil
}

// help prints help where it is asked for, and leaves.
func (c *Context) help() error {
	for _, at := range c.Path {
		if at.Flag != nil && at.Flag.isHelp {
			if err := c.PrintHelp(); err != nil {
				return err
			}
			c.Program.Exit(0)
		}
	}
	return nil
}

// react does what the flags of At are for.
func (c *Context) react() error {
	for _, at := range c.Path {
		if at.Flag == nil {
			continue
		}
		if f := c.Program.At[at.Flag.Name]; f != nil {
			if err := f(c, at.Flag); err != nil {
				return err
			}
		}
	}
	return nil
}

// interpolate puts variables in the place of ${name}, and a dollar in that of $$. It panics on a
// variable that there is not, which is a mistake in a tag.
func interpolate(text string, vars ...Vars) string {
	if !strings.Contains(text, "$") {
		return text
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "$")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		switch {
		case strings.HasPrefix(rest, "$"):
			b.WriteByte('$')
			text = rest[1:]
		case strings.HasPrefix(rest, "{"):
			name, after, _ := strings.Cut(rest[1:], "}")
			b.WriteString(lookup(name, vars))
			text = after
		default:
			b.WriteByte('$')
			text = rest
		}
	}
}

func lookup(name string, vars []Vars) string {
	for _, v := range vars {
		if value, is := v[name]; is {
			return value
		}
	}
	panic(fmt.Sprintf("commandline: there is no variable ${%s}", name))
}

// near adds to an error the candidates that were probably meant: those that begin so, and those
// that two letters make of it.
func near(message, word string, candidates []string) error {
	var like []string
	for _, c := range candidates {
		if strings.HasPrefix(c, word) || distance(c, word) <= 2 {
			like = append(like, fmt.Sprintf("%q", c))
		}
	}
	switch len(like) {
	case 0:
		return errors.New(message)
	case 1:
		return fmt.Errorf("%s, did you mean %s?", message, like[0])
	}
	return fmt.Errorf("%s, did you mean one of %s?", message, strings.Join(like, ", "))
}

// distance is the number of letters that have to be put in, left out or exchanged to make one word
// of another.
func distance(a, b string) int {
	to := []rune(b)
	row := make([]int, len(to)+1) // of the part of a so far, to each beginning of b
	for j := range row {
		row[j] = j
	}
	for i, x := range []rune(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range to {
			exchanged := diagonal
			if x != y {
				exchanged++
			}
			diagonal = row[j+1]
			row[j+1] = min(row[j]+1, row[j+1]+1, exchanged)
		}
	}
	return row[len(to)]
}
