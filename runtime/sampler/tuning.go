package sampler

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

// Tuning returns what the warm-up has found until now, of a sampler that finds its step.
func (c *Chain) Tuning() Tuning {
	t := Tuning{Metric: metricUnit, Step: c.lastStepSize()}
	a := c.adapt
	if a == nil {
		return t
	}
	if c.step >= c.cfg.Warmup {
		t.Step = a.size
	}
	t.WarmupGradients = a.gradients
	if p := c.rowPilot; p != nil {
		t.PilotRows, t.PilotGradients = p.rows, p.gradients
	}
	if a.metric != nil && c.cfg.Metric != metricUnit {
		t.Metric, t.Rank = a.metric.kind(), a.metric.rank()
	}
	if a.curved != nil && c.mapped != nil {
		t.Metric = c.cfg.Metric
	}
	if a.chooser != nil {
		t.Trajectory = a.chooser.cost
	}
	return t
}
