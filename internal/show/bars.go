//go:build !js && !wasip1

package show

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// showBars shows one line a chain, on a terminal.
func showBars(e *session.Session, s *Progress, r *run.Record) {
	p := mpb.New(mpb.WithOutput(e.Screen), mpb.WithWidth(barWidth),
		mpb.WithRefreshRate(150*time.Millisecond))
	c := r.Outline()
	all := make([]*mpb.Bar, c.Chains)
	last := make([]atomic.Pointer[run.Event], c.Chains)
	of := make([]int64, c.Chains)
	var doing atomic.Pointer[string]
	for k := range all {
		of[k] = c.Steps
		all[k] = p.AddBar(c.Steps,
			mpb.PrependDecorators(decor.Name(fmt.Sprintf("chain %d", k), decor.WCSyncSpaceR)),
			mpb.AppendDecorators(decor.Any(func(s decor.Statistics) string {
				v, at := last[k].Load(), doing.Load()
				if v == nil && at != nil {
					return fit([]part{{0, printable.Line(*at)}}, s.AvailableWidth-2)
				}
				return BarText(v, s.AvailableWidth)
			})))
	}
	s.note = func(text string) { fmt.Fprintln(p, "note: "+printable.Lines(text)) }
	s.phase = func(v run.Event) { doing.Store(&v.Text) }
	s.Every = 200 * time.Millisecond
	s.Event = func(v run.Event) {
		if v.Chain < 0 || v.Chain >= len(all) {
			return // an engine that is not ours, or is damaged
		}
		last[v.Chain].Store(&v)
		if of[v.Chain] != v.Steps { // rounds make a run longer
			of[v.Chain] = v.Steps
			all[v.Chain].SetTotal(v.Steps, false)
		}
		all[v.Chain].SetCurrent(v.Step)
	}
	s.Interrupted = func() {
		fmt.Fprintln(p, "interrupted: writing checkpoints (again to quit at once)")
	}
	s.Close = func() {
		for _, b := range all {
			if !b.Completed() {
				b.Abort(false)
			}
		}
		p.Wait()
	}
}
