// Package manual writes what a command line is, for shells and for man: completions for bash,
// zsh, fish and PowerShell, and pages. All of it follows from the model of the command line,
// from which its help is printed too.
package manual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/commandline"
)

// A Flag is a flag as completions and pages show it.
type Flag struct {
	Name, Short string // without dashes
	Help        string
	Value       string   // placeholder; "" of a switch
	Values      []string // what it takes, where that is a list
}

// A Command is a command with its flags, those of all commands included.
type Command struct {
	Name, Help, Detail string
	Usage              string // behind its name
	Flags              []Flag
}

// Commands returns the commands of a program, in their order.
func Commands(program *commandline.Node) []Command {
	var out []Command
	for _, n := range program.Children {
		c := Command{Name: n.Name, Help: n.Help, Detail: n.Detail,
			Usage: strings.TrimSpace(strings.TrimPrefix(n.Usage(), n.Name))}
		for _, f := range append(slices.Clone(n.Flags), program.Flags...) {
			c.Flags = append(c.Flags, flagOf(f))
		}
		out = append(out, c)
	}
	return out
}

func flagOf(f *commandline.Flag) Flag {
	out := Flag{Name: f.Name, Help: f.Help, Values: f.Enum}
	if f.Short != 0 {
		out.Short = string(f.Short)
	}
	if !f.IsBool() {
		out.Value = f.Shown()
	}
	return out
}

// Shells are those that Completion knows.
func Shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

// Completion returns the script by which a shell completes the command lines of a program.
func Completion(shell, program string, commands []Command) (string, error) {
	switch shell {
	case "bash":
		return bash(program, commands), nil
	case "zsh":
		return zsh(program, commands), nil
	case "fish":
		return fish(program, commands), nil
	case "powershell":
		return powershell(program, commands), nil
	}
	return "", fmt.Errorf("%s: one of %s", shell, strings.Join(Shells(), ", "))
}

// brief is the first sentence of a help, on one line.
func brief(help string) string {
	help = strings.Join(strings.Fields(help), " ")
	if at := strings.Index(help, ". "); at > 0 {
		help = help[:at]
	}
	return strings.TrimSuffix(help, ".")
}

func names(commands []Command) []string {
	var out []string
	for _, c := range commands {
		out = append(out, c.Name)
	}
	return out
}

func dashed(flags []Flag) []string {
	var out []string
	for _, f := range flags {
		out = append(out, "--"+f.Name)
		if f.Short != "" {
			out = append(out, "-"+f.Short)
		}
	}
	return out
}
