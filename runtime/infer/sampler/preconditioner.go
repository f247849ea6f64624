package sampler

// The preconditioner of psgld, g = 1 ⊘ (λ + √v), is found in the warm-up and then kept. With a
// constant g, Langevin dynamics has the law π^{1/T} in the limit of small steps. While v follows
// the gradients, g depends on the state, and the law would only be right with an additional drift
// Γ_i = T ∂g_i/∂x_i. A moving average over few gradients depends on the recent states: without Γ
// the draws spread too widely, the more so the smaller the step is.
//
// In the first half of the warm-up v is the moving average of Li et al. (2016), v ← σ v + (1 − σ)
// (∇Ũ/N)². In the second half its memory grows until v is the plain average over that half, since a
// moving average alone would freeze at the last 1/(1 − σ) gradients.

// preconditionerDecay returns the weight of the old v at a step: σ, then 1 − 1/n at the n-th step
// of the second half of the warm-up once that is larger, and 1 after the warm-up.
func (p *part) preconditionerDecay(step int64) float64 {
	half := p.cfg.Warmup / 2
	switch {
	case step >= p.cfg.Warmup:
		return 1
	case step < half:
		return p.cfg.PreconditionerDecay
	}
	return max(p.cfg.PreconditionerDecay, 1-1/float64(step-half+1))
}

// precondition sets the decay of the preconditioners for the next step.
func (c *Chain) precondition() {
	for k := range c.parts {
		if p := &c.parts[k]; p.row.Preconditioner {
			p.state.Decay = p.preconditionerDecay(c.step)
		}
	}
}
