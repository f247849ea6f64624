package opt

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// sparse-terms: the log likelihood of sparse counts s is rewritten to read only the stored entries.
// Its terms are sums of s times a factor, of values that do not depend on s, and of log s!, which
// is 0 where s is 0.
//
//	Σv (s[n, v]·log r[v] − r[v] − log s[n, v]!)   → Σv s[n, v]·log r[v] − Σv r[v] − f[n],   f the datum Σv log s!
//	Σv (0 where s is 0, else s·x)                 → Σv s·x
//
// A product with a zero that is not stored is 0 whatever the other factor is, so 0·log 0 is 0 too.
// Sums of products of a factor of the row and a factor of the columns are split (separate.go). They
// become a product of matrices, or a sum over the columns that all rows share.
//
//	Σv s[n, v]·Σk z[n, k]·w[k, v]                 → Σk z[n, k]·Σv s[n, v]·w[k, v]
//	Σv a[v]·Σk z[n, k]·w[k, v]                    → Σk z[n, k]·Σv a[v]·w[k, v]
//
// If the other factor differs by row in another way, the sum is a loop over the stored entries; the
// data i and c are their columns and counts (stored.go). The same holds for any other function of
// s. At all zeros it has the same value, except for its other arguments:
//
//	Σv s[n, v]·log r[n, v]                        → Σe c[n, e]·log r[n, i[n, e]]
//	Σv f(s[n, v], r[v])                           → Σv f(0, r[v]) + Σe (f(c[n, e], r[i[n, e]]) − f(0, r[i[n, e]]))
func sparseTerms(b *ir.Builder, f *ir.Func) *ir.Func {
	return ir.RewriteFunc(b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if !is(v, ir.OpSum) || args[0].Sparse || !madeOfSparse(args[0], v.Over) {
			return nil
		}
		var total *ir.Value
		for _, p := range sparseParts(b, args[0], v.Over) {
			switch x := sum(b, p.v, p.over); {
			case total == nil && p.minus:
				total = b.Neg(x)
			case total == nil:
				total = x
			case p.minus:
				total = b.Sub(total, x)
			default:
				total = b.Add(total, x)
			}
		}
		return total
	})
}

// A sparsePart is a term that is summed over axes and then added or subtracted.
type sparsePart struct {
	v     *ir.Value
	over  []*ir.Axis
	minus bool
}

// SparseTerms applies sparse-terms to a list of terms, each summed over its Axes. A term that reads
// sparse data may become several.
func SparseTerms(b *ir.Builder, terms []ir.Output) []ir.Output {
	var out []ir.Output
	for _, t := range terms {
		if t.Value.Sparse || !madeOfSparse(t.Value, t.Axes) {
			out = append(out, t)
			continue
		}
		for _, p := range sparseParts(b, t.Value, t.Axes) {
			if p.minus {
				p.v = b.Neg(p.v)
			}
			out = append(out, ir.Output{Name: t.Name, Value: p.v, Axes: p.over})
		}
	}
	return out
}

// madeOfSparse reports whether x is an elementwise function of sparse data that have one of the
// axes.
func madeOfSparse(x *ir.Value, over []*ir.Axis) bool {
	if x.Sparse {
		return !lacksAll(x, over)
	}
	if x.Op.Class != ir.Map {
		return false
	}
	for _, a := range x.Args {
		if madeOfSparse(a, over) {
			return true
		}
	}
	return false
}

func lacksAll(x *ir.Value, over []*ir.Axis) bool {
	in, _ := split(x, over)
	return len(in) == 0
}

// sparseParts returns terms whose sum is Σ x over the axes.
func sparseParts(b *ir.Builder, x *ir.Value, over []*ir.Axis) []sparsePart {
	whole := []sparsePart{{v: x, over: over}}
	if !madeOfSparse(x, over) {
		return whole
	}
	switch x.Op {
	case ir.OpNeg:
		return negated(sparseParts(b, x.Args[0], over))
	case ir.OpAdd, ir.OpSub:
		l, r := sparseParts(b, x.Args[0], over), sparseParts(b, x.Args[1], over)
		if s := sparseLeaf(x); s != nil {
			l, r = denseParts(b, s, l), denseParts(b, s, r)
		}
		if is(x, ir.OpSub) {
			r = negated(r)
		}
		return append(l, r...)
	case ir.OpSelect:
		if s := zeroWhere(x.Args[0]); s != nil && x.Args[1].Is(0) && hasFactor(x.Args[2], s) {
			return sparseParts(b, x.Args[2], over)
		}
	case ir.OpLgamma:
		if s := plusOne(x.Args[0]); s != nil {
			if last := s.Axes[len(s.Axes)-1]; slices.Contains(over, last) {
				rest := ir.Without(over, []*ir.Axis{last})
				return []sparsePart{{v: b.Leaf(ir.OpData, data.LogFactorialsOf(s.Name),
					s.Axes[:len(s.Axes)-1]...), over: rest}}
			}
		}
	case ir.OpMul:
		if p := separated(b, x, over); p != nil {
			return []sparsePart{*p}
		}
		if p := distributed(b, x, over); p != nil {
			return p
		}
		if s, _ := sparseFactor(b, factorsOf(x)); s != nil {
			if p := storedEntries(b, x, over); p != nil {
				return []sparsePart{*p}
			}
			return whole
		}
	}
	if p := beyondZero(b, x, over); p != nil {
		return p
	}
	return whole
}

// distributed expands s·(x + y), where the sum has the rows and columns of s; x or y alone may lack
// either.
func distributed(b *ir.Builder, product *ir.Value, over []*ir.Axis) []sparsePart {
	factors := factorsOf(product)
	s, _ := sparseFactor(b, factors)
	if s == nil {
		return nil
	}
	for i, f := range factors {
		if !is(f, ir.OpAdd) && !is(f, ir.OpSub) || !f.Has(s.Axes[0]) || !f.Has(s.Axes[1]) {
			continue
		}
		rest := b.Num(1)
		for k, g := range factors {
			if k != i {
				rest = b.Mul(rest, g)
			}
		}
		second := sparseParts(b, b.Mul(rest, f.Args[1]), over)
		if is(f, ir.OpSub) {
			second = negated(second)
		}
		return append(sparseParts(b, b.Mul(rest, f.Args[0]), over), second...)
	}
	return nil
}

func negated(parts []sparsePart) []sparsePart {
	for i := range parts {
		parts[i].minus = !parts[i].minus
	}
	return parts
}

// factorsOf returns the factors of a product.
func factorsOf(x *ir.Value) []*ir.Value {
	if !is(x, ir.OpMul) {
		return []*ir.Value{x}
	}
	return append(factorsOf(x.Args[0]), factorsOf(x.Args[1])...)
}

// zeroWhere returns the sparse datum that a condition compares with 0; nil for other conditions.
func zeroWhere(cond *ir.Value) *ir.Value {
	if !is(cond, ir.OpEq) {
		return nil
	}
	for i, a := range cond.Args {
		if a.Is(0) && cond.Args[1-i].Sparse {
			return cond.Args[1-i]
		}
	}
	return nil
}

// plusOne returns the sparse datum s if x is s + 1, else nil.
func plusOne(x *ir.Value) *ir.Value {
	if !is(x, ir.OpAdd) {
		return nil
	}
	for i, a := range x.Args {
		if a.Is(1) && x.Args[1-i].Sparse {
			return x.Args[1-i]
		}
	}
	return nil
}

// hasFactor reports whether s is a factor of the product x.
func hasFactor(x, s *ir.Value) bool {
	return slices.Contains(factorsOf(x), s)
}
