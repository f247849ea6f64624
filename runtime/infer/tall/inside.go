package tall

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/start"
)

// enter has the phases that follow work in charts about x, a state of the target, and
// returns its coordinates. A target on R^n stays as it is.
func (w *workshop) enter(x []float64) []float64 {
	out := w.outside()
	if !Curved(out.t) {
		return x
	}
	c := chart(out.t, x)
	w.t, w.middle, w.evals = c, x, nil
	for _, e := range out.evals {
		w.evals = append(w.evals, c.on(e))
	}
	threads := w.passes.threads
	w.passes = newPasses(c, w.evals)
	w.passes.threads = threads
	return make([]float64, c.dim)
}

// outside has passes over all rows of the target without charts.
func (w *workshop) outside() *passes {
	c, ok := w.t.(*charted)
	if !ok {
		return w.passes
	}
	out := &passes{t: c.Target, threads: w.passes.threads, hold: w.passes.hold}
	for _, e := range w.evals {
		out.evals = append(out.evals, e.(*chartedEvaluator).differences)
	}
	return out
}

// state returns the state of the target at coordinates.
func (w *workshop) state(u []float64) []float64 {
	e, ok := w.evals[0].(*chartedEvaluator)
	if !ok {
		return u
	}
	e.move(u)
	return append([]float64(nil), e.point...)
}

// aside says whether coordinates are far enough from the middle of the charts that others
// would bend less.
func (w *workshop) aside(u []float64) bool {
	e, ok := w.evals[0].(*chartedEvaluator)
	if !ok {
		return false
	}
	r, _ := e.farthest(u)
	return r > 0.2
}

// concentrated is a *Refusal where a state z is more than a quarter turn from the middle of a
// chart. The law there is right, but where much of it is that far it has heavy tails in the
// coordinates, and nearly none of what is known of them holds.
func (w *workshop) concentrated(states [][]float64) error {
	e, ok := w.evals[0].(*chartedEvaluator)
	if !ok {
		return nil
	}
	u := make([]float64, len(w.white.Mean))
	for _, z := range states {
		w.white.Point(z, u)
		if r, block := e.farthest(u); !(r <= 1) {
			return &Refusal{fmt.Sprintf("the posterior of %s is spread over more than a quarter turn", block)}
		}
	}
	return nil
}

// starts are the coordinates of where chains of the pilot begin: of points that are uniform
// on curved spaces, but for those that a chart leaves out. of is Target, with
// some of the rows.
func (t *charted) starts(s Settings, of target.Target) ([][]float64, error) {
	in, e := of.NewEvaluator(1), t.on(nil)
	x, grad, u := make([]float64, t.Target.Dim()), make([]float64, t.Target.Dim()),
		make([]float64, t.dim)
	start := start.Law{Init: s.Init, Radius: s.Radius, Seed: s.Seed, Jacobian: 1}
	var out [][]float64
	for k := range pilotChains {
		if err := start.Place(t.factors, in, k, x, grad); err != nil {
			return nil, err
		}
		if !e.coordinates(x, u) {
			clear(u)
		}
		out = append(out, append([]float64(nil), u...))
	}
	return out, nil
}
