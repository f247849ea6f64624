package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/internal/commandline"
	"github.com/sgppl/sgppl/internal/manual"
	"github.com/sgppl/sgppl/internal/session"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish,powershell" help:"bash, zsh, fish or powershell."`
}

func (c *completionCmd) Help() string {
	return `Prints the script by which a shell completes commands, flags and the values of flags.

  source <(sgppl completion bash)              in ~/.bashrc
  source <(sgppl completion zsh)               in ~/.zshrc, behind compinit
  sgppl completion fish | source               in ~/.config/fish/config.fish
  sgppl completion powershell | Out-String | Invoke-Expression`
}

// Run prints the script.
func (c *completionCmd) Run(e *session.Session, ctx *commandline.Context) error {
	text, err := manual.Completion(c.Shell, ctx.Program.Name, manual.Commands(ctx.Program.Model))
	if err != nil {
		return session.Usagef("%v", err)
	}
	return e.Print("%s", text)
}

type manCmd struct {
	Out string `required:"" placeholder:"DIR" help:"The directory that gets the pages, such as /usr/local/share/man/man1."`
}

func (c *manCmd) Help() string {
	return `Writes manual pages: sgppl.1, and one of each command, such as sgppl-sample.1. They say what --help says.

  sgppl man --out man && man man/sgppl-sample.1`
}

// Run writes the pages.
func (c *manCmd) Run(e *session.Session, ctx *commandline.Context) error {
	p := ctx.Program
	pages := manual.Pages(p.Name, sgppl.Version, p.About, manual.Commands(p.Model))
	if err := os.MkdirAll(c.Out, 0o777); err != nil {
		return session.Failf(session.ExitFiles, "%v", err)
	}
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		if err := os.WriteFile(filepath.Join(c.Out, name), []byte(pages[name]), 0o666); err != nil {
			return session.Failf(session.ExitFiles, "%v", err)
		}
	}
	return e.Print("%d pages in %s\n", len(pages), c.Out)
}
