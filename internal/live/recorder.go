package live

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/sketch"
)

const (
	curvePoints = 300 // of a line along the time, at most
	mostNotes   = 20
	mostTraces  = 8 // charts of numbers
)

// A Recorder makes views of the events of a run. Its methods may be called by several
// goroutines.
type Recorder struct {
	lock    sync.Mutex
	head    Head
	numbers []run.Number // whose draws events tell
	of      int          // numbers of a draw
	chains  []*recorded
	phase   string
	setup   float64 // seconds of it
	notes   []string
	began   time.Time
	judge   judge
	cuts    int // how often draws were dropped
}

// recorded is what is known of a chain.
type recorded struct {
	last  *run.Event
	draws *sketch.Thinned // of the numbers
	lp    curve
	held  curve
	goal  curve // what an optimiser looks at
}

// A curve keeps some of the points that it is given, evenly spread over all of them.
type curve struct {
	n    int64 // points that were given
	kept *sketch.Thinned
}

func (c *curve) add(x int64, y float64) {
	if c.kept == nil {
		c.kept = sketch.NewThinned(curvePoints, 2)
	}
	c.kept.Add(c.n, []float64{float64(x), y})
	c.n++
}

// line returns the points; nil without any.
func (c *curve) line(chain int) *Line {
	if c.kept == nil || len(c.kept.Draws()) == 0 {
		return nil
	}
	l := &Line{Chain: chain}
	for p := range slices.Chunk(c.kept.Values(), 2) {
		l.X, l.Y = append(l.X, int64(p[0])), append(l.Y, p[1])
	}
	return l
}

// NewRecorder makes views of a run of so many chains, whose events tell draws of the numbers,
// which are some of so many.
func NewRecorder(h Head, chains int, numbers []run.Number, of int) *Recorder {
	r := &Recorder{head: h, numbers: numbers, of: of, began: time.Now()}
	r.head.State = SettingUp
	for range chains {
		r.chains = append(r.chains,
			&recorded{draws: sketch.NewThinned(run.WatchedDraws, len(numbers))})
	}
	return r
}

// Event takes an event of the run.
func (r *Recorder) Event(v run.Event) {
	r.lock.Lock()
	defer r.lock.Unlock()
	switch v.Event {
	case "note":
		if r.notes = append(r.notes, v.Text); len(r.notes) > mostNotes {
			r.notes = r.notes[1:]
		}
		return
	case "phase":
		r.phase, r.setup = v.Text, v.Seconds
		return
	}
	if v.Chain < 0 || v.Chain >= len(r.chains) {
		return // of an engine that is not ours, or is damaged
	}
	if r.head.State == SettingUp {
		r.head.State = Running
	}
	c := r.chains[v.Chain]
	if c.last != nil && v.Step < c.last.Step {
		r.cuts++
	}
	c.take(&v, len(r.numbers))
}

// take takes an event of the chain. A chain that has fewer draws than before begins anew.
func (c *recorded) take(v *run.Event, numbers int) {
	if c.last != nil && v.Step < c.last.Step {
		c.draws.Cut(v.Draws)
		c.lp, c.held, c.goal = curve{}, curve{}, curve{}
	}
	if d := v.Drawn; d != nil && len(d.Draws) > 0 && len(d.Values) == numbers*len(d.Draws) {
		c.draws.Cut(d.Draws[0])
		c.draws.Coarsen(d.Every)
		one := make([]float64, numbers)
		for i, n := range d.Draws {
			for k := range one {
				one[k] = d.Values[i*numbers+k]
			}
			c.draws.Add(n, one)
		}
	}
	if finite(v.LogDensity) {
		c.lp.add(v.Step, float64(v.LogDensity))
	}
	if h := v.HeldOut; h != nil && (c.last == nil || c.last.HeldOut == nil ||
		h.Draws != c.last.HeldOut.Draws) {
		c.held.add(h.Draws, float64(h.LPDMean))
	}
	if k := v.Criterion; k != nil && finite(k.Last) && (c.last == nil ||
		c.last.Criterion == nil || c.last.Criterion.Last != k.Last) {
		c.goal.add(v.Step, float64(k.Last))
	}
	last := *v
	last.Drawn = nil
	c.last = &last
}

func finite(x run.Float) bool { return x-x == 0 }

// Stopping says that the run was asked to stop.
func (r *Recorder) Stopping() {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.head.State == SettingUp || r.head.State == Running {
		r.head.State = Stopping
	}
}

