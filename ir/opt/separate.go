package opt

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// A separation is Σ over some axes of ofRow·ofColumn, where the first lacks the axis of the columns
// and the second that of the rows.
type separation struct {
	b          *ir.Builder
	row, along *ir.Axis
	over       []*ir.Axis
	ofRow      *ir.Value
	ofColumn   *ir.Value
	both       bool // a sum that was expanded has both axes
}

// separate splits factors into a separation; nil where a factor has both axes and is not a sum of
// products that can be split.
func separate(b *ir.Builder, row, along *ir.Axis, factors []*ir.Value) *separation {
	p := &separation{b: b, row: row, along: along, ofRow: b.Num(1), ofColumn: b.Num(1)}
	for _, f := range factors {
		if !p.factor(f) {
			return nil
		}
	}
	// The axes of the expanded sums must not be used by another factor.
	for i, a := range p.over {
		if slices.Contains(p.over[:i], a) || slices.ContainsFunc(factors,
			func(f *ir.Value) bool { return f.Has(a) }) {
			return nil
		}
	}
	return p
}

func (p *separation) factor(f *ir.Value) bool {
	b := p.b
	switch {
	case !f.Has(p.along):
		p.ofRow = b.Mul(p.ofRow, f)
		return true
	case !f.Has(p.row):
		p.ofColumn = b.Mul(p.ofColumn, f)
		return true
	}
	switch {
	case is(f, ir.OpMul):
		return p.factor(f.Args[0]) && p.factor(f.Args[1])
	case is(f, ir.OpNeg):
		p.ofRow = b.Neg(p.ofRow)
		return p.factor(f.Args[0])
	case is(f, ir.OpDiv):
		return p.factor(f.Args[0]) && !(f.Args[1].Has(p.along) && f.Args[1].Has(p.row)) &&
			p.factor(b.Div(b.Num(1), f.Args[1]))
	case is(f, ir.OpSum), is(f, ir.OpContract):
		if slices.Contains(f.Over, p.row) || slices.Contains(f.Over, p.along) {
			return false
		}
		p.over, p.both = append(p.over, f.Over...), true
		for _, a := range f.Args {
			if !p.factor(a) {
				return false
			}
		}
		return true
	}
	return false
}

// separated returns Σ s·x, with x a product of a row's and a column's factors, as a product of
// matrices times the row's factors; nil where x has another form.
func separated(b *ir.Builder, product *ir.Value, over []*ir.Axis) *sparsePart {
	s, _ := sparseFactor(b, factorsOf(product))
	if s == nil || !slices.Contains(over, s.Axes[1]) {
		return nil
	}
	var others []*ir.Value
	for _, f := range factorsOf(product) {
		if f != s {
			others = append(others, f)
		}
	}
	p := separate(b, s.Axes[0], s.Axes[1], others)
	if p == nil || !p.both && !p.ofRow.Has(s.Axes[0]) || len(ir.Without(over, p.over)) < len(over) {
		return nil
	}
	v := b.Mul(p.ofRow, b.Sum(b.Mul(s, p.ofColumn), s.Axes[1]))
	return &sparsePart{v: v, over: append(ir.Without(over, []*ir.Axis{s.Axes[1]}), p.over...)}
}

// denseParts splits parts that do not read s: sums into their summands, and products into factors
// of rows and of columns, so that the sum over the columns is computed once for all rows.
func denseParts(b *ir.Builder, s *ir.Value, parts []sparsePart) []sparsePart {
	var out []sparsePart
	for _, t := range parts {
		x := t.v
		if len(s.Axes) != 2 || !x.Has(s.Axes[0]) || !x.Has(s.Axes[1]) ||
			!slices.Contains(t.over, s.Axes[1]) || slices.Contains(ir.Reach(x), s) {
			out = append(out, t)
			continue
		}
		switch {
		case is(x, ir.OpNeg):
			out = append(out, negatedIf(t.minus,
				negated(denseParts(b, s, []sparsePart{{v: x.Args[0], over: t.over}})))...)
			continue
		case is(x, ir.OpAdd), is(x, ir.OpSub):
			l, r := denseParts(b, s, []sparsePart{{v: x.Args[0], over: t.over}}),
				denseParts(b, s, []sparsePart{{v: x.Args[1], over: t.over}})
			out = append(append(out, negatedIf(t.minus, l)...),
				negatedIf(t.minus != is(x, ir.OpSub), r)...)
			continue
		case is(x, ir.OpMul), is(x, ir.OpDiv):
			p := separate(b, s.Axes[0], s.Axes[1], factorsOf(x))
			if p != nil && p.both && len(ir.Without(t.over, p.over)) == len(t.over) {
				over := append(ir.Without(t.over, []*ir.Axis{s.Axes[1]}), p.over...)
				t = sparsePart{v: b.Mul(p.ofRow, b.Sum(p.ofColumn, s.Axes[1])), over: over,
					minus: t.minus}
			}
		}
		out = append(out, t)
	}
	return out
}

func negatedIf(minus bool, parts []sparsePart) []sparsePart {
	if minus {
		return negated(parts)
	}
	return parts
}
