package tall

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/start"
	"github.com/sgppl/sgppl/runtime/infer/tall/chart"
)

// enter has the following phases work in charts about x, a state of the target, and returns the
// coordinates of x. It does nothing for a target on R^n.
func (w *workshop) enter(x []float64) []float64 {
	out := w.outside()
	if !chart.Curved(out.t) {
		return x
	}
	c := chart.About(out.t, x)
	w.t, w.middle, w.evals = c, x, nil
	for _, e := range out.evals {
		w.evals = append(w.evals, c.On(e))
	}
	threads := w.passes.threads
	w.passes = newPasses(c, w.evals)
	w.passes.threads = threads
	return make([]float64, c.Dim())
}

// outside returns passes over all rows for the target without charts.
func (w *workshop) outside() *passes {
	c, ok := w.t.(*chart.Target)
	if !ok {
		return w.passes
	}
	out := &passes{t: c.Target, threads: w.passes.threads, hold: w.passes.hold}
	for _, e := range w.evals {
		out.evals = append(out.evals, e.(*chart.Evaluator).Differences)
	}
	return out
}

// state returns the state of the target at given coordinates.
func (w *workshop) state(u []float64) []float64 {
	e, ok := w.evals[0].(*chart.Evaluator)
	if !ok {
		return u
	}
	e.Move(u)
	return append([]float64(nil), e.Point...)
}

// aside reports whether coordinates are so far from the middle of the charts that charts about them
// would be flatter.
func (w *workshop) aside(u []float64) bool {
	e, ok := w.evals[0].(*chart.Evaluator)
	if !ok {
		return false
	}
	r, _ := e.Farthest(u)
	return r > 0.2
}

// concentrated returns a *Refusal if a state is more than a quarter turn from the middle of a
// chart. The law is still right there, but if much of it is that far out, it has heavy tails in the
// coordinates, and hardly any estimate of the set-up holds.
func (w *workshop) concentrated(states [][]float64) error {
	e, ok := w.evals[0].(*chart.Evaluator)
	if !ok {
		return nil
	}
	u := make([]float64, len(w.white.Mean))
	for _, z := range states {
		w.white.Point(z, u)
		if r, block := e.Farthest(u); !(r <= 1) {
			return &Refusal{fmt.Sprintf("the posterior of %s is spread over more than a quarter turn",
				block)}
		}
	}
	return nil
}

// startsIn returns the coordinates of the starts of the pilot's chains: uniform points on curved
// spaces, except for those that a chart leaves out. of is the target with some of the rows.
func startsIn(t *chart.Target, s Settings, of target.Target) ([][]float64, error) {
	in, e := of.NewEvaluator(1), t.On(nil)
	x, grad, u := make([]float64, t.Target.Dim()), make([]float64, t.Target.Dim()),
		make([]float64, t.Dim())
	start := start.Law{Init: s.Init, Radius: s.Radius, Seed: s.Seed, Jacobian: 1}
	var out [][]float64
	for k := range pilotChains {
		if err := start.Place(t.Factors, in, k, x, grad); err != nil {
			return nil, err
		}
		if !e.Coordinates(x, u) {
			clear(u)
		}
		out = append(out, append([]float64(nil), u...))
	}
	return out, nil
}
