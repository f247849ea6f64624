package latent

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// The terms of a full conditional are classified by how they depend on the local. This decides
// whether its entries are drawn together, and which statistics are carried from one entry to the
// next.

// A conditionalTerm is a term with the kind of each of its values.
type conditionalTerm struct {
	v    *ir.Value
	over []*ir.Axis // the axes that it is summed over
	axes []*ir.Axis // the axes of the leaf of z in it
	kind map[*ir.Value]kind
}

// A kind is how a value depends on z along the sequential axes.
type kind int

const (
	free        kind = iota // not at all
	pointwise               // on the entry at its own place
	throughSums             // through statistics
	entangled               // otherwise
)

// A statistic is a sum, over the sequential axes, of a pointwise value.
type statistic struct {
	sum   *ir.Value // read with z as it was before the sweep
	term  *conditionalTerm
	carry *ir.Value
	flips bool // a flipped term reads it
	// exact says, for bits, that a reader breaks if rounding makes a sum of 0 slightly negative.
	// Logarithms are protected separately.
	exact bool
}

// plan classifies the terms for a choice of sequential axes; false where entries along another axis
// are coupled.
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

// sequence returns the sequential axes of z under the names that the term has for them.
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

// singularIn reports whether v applies a function with a singularity to the statistics of a term.
// The logarithm is excepted: its arguments slightly below 0 are handled where it is taken.
func (t *conditionalTerm) singularIn(v *ir.Value) bool {
	return t.kind[v] == throughSums && v.Op.Singular && v.Op != ir.OpLog
}

// isStatistic reports whether v is a sum of pointwise values.
func (g *conditional) isStatistic(t *conditionalTerm, v *ir.Value) bool {
	if t.kind[v] != throughSums {
		return false
	}
	return !slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return t.kind[a] == throughSums })
}
