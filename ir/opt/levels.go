package opt

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// A Chain tells a pass what it cannot see in a function with chains for its rows: which leaves
// change in every step, and how large dims are.
type Chain struct {
	// Inner picks the leaves that change in every step, while there is no scan yet that carries them.
	// It picks by name, since a leaf may occur under several sets of axes. Carries of scans always
	// change in every step.
	Inner func(leaf *ir.Value) bool
	// Sizes has the sizes of dims that are known, such as defaults. Other dims count as 1000 if they
	// are dims of data, and as 30 otherwise.
	Sizes map[string]int
	// Steps is the number of steps of a chain; 0 counts as 100.
	Steps int
}

// Nominal sizes for dims whose size is unknown, and relative costs of operations.
const (
	nominalData   = 1000 // entries of a dim of data
	nominalOther  = 30   // of a dim that only unknowns have
	nominalRows   = 100  // rows of a minibatch
	nominalSteps  = 100
	nominalFilled = 0.02  // of sparse data
	entrywise     = 0.1   // an elementwise operation, relative to one term of a sum
	staged        = 0.001 // a value computed when the model is bound, relative to once a minibatch
)

// levels computes how often a value is evaluated: once (data), once a minibatch, or in every step
// of a chain (inner), and the cost of that.
type levels struct {
	chain Chain
	dims  map[string]int
	steps map[*ir.Axis]bool // of scans
	known map[*ir.Value]*level
}

type level struct {
	repeated bool        // depends on a leaf that Chain.Inner picks
	carries  []*ir.Value // carries that it depends on and that are bound outside of it
}

func newLevels(f *ir.Func, c Chain) *levels {
	if c.Steps == 0 {
		c.Steps = nominalSteps
	}
	l := &levels{chain: c, dims: map[string]int{}, steps: map[*ir.Axis]bool{},
		known: map[*ir.Value]*level{}}
	values := f.Values()
	see := func(n int, axes ...*ir.Axis) {
		for _, a := range axes {
			for _, d := range a.Size.Dims() {
				l.dims[d] = max(l.dims[d], n)
			}
		}
	}
	for _, v := range values {
		see(nominalOther, v.Axes...)
		see(nominalOther, v.Over...)
		if is(v, ir.OpData) && !l.of(v).repeated {
			see(nominalData, v.Axes...)
		}
		if is(v, ir.OpScan) {
			l.steps[v.Over[0]] = true
		}
		l.of(v)
	}
	for d, n := range c.Sizes {
		l.dims[d] = n
	}
	return l
}

// of returns the level of a value. It is called for arguments before users, so that its recursion
// is never deep.
func (l *levels) of(v *ir.Value) *level {
	if x := l.known[v]; x != nil {
		return x
	}
	x := &level{}
	switch {
	case is(v, ir.OpCarry):
		x.carries = []*ir.Value{v}
	case v.Op.Class == ir.Leaf:
		x.repeated = l.chain.Inner != nil && l.chain.Inner(v)
	}
	own := ir.Bound(v)
	for _, a := range v.Args {
		y := l.of(a)
		x.repeated = x.repeated || y.repeated
		for _, c := range y.carries {
			if !slices.Contains(own, c) && !slices.Contains(x.carries, c) {
				x.carries = append(x.carries, c)
			}
		}
	}
	l.known[v] = x
	return x
}

// inner reports whether the value is computed anew in every step.
func (l *levels) inner(v *ir.Value) bool { return l.of(v).repeated || len(l.of(v).carries) > 0 }

// once reports whether the value is of data alone, and has no rows.
func (l *levels) once(v *ir.Value) bool { return !v.State() && !v.AnyRows() && !l.inner(v) }

// often returns how many times a value is computed for each minibatch. Where a value has the axis
// of a scan's steps, that axis counts in its size instead.
func (l *levels) often(v *ir.Value) float64 { return l.times(l.of(v).repeated, l.once(v)) }

func (l *levels) times(repeated, once bool) float64 {
	switch {
	case repeated:
		return float64(l.chain.Steps)
	case once:
		return staged
	}
	return 1
}

// length is the nominal length of an axis.
func (l *levels) length(a *ir.Axis) float64 {
	if n, ok := a.Size.Number(); ok {
		return float64(max(n, 1))
	}
	switch {
	case a.Rows:
		return nominalRows
	case l.steps[a]:
		return float64(l.chain.Steps)
	}
	n, ok := a.Size.Eval(l.dims)
	if !ok {
		return nominalOther
	}
	return float64(max(n, 1))
}

func (l *levels) entries(axes []*ir.Axis) float64 {
	n := 1.0
	for _, a := range axes {
		n *= l.length(a)
	}
	return n
}

// cost returns the cost of computing a value from its arguments.
func (l *levels) cost(v *ir.Value) float64 {
	axes := slices.Clone(v.Axes)
	filled := 1.0
	for _, a := range v.Args {
		axes = append(axes, ir.Without(a.Axes, axes)...)
		if a.Sparse {
			filled = nominalFilled
		}
	}
	switch v.Op.Class {
	case ir.Leaf, ir.Sequential: // the cost of a scan is that of its next values
		return 0
	case ir.Map, ir.Move:
		return entrywise * filled * l.entries(v.Axes) * l.often(v)
	}
	return filled * l.entries(axes) * l.often(v)
}
