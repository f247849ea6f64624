package latent

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// How the terms of a full conditional depend on the local: what decides whether
// its entries are drawn together, and what is carried from one to the next.

// A conditionalTerm is a term with what is known of its values.
type conditionalTerm struct {
	v    *ir.Value
	over []*ir.Axis // it is summed over
	axes []*ir.Axis // of the leaf of z in it
	kind map[*ir.Value]kind
}

// A kind is how a value depends on z, seen along the axes in sequence.
type kind int

const (
	free        kind = iota // not at all
	pointwise               // on the entry of its own place
	throughSums             // through statistics
	entangled               // otherwise
)

// A statistic is a sum over the axes in sequence of something pointwise.
type statistic struct {
	sum   *ir.Value // with z as it is before the sweep
	term  *conditionalTerm
	carry *ir.Value
	flips bool // a term of it is a flipped one
	// of bits: it is read where it may be 0 but not a little less, other than under a logarithm
	exact bool
}

// plan classifies the terms for a choice of axes in sequence; false where
// entries along another axis are coupled.
func (g *conditional) plan(terms []ir.Output, coupled []int) bool {
	g.coupled, g.terms = coupled, nil
	for _, t := range terms {
		ct := &conditionalTerm{v: t.Value, over: t.Axes}
		on := depends(t.Value, g.link.LeafName())
		values := ir.Reach(t.Value)
		several := false
		for _, v := range values {
			if v.Op == ir.OpLocal && v.Name == g.link.LeafName() {
				several = several || ct.axes != nil && !slices.Equal(ct.axes, v.Axes)
				if ct.axes == nil {
					ct.axes = v.Axes
				}
			}
		}
		for i, a := range ct.axes {
			if i > 0 && !slices.Contains(coupled, i) &&
				(several || !untouched(on, values, a) || !slices.Contains(t.Axes, a)) {
				return false
			}
		}
		g.classify(ct, on, values, several)
		g.terms = append(g.terms, ct)
	}
	return true
}

// sequence is the axes of the term's z that are gone through.
func (g *conditional) sequence(t *conditionalTerm) []*ir.Axis {
	var out []*ir.Axis
	for _, i := range g.coupled {
		out = append(out, t.axes[i])
	}
	return out
}

func (g *conditional) classify(
	t *conditionalTerm, on map[*ir.Value]bool, values []*ir.Value, several bool,
) {
	t.kind = map[*ir.Value]kind{}
	seq := g.sequence(t)
	for _, v := range values {
		if !on[v] {
			continue
		}
		if several {
			t.kind[v] = entangled
			continue
		}
		k := free
		if v.Op == ir.OpLocal {
			k = pointwise
		}
		for _, a := range v.Args {
			switch ka := t.kind[a]; {
			case ka == free:
			case k == free:
				k = ka
			case k != ka:
				k = entangled
			}
		}
		touches := slices.ContainsFunc(seq,
			func(a *ir.Axis) bool {
				return v.To == a || slices.Contains(v.Over, a) || loses(on, v, a)
			})
		if k == pointwise && touches {
			k = entangled
			if (v.Op == ir.OpSum || v.Op == ir.OpContract) && len(ir.Without(seq, v.Over)) == 0 {
				k = throughSums
			}
		}
		if k == pointwise && (v.Op.Class == ir.Sequential || v.Op == ir.OpCarry) {
			k = entangled
		}
		t.kind[v] = k
	}
}

// singularIn reports whether a value takes statistics of a term to a function that is
// singular somewhere; under a logarithm what is a little less than 0 is seen to there.
func (t *conditionalTerm) singularIn(v *ir.Value) bool {
	return t.kind[v] == throughSums && v.Op.Singular && v.Op != ir.OpLog
}

// isStatistic reports whether a value takes pointwise values to a sum.
func (g *conditional) isStatistic(t *conditionalTerm, v *ir.Value) bool {
	if t.kind[v] != throughSums {
		return false
	}
	return !slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return t.kind[a] == throughSums })
}
