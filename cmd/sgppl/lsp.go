package main

import (
	"errors"

	"github.com/sgppl/sgppl/internal/lsp"
	"github.com/sgppl/sgppl/internal/session"
)

type lspCmd struct {
	Stdio bool `help:"Talk over standard input and output, which the server does without this flag too."`
}

func (c *lspCmd) Help() string {
	return `The server of the Language Server Protocol, which an editor starts: diagnostics as you type, hover, definition,
references, rename, completion, signature help, formatting, code actions, inlay hints, semantic tokens and symbols.
docs/editors.md says how to set editors up.

  sgppl lsp`
}

// Run serves one editor until it says exit.
func (c *lspCmd) Run(e *session.Session) error {
	err := lsp.Serve(e.Stdin, e.Verbatim)
	switch {
	case errors.Is(err, lsp.ErrNoShutdown):
		return &session.ExitError{Code: session.ExitModel}
	case err != nil:
		return session.Failf(session.ExitFiles, "the conversation with the editor broke: %v", err)
	}
	return nil
}
