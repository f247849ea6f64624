package flow

import "github.com/sgppl/sgppl/runtime/dynamics/manifold"

// A Part has the constants and variables of some blocks of a state.
type Part struct {
	Params
	Options
}

// NewParts lays out one state whose blocks belong to parts: block i to part
// of[i]. A part is a state of its blocks alone, with constants, thermostats and
// its own flows, in the arrays of the whole: its flows change nothing else of
// them. A thermostat that covers all covers the part. The whole is for those who
// look at it, and has no flows; Gradient is to be set there.
func NewParts(
	factors []manifold.Factor, dim int, of []int, parts []Part,
) (whole *State, views []*State) {
	var all Options
	for _, p := range parts {
		all.Velocity = all.Velocity || p.Velocity
		all.Preconditioner = all.Preconditioner || p.Preconditioner
		all.Synthetic = all.Synthetic || p.Synthetic
	}
	whole = NewState(nil, dim, parts[0].Params, all)
	views = make([]*State, len(parts))
	for k, p := range parts {
		views[k] = &State{Params: p.Params, X: whole.X, V: whole.V, Force: whole.Force,
			Noise: whole.Noise, Extra: whole.Extra, Square: whole.Square, part: true}
	}
	// The thermostats follow each other as the blocks do; blocks that share one
	// have it where the first of them would.
	n, shared := 0, make([]int, len(parts))
	for i, m := range factors {
		k := of[i]
		f := newFactor(m, parts[k].Options, n)
		if f.Grain == All && len(views[k].Factors) > 0 {
			f.XiAt = shared[k]
		} else {
			shared[k] = n
			n += f.XiLen
		}
		whole.Factors = append(whole.Factors, f)
		whole.dofs += f.Dim()
		views[k].Factors = append(views[k].Factors, f)
		views[k].dofs += f.Dim()
	}
	whole.Xi = make([]float64, n)
	whole.decay = make([]float64, n)
	for k, s := range views {
		s.Xi, s.decay = whole.Xi, whole.decay
		if g := parts[k].Grain; g == Constant || g == All { // one factor for all that it damps
			s.Xi, s.decay = nil, make([]float64, 1)
			if g == All {
				s.Xi = whole.Xi[shared[k] : shared[k]+1]
			}
		}
		for i := range s.Factors {
			f := s.Factors[i]
			if f.Grain == All {
				f.XiAt = 0
				s.Factors[i] = f
			}
			s.join(f)
		}
	}
	return whole, views
}

// twiceKinetic is v·v of the state, of a part over its own blocks.
func (s *State) twiceKinetic() float64 {
	if !s.part {
		return sumSquares(s.V)
	}
	sum := 0.0
	for i := range s.Spans {
		lo, hi := s.Spans[i].bounds()
		sum += sumSquares(s.V[lo:hi])
	}
	return sum
}
