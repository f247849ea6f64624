package sampler

import (
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// Tuning is what the warm-up of a sampler with a Metropolis test has found.
type Tuning struct {
	Metric string  `json:"metric"`         // diag, dense, lowrank or unit: the inverse mass matrix
	Rank   int     `json:"rank,omitempty"` // directions of a lowrank one
	Step   float64 `json:"step"`
	// Trajectory is the length of a trajectory in leapfrog steps that was predicted for
	// a metric whose kind was found; 0 of others.
	Trajectory float64 `json:"trajectory,omitempty"`
	// WarmupGradients are the passes over all rows in the warm-up until now.
	WarmupGradients int64 `json:"warmup_gradients"`
	// PilotRows are those of the pilot that began the warm-up, PilotGradients its
	// passes over them; 0 without one.
	PilotRows      int   `json:"pilot_rows,omitempty"`
	PilotGradients int64 `json:"pilot_gradients,omitempty"`
}

// Tuned is what a warm-up without a Metropolis test has found for the blocks that share
// settings: the step, the friction, and what they were found from.
type Tuned struct {
	Params   []string `json:"params"`
	Sampler  string   `json:"sampler"`
	Step     float64  `json:"step"`
	Friction float64  `json:"friction,omitempty"` // found, or given
	// the largest eigenvalue of −∇∇ log density, mean over the last looks
	Curvature float64 `json:"curvature"`
	Largest   float64 `json:"largest_curvature"` // about the largest of those
	// the mean variance of a coordinate of a minibatch's gradient
	Noise     float64 `json:"noise"`
	MostNoise float64 `json:"largest_noise"` // that along the direction of most noise, about
	// what keeps the step from being larger: curvature, noise, friction or grad_noise
	Bound string `json:"bound"`
	// the run is too short to come to the posterior: see tunedPart.hurries
	Hurried bool `json:"hurried,omitempty"`
}

// A TunedRun is what the warm-up of a chain has found.
type TunedRun struct {
	Batch     int   `json:"batch,omitempty"` // rows of a minibatch, found or given
	Looks     int64 `json:"looks"`           // how often it was measured
	Gradients int64 `json:"gradients"`       // of a minibatch, that this took
	// of the warm-up, after each of which the step was made smaller
	Divergences int64   `json:"divergences,omitempty"`
	Parts       []Tuned `json:"parts"`
}

// Tuned returns what the chain has found until now in place of --step; nil if the step is
// given, or is found by trajectories.
func (c *Chain) Tuned() *TunedRun {
	t := c.tuner
	if t == nil {
		return nil
	}
	out := &TunedRun{Batch: c.cfg.Batch, Looks: t.looks, Gradients: t.gradients,
		Divergences: t.divergences}
	for k := range t.parts {
		p, of := &t.parts[k], &c.parts[k]
		if !p.on {
			continue
		}
		w := Tuned{Sampler: of.cfg.Sampler, Step: p.step, Curvature: p.curvature, Largest: p.most,
			MostNoise: p.topNoise(), Bound: boundNames[int(p.bound)], Hurried: p.hurries()}
		w.Noise = p.trace / p.dim
		for _, x := range []*float64{&w.Step, &w.Curvature, &w.Largest, &w.Noise, &w.MostNoise} {
			if !special.Finite(*x) { // a record has no place for it
				*x = 0
			}
		}
		if of.row.Velocity {
			w.Friction = of.cfg.Friction
		}
		for _, i := range p.blocks {
			w.Params = append(w.Params, c.state.Factors[i].Name)
		}
		out.Parts = append(out.Parts, w)
	}
	return out
}

// Tuning returns what the warm-up has found until now, of a sampler that finds its step.
func (c *Chain) Tuning() Tuning {
	t := Tuning{Metric: adapt.MetricUnit, Step: c.lastStepSize()}
	a := c.adaptation()
	if a == nil {
		return t
	}
	if c.step >= c.cfg.Warmup {
		t.Step, _ = a.Size()
	}
	t.WarmupGradients = a.Gradients()
	if p := c.rowPilot; p != nil {
		t.PilotRows, t.PilotGradients = p.rows, p.gradients
	}
	if m := a.Metric(); m != nil && c.cfg.Metric != adapt.MetricUnit {
		t.Metric, t.Rank = m.Kind(), m.Rank()
	}
	if a.Mapped != nil {
		t.Metric = c.cfg.Metric
	}
	t.Trajectory = a.Trajectory()
	return t
}

// An Adapted is what the warm-up of a sampler with a Metropolis test has found, for the
// record of a run.
type Adapted struct {
	Tuning
	// InverseMetric is the diagonal of a diag metric's inverse mass matrix, and the rows of a
	// dense or lowrank one, in unconstrained coordinates; absent if it is the identity, or
	// has more than mostKept numbers.
	InverseMetric []float64 `json:"inverse_metric,omitempty"`
}

const mostKept = 2500

// Adapted returns what the warm-up has found; nil where it finds nothing: the step is given,
// or the sampler has no Metropolis test.
func (c *Chain) Adapted() *Adapted {
	if !c.cfg.Adapts() || c.adaptation() == nil {
		return nil
	}
	a := &Adapted{Tuning: c.Tuning()}
	if m := c.adaptation().Metric(); m != nil && a.Metric != adapt.MetricUnit {
		a.InverseMetric = m.Inverse(mostKept)
	}
	for _, x := range append(a.InverseMetric, a.Step, a.Trajectory) {
		if !special.Finite(x) { // JSON has no number for it
			return nil
		}
	}
	return a
}
