package sampler

import "github.com/sgppl/sgppl/runtime/flow"

// mirroredGradient observes the configurational temperature on a mirrored
// block: E[x·∇Ũ]/d = T, about the origin and not about the mean. Where x stays
// positive the integration by parts has an end at 0, which x takes away as long
// as x p(x) → 0 there, and x − x̄ does not.
func (h *health) mirroredGradient(s *flow.State, k int) {
	f := &s.Factors[k]
	lo, hi := f.Offset, f.Offset+f.Len
	x, force, xg := s.X[lo:hi], s.Force[lo:hi], h.xg[lo:hi]
	force, xg = force[:len(x)], xg[:len(x)]
	sum := 0.0
	for i, a := range x {
		p := -float64(a * force[i])
		xg[i] += p
		sum += p
	}
	h.blocks[k].config.add(sum / float64(f.Dim()))
}
