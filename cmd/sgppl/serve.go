package main

import (
	"bytes"
	"strings"

	"github.com/sgppl/sgppl/internal/serving"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

type serveCmd struct {
	Stdio bool `help:"Talk over standard input and output, which is the only way today."`
}

func (c *serveCmd) Help() string {
	return `Evaluates models for programs in other languages: log densities, gradients, and maps between the state and the
model's own coordinates. A request and a response are a line of JSON each (JSON-RPC 2.0). docs/serve.md has the protocol.

  sgppl serve --stdio`
}

// Run serves one client until its stream ends.
func (c *serveCmd) Run(e *session.Session) error {
	if err := serving.Serve(e.Stdin, e.Verbatim, func(s serving.Source) (target.Target, error) {
		return bindServed(e, s)
	}); err != nil {
		return session.Failf(session.ExitFiles, "the conversation broke: %v", err)
	}
	return nil
}

// bindServed compiles and binds a model. An error holds all that the command would print.
func bindServed(e *session.Session, s serving.Source) (target.Target, error) {
	var said bytes.Buffer
	quiet := *e
	quiet.Stdout, quiet.Stderr, quiet.Verbatim, quiet.Screen = &said, &said, &said, &said
	refuse := func(err error) error {
		return &serving.Error{Code: quiet.Report(err), Message: strings.TrimSpace(said.String())}
	}
	b := &session.Binding{Given: session.Given{Data: s.Data, Set: s.Set, Names: s.Names,
		Levels: s.Levels, NA: s.NA}}
	src := source.New("model.sg", s.Text)
	if s.Text == "" {
		var err error
		if s.Model == "" || s.Model == "-" {
			return nil, refuse(session.Usagef("bind needs a model, the path of a file, or its text"))
		}
		if src, err = quiet.ReadModelFor(s.Model, s.Data, s.Set, 1); err != nil {
			return nil, refuse(err)
		}
	}
	if err := b.Compile(&quiet, src); err != nil {
		return nil, refuse(err)
	}
	if err := b.Bind(&quiet); err != nil {
		return nil, refuse(err)
	}
	return b.Target, nil
}
