package sampler

import (
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// Tuning has the settings found in the warm-up of a sampler with a Metropolis test.
type Tuning struct {
	Metric string  `json:"metric"`         // diag, dense, lowrank or unit: the inverse mass matrix
	Rank   int     `json:"rank,omitempty"` // number of directions of a low-rank metric
	Step   float64 `json:"step"`
	// Trajectory is the predicted length of a trajectory in leapfrog steps, if the kind of the metric
	// was found; otherwise 0.
	Trajectory float64 `json:"trajectory,omitempty"`
	// WarmupGradients is the number of passes over all rows in the warm-up so far.
	WarmupGradients int64 `json:"warmup_gradients"`
	// PilotRows is the number of rows of the pilot at the beginning of the warm-up, PilotGradients
	// that of its passes over them; 0 without a pilot.
	PilotRows      int   `json:"pilot_rows,omitempty"`
	PilotGradients int64 `json:"pilot_gradients,omitempty"`
}

// Tuned has the step and the friction that a warm-up without a Metropolis test found for the blocks
// that share settings, and the measurements that they follow from.
type Tuned struct {
	Params   []string `json:"params"`
	Sampler  string   `json:"sampler"`
	Step     float64  `json:"step"`
	Friction float64  `json:"friction,omitempty"` // found or given
	// Curvature is the largest eigenvalue of −∇∇ log density, averaged over recent measurements.
	Curvature float64 `json:"curvature"`
	Largest   float64 `json:"largest_curvature"` // about the largest of these values
	// Noise is the mean variance of a coordinate of a minibatch's gradient.
	Noise     float64 `json:"noise"`
	MostNoise float64 `json:"largest_noise"` // about the variance along the direction of most noise
	// Bound is the term that limits the step: curvature, noise, friction or grad_noise.
	Bound string `json:"bound"`
	// Hurried says that the run is too short to reach the posterior: see tunedPart.hurries.
	Hurried bool `json:"hurried,omitempty"`
}

// A TunedRun has the settings found in the warm-up of a chain.
type TunedRun struct {
	Batch     int   `json:"batch,omitempty"` // rows of a minibatch, found or given
	Looks     int64 `json:"looks"`           // number of measurements
	Gradients int64 `json:"gradients"`       // gradients of a minibatch that the measurements took
	// Divergences is the number of divergences of the warm-up; after each, the step was made smaller.
	Divergences int64   `json:"divergences,omitempty"`
	Parts       []Tuned `json:"parts"`
}

// Tuned returns the settings that the chain has found so far in place of --step; nil if the step is
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
			if !special.Finite(*x) { // JSON has no such numbers
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

// Tuning returns the settings that the warm-up has found so far, for a sampler that adapts its
// step.
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

// An Adapted has the settings found in the warm-up of a sampler with a Metropolis test, for the
// record of a run.
type Adapted struct {
	Tuning
	// InverseMetric is the diagonal of a diag metric's inverse mass matrix, and the rows of a
	// dense or lowrank one, in unconstrained coordinates; absent if it is the identity, or
	// has more than mostKept numbers.
	InverseMetric []float64 `json:"inverse_metric,omitempty"`
}

const mostKept = 2500

// Adapted returns the settings that the warm-up has found; nil if it adapts none, since the step is
// given or the sampler has no Metropolis test.
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
