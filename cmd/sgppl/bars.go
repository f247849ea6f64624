package main

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/sgppl/sgppl/runtime/run"
)

// bars shows one line a chain, on a terminal.
func (e *env) bars(s *show, r *run.Record) {
	p := mpb.New(mpb.WithOutput(e.stderr), mpb.WithWidth(24), mpb.WithRefreshRate(150*time.Millisecond))
	c := &r.Settings
	all := make([]*mpb.Bar, c.Chains)
	last := make([]atomic.Pointer[run.Event], c.Chains)
	for k := range all {
		all[k] = p.AddBar(c.Steps(),
			mpb.PrependDecorators(decor.Name(fmt.Sprintf("chain %d", k), decor.WCSyncSpaceR)),
			mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
				v := last[k].Load()
				switch {
				case v == nil:
					return "waiting"
				case v.Step < v.Warmup:
					return fmt.Sprintf("warm-up %d/%d, %s", v.Step, v.Warmup, measures(*v))
				}
				return fmt.Sprintf("%d/%d draws, %s", v.Draws, v.Of, measures(*v))
			})))
	}
	s.every = 200 * time.Millisecond
	s.event = func(v run.Event) {
		last[v.Chain].Store(&v)
		all[v.Chain].SetCurrent(v.Step)
	}
	s.interrupted = func() {
		fmt.Fprintln(p, "interrupted: writing checkpoints (again to quit at once)")
	}
	s.close = func() {
		for _, b := range all {
			if !b.Completed() {
				b.Abort(false)
			}
		}
		p.Wait()
	}
}
