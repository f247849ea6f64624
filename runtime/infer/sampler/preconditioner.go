package sampler

// The preconditioner of psgld, g = 1 ⊘ (λ + √v), is found in the warm-up and kept
// from then on. Langevin dynamics with a constant g has the law π^{1/T} in the
// limit of small steps. While v follows the gradients, g depends on the state, and
// the law would be right with the drift Γ_i = T ∂g_i/∂x_i besides. A moving average of
// few gradients knows where the state just was: without Γ the draws spread too
// widely, the more so the smaller the step is.
//
// In the first half of the warm-up v is the moving average of Li et al. (2016),
// v ← σ v + (1 − σ) (∇Ũ/N)². In the second half its memory grows, until it is the
// plain average of that half: a moving average alone would freeze what the last
// 1/(1 − σ) gradients happened to be.

// preconditionerDecay returns what v keeps of itself at a step: σ, 1 − 1/n at the
// n-th step of the second half of the warm-up once that is more, 1 after it.
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

// precondition settles what the preconditioners keep at the next step.
func (c *Chain) precondition() {
	for k := range c.parts {
		if p := &c.parts[k]; p.row.Preconditioner {
			p.state.Decay = p.preconditionerDecay(c.step)
		}
	}
}
