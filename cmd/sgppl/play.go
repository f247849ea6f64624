//go:build !js && !wasip1

package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"strconv"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/playground"
)

// Run serves the page until it is interrupted, or writes it.
func (c *playCmd) Run(e *session.Session) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer e.Interrupts(cancel)()
	engine, err := playground.NewEngine(ctx, ".")
	switch {
	case ctx.Err() != nil:
		return session.Failf(session.ExitInterrupted, "interrupted while the engine was built")
	case err != nil:
		return session.Failf(session.ExitFiles, "the playground's engine cannot be built: %v", err)
	}
	if c.Out != "" {
		return c.write(e, engine)
	}
	pages, err := engine.Handler()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(c.Port)))
	if err != nil {
		return session.Failf(session.ExitFiles, "cannot serve: %v; --port takes another", err)
	}
	if err := e.Print("http://%s/\n", listener.Addr()); err != nil {
		return err
	}
	e.Note("the playground is at this address until you press Ctrl-C; no data leaves the page")
	server := &http.Server{Handler: pages}
	go func() {
		<-ctx.Done()
		server.Close()
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return session.Failf(session.ExitFiles, "cannot serve: %v", err)
	}
	return nil
}

func (c *playCmd) write(e *session.Session, engine *playground.Engine) error {
	list, err := os.ReadDir(c.Out)
	if err == nil && len(list) > 0 && !c.Force {
		return session.Usagef("%s is not empty; --force writes into it", c.Out)
	}
	if err := engine.Write(c.Out); err != nil {
		return session.Failf(session.ExitFiles, "cannot write: %v", err)
	}
	return e.Print("%s\n", c.Out)
}
