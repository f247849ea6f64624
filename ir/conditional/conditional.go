// Package conditional derives full conditionals: the law of one unknown given all others and the
// data, up to numbers that a function of the state computes. A law is recognised by the form of
// the log density in the unknown, whatever distributions it was written with.
package conditional

import (
	"fmt"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// An Unknown is a quantity that is drawn from its full conditional. The log density reads it by
// leaves of the state that have its name.
type Unknown struct {
	Name        string // of the leaves
	Said        string // as the model writes it
	Family, Own []*ir.Axis
	Kind        types.Kind
	Values      size.Poly // of a discrete unknown: how many values it may have
	Span        source.Span
}

func (u *Unknown) axes() []*ir.Axis { return append(append([]*ir.Axis{}, u.Family...), u.Own...) }

// is reports whether a value is a leaf of the unknown, whatever the names of its axes.
func (u *Unknown) is(v *ir.Value) bool { return v.Op == ir.OpState && v.Name == u.Name }

// A Conditional is the full conditional of an unknown: independent laws, one for every block of
// entries. Outputs are the numbers of the laws, in the order that target.Law says.
type Conditional struct {
	Of      *Unknown
	Law     target.Law
	Powers  []float64  // of target.GammaLaw and target.PowersLaw
	Joint   []*ir.Axis // the axes of one block, the last ones of the unknown
	Outputs []ir.Output
}

// refuse gives up with the reason why an unknown has none.
func (u *Unknown) refuse(at source.Span, format string, args ...any) {
	if at.End <= at.Start {
		at = u.Span
	}
	limits.Fail(limits.NoConditional, at,
		"--sampler gibbs draws %s from its full conditional, and none is known: %s; --sampler nuts "+
			"needs none", u.Said, fmt.Sprintf(format, args...))
}

// Derive returns the full conditional of an unknown under a log density. It fails (limits.Fail)
// where the form of the density in the unknown is that of no law.
func Derive(b *ir.Builder, density *ir.Value, u *Unknown) *Conditional {
	r := newReader(b, density, u)
	if !r.reads[density] {
		u.refuse(u.Span, "no term depends on it")
	}
	var c *Conditional
	switch {
	case u.Kind.Discrete():
		c = r.categories(density)
	case u.Kind == types.Real:
		c = r.normal(density)
	case u.Kind == types.Sphere:
		c = r.direction(density)
	case u.Kind == types.Positive, u.Kind == types.Nonnegative, u.Kind == types.Unit,
		u.Kind == types.Simplex:
		c = r.exponentialFamily(density)
	default:
		u.refuse(u.Span, "laws are known of real, positive, unit and discrete numbers, simplexes and "+
			"spheres, and it is %s", u.Kind)
	}
	c.Of = u
	return c
}

// Function returns the function number n of a model's conditionals.
func (c *Conditional) Function(n int) *ir.Func {
	return &ir.Func{ID: fn.Conditional.At(n), Outputs: c.Outputs}
}

// A reader reads a log density as a function of an unknown.
type reader struct {
	b     *ir.Builder
	u     *Unknown
	reads map[*ir.Value]bool // which values depend on the unknown
}

func newReader(b *ir.Builder, density *ir.Value, u *Unknown) *reader {
	r := &reader{b: b, u: u, reads: map[*ir.Value]bool{}}
	for _, v := range ir.Reach(density) {
		r.reads[v] = u.is(v)
		for _, a := range v.Args {
			r.reads[v] = r.reads[v] || r.reads[a]
		}
	}
	return r
}

// anyReads reports whether one of the values depends on the unknown.
func (r *reader) anyReads(list []*ir.Value) bool {
	for _, v := range list {
		if r.reads[v] {
			return true
		}
	}
	return false
}

// selects reports whether an op reads entries of its first argument.
func selects(op *ir.Op) bool {
	switch op {
	case ir.OpRename, ir.OpSlice, ir.OpAt, ir.OpGather, ir.OpLayout:
		return true
	}
	return false
}

// linear reports whether an op is linear in its first argument, and has no other but indices.
func linear(op *ir.Op) bool {
	switch op {
	case ir.OpSum, ir.OpPad, ir.OpPlace, ir.OpScatter, ir.OpRows, ir.OpExtend, ir.OpCumSum,
		ir.OpDiagonal, ir.OpSpread, ir.OpFlatten, ir.OpUnflatten:
		return true
	}
	return selects(op)
}

// within says why an op hides the form of the density in the unknown.
func within(op *ir.Op) string {
	switch op {
	case ir.OpLogSumExp:
		return "here it is inside the logarithm of a sum, as in a mixture; a local that says which " +
			"component it is takes the sum apart"
	case ir.OpScan:
		return "here it is inside a recurrence"
	}
	return "here it is inside " + op.Name
}
