package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/sgppl/sgppl/internal/live"
	"github.com/sgppl/sgppl/internal/session"
)

type watchCmd struct {
	Dir  string `arg:"" name:"run" help:"A run directory."`
	Port int    `default:"0" placeholder:"PORT" help:"The port on 127.0.0.1; 0 takes one that is free."`
	Open bool   `help:"Show the page in the browser."`
	Text bool   `help:"Show the run in the terminal instead, until it ends."`
	JSON bool   `name:"json" help:"Print what is known now as one JSON object."`
}

func (c *watchCmd) Help() string {
	return `Shows the run in a directory on a page of this machine, as sample --serve does: a run of another process, also one of another
machine on a shared disk, that goes on, has ended, or was killed; the page says which. Ctrl-C ends the command and not the run.
The command writes nothing into the directory. The stop button of the page, which is there while the run's process can be asked, writes a wish there that
the process hears within a second or two; the run ends as by Ctrl-C, and sample --resume goes on with it.

  sgppl watch runs/logistic-1 --open
  sgppl watch runs/logistic-1 --text`
}

// Run follows a run until it is interrupted; in the terminal until the run ends.
func (c *watchCmd) Run(e *session.Session) error {
	f, err := live.Follow(c.Dir)
	if err != nil {
		return session.OwnStatus(err)
	}
	v, err := f.View()
	if err != nil {
		return session.OwnStatus(err)
	}
	if c.JSON {
		return json.NewEncoder(e.Stdout).Encode(v)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer e.Interrupts(cancel)()
	if c.Text {
		return c.text(ctx, e, f, v)
	}
	server, err := live.Serve(c.Port, f.Ask)
	if err != nil {
		return session.Failf(session.ExitFiles, "cannot serve: %v; --port takes another", err)
	}
	defer server.Close()
	server.Send(v)
	if err := e.Print("%s\n", server.URL()); err != nil {
		return err
	}
	e.Note("%s: %s", v.State, v.Words)
	e.Note("the run is shown at this address until you press Ctrl-C, which does not end the run")
	if c.Open {
		if err := live.Open(server.URL(), e.Getenv); err != nil {
			e.Note("the browser does not start (%v): open the address by hand", err)
		}
	}
	state := v.State
	c.follow(ctx, f, func(v *live.View) bool {
		if server.Send(v); v.State != state {
			state = v.State
			e.Note("%s: %s", v.State, v.Words)
		}
		return true
	})
	return nil
}

// follow calls take with views until it says that it has enough, or ctx is done. Where the run
// cannot be read the view before is shown, with the reason.
func (c *watchCmd) follow(ctx context.Context, f *live.Follower, take func(v *live.View) bool) {
	var last *live.View
	tick := time.NewTicker(live.Every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		v, err := f.View()
		switch {
		case err == nil:
			last = v
		case last == nil:
			continue
		default:
			of := *last
			of.State, of.Stop, of.Words = live.Silent, false, "the run cannot be read: "+err.Error()
			v = &of
		}
		if !take(v) {
			return
		}
	}
}

// text shows the run in the terminal: in its place where lines can move, else some lines when
// something has changed, at most each ten seconds.
func (c *watchCmd) text(
	ctx context.Context,
	e *session.Session,
	f *live.Follower,
	v *live.View,
) error {
	last := time.Time{}
	state := ""
	var wrong error
	show := func(v *live.View) bool {
		if !e.Terminal && v.State == state && time.Since(last) < textEvery {
			return true
		}
		last, state = time.Now(), v.State
		if e.Terminal {
			fmt.Fprint(e.Screen, "\x1b[H\x1b[2J")
		}
		wrong = e.Print("%s", v.Text())
		return wrong == nil && !v.Ended()
	}
	if show(v) {
		c.follow(ctx, f, show)
	}
	return wrong
}

// textEvery is the time between texts where lines do not move.
const textEvery = 10 * time.Second