// View is what is known now. One goroutine at a time may call it.
func (r *Recorder) View() *View {
	v, series := r.known()
	r.judge.look(r, series, v) // without the lock: it takes the time of a sort
	return v
}

// known is the view without what the draws say, and the draws where they are to be looked at.
func (r *Recorder) known() (*View, *series) {
	r.lock.Lock()
	defer r.lock.Unlock()
	v := r.view()
	if v.Health = r.dynamics(); !r.judge.due(time.Now(), r.cuts) {
		return v, nil
	}
	return v, r.series()
}

// view is the view without what the draws say.
func (r *Recorder) view() *View {
	v := &View{Head: r.head, Notes: slices.Clone(r.notes), Charts: []Chart{}}
	if v.Notes == nil {
		v.Notes = []string{}
	}
	r.progress(&v.Progress)
	v.Stop = v.Stop && (v.State == SettingUp || v.State == Running) && !r.complete()
	v.Words = r.words(v)
	for _, c := range []struct {
		kind, title, x string
		of             func(c *recorded) *curve
	}{
		{"held_out", "Held-out log predictive density of a row, of the average over the draws",
			"draws", func(c *recorded) *curve { return &c.held }},
		{"criterion", "What the best point is chosen by", "steps",
			func(c *recorded) *curve { return &c.goal }},
		{"lp", "Log density, estimated from the last minibatch or pass", "steps",
			func(c *recorded) *curve { return &c.lp }},
	} {
		chart := Chart{Kind: c.kind, Title: c.title, X: c.x}
		for k := range r.chains {
			if l := c.of(r.chains[k]).line(k); l != nil {
				chart.Lines = append(chart.Lines, *l)
			}
		}
		if c.kind == "criterion" {
			chart.Title = r.criterion()
		}
		if chart.Lines != nil {
			chart.Caption = lastOf(chart.Lines)
			v.Charts = append(v.Charts, chart)
		}
	}
	return v
}

// complete reports whether all chains are.
func (r *Recorder) complete() bool {
	return !slices.ContainsFunc(r.chains, func(c *recorded) bool {
		return c.last == nil || c.last.Event != "end"
	})
}

// criterion is what an optimiser looks at.
func (r *Recorder) criterion() string {
	for _, c := range r.chains {
		if c.last != nil && c.last.Criterion != nil && c.last.Criterion.Of == "held_out" {
			return "Mean log likelihood of a held-out row, by which the best point is chosen"
		}
	}
	return "Log density with all rows, by which the best point is chosen"
}

// lastOf says where lines end.
func lastOf(lines []Line) string {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, l := range lines {
		y := l.Y[len(l.Y)-1]
		lo, hi = min(lo, y), max(hi, y)
	}
	if lo == hi || len(lines) == 1 {
		return fmt.Sprintf("now %.5g", lo)
	}
	return fmt.Sprintf("now %.5g to %.5g", lo, hi)
}

// progress fills in how far the chains are.
func (r *Recorder) progress(p *Progress) {
	p.Left, p.StepsRate, p.RowsRate, p.Share = nan, nan, nan, 0
	p.Seconds = time.Since(r.began).Seconds()
	p.Chains = []ChainView{}
	add := func(to *run.Float, x run.Float) {
		if finite(x) && finite(*to) {
			*to += x
		} else if finite(x) {
			*to = x
		}
	}
	steps, all := 0.0, 0.0
	for k, c := range r.chains {
		e := c.last
		if e == nil {
			p.Chains = append(p.Chains, ChainView{Chain: k, StepSize: nan})
			continue
		}
		ended := e.Event == "end"
		p.Chains = append(p.Chains, ChainView{k, e.Step, e.Steps, e.Warmup, e.Draws, e.Of,
			e.StepSize, ended})
		steps, all = steps+float64(e.Step), all+float64(e.Steps)
		p.Draws, p.Of = p.Draws+e.Draws, p.Of+e.Of
		if ended {
			continue
		}
		add(&p.StepsRate, e.StepsRate)
		add(&p.RowsRate, e.RowsRate)
		if finite(e.Left) && !(p.Left > e.Left) {
			p.Left = e.Left
		}
	}
	if all > 0 {
		// chains that have not begun are as long as the others
		heard := 0
		for _, c := range r.chains {
			if c.last != nil {
				heard++
			}
		}
		p.Share = run.Float(steps / all * float64(heard) / float64(len(r.chains)))
	}
}
