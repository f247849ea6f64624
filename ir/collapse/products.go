package collapse

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// A product is outside · data, summed over axes that are not the child's. outside is the same for
// all entries of the child; data depends on data alone.
type product struct {
	outside, data *ir.Value
	over          []*ir.Axis
}

// mostProducts is the largest number of products that an expression is split into.
const mostProducts = 8

// products writes w, one number for every entry of a child, as a sum of products; false where it
// has no such form.
func (c *child) products(w *ir.Value) ([]product, bool) {
	b, one := c.B, c.B.Num(1)
	switch {
	case !w.State():
		return []product{{outside: one, data: w}}, true
	case !slices.ContainsFunc(c.over, w.Has):
		return []product{{outside: w, data: one}}, true
	}
	each := func(x *ir.Value, f func(p product) product) ([]product, bool) {
		list, ok := c.products(x)
		out := make([]product, len(list))
		for i, p := range list {
			out[i] = f(p)
		}
		return out, ok
	}
	switch v := w; v.Op {
	case ir.OpNeg:
		return each(v.Args[0], func(p product) product { p.outside = b.Neg(p.outside); return p })
	case ir.OpAdd, ir.OpSub:
		x, ok := c.products(v.Args[0])
		y, ok2 := each(v.Args[1], func(p product) product {
			if v.Op == ir.OpSub {
				p.outside = b.Neg(p.outside)
			}
			return p
		})
		return append(x, y...), ok && ok2 && len(x)+len(y) <= mostProducts
	case ir.OpMul:
		x, ok := c.products(v.Args[0])
		y, ok2 := c.products(v.Args[1])
		if !ok || !ok2 || len(x)*len(y) > mostProducts {
			return nil, false
		}
		var out []product
		for _, p := range x {
			for _, q := range y {
				if p.meets(q) || q.meets(p) {
					return nil, false
				}
				out = append(out,
					product{b.Mul(p.outside, q.outside), b.Mul(p.data, q.data),
						append(slices.Clone(p.over), q.over...)})
			}
		}
		return out, true
	case ir.OpDiv:
		q, ok := c.products(v.Args[1])
		if !ok || len(q) != 1 || len(q[0].over) > 0 {
			return nil, false
		}
		out, ok := each(v.Args[0], func(p product) product {
			return product{b.Div(p.outside, q[0].outside), b.Div(p.data, q[0].data), p.over}
		})
		return out, ok && !slices.ContainsFunc(out, func(p product) bool { return p.meets(q[0]) })
	case ir.OpSelect:
		if v.Args[0].State() {
			return nil, false
		}
		x, ok := each(v.Args[1], func(p product) product {
			p.data = b.Map(ir.OpSelect, v.Args[0], p.data, b.Num(0))
			return p
		})
		y, ok2 := each(v.Args[2], func(p product) product {
			p.data = b.Map(ir.OpSelect, v.Args[0], b.Num(0), p.data)
			return p
		})
		return append(x, y...), ok && ok2 && len(x)+len(y) <= mostProducts
	case ir.OpSum:
		return each(v.Args[0], func(p product) product {
			p.over = append(slices.Clone(p.over), v.Over...)
			return p
		})
	}
	return nil, false
}

// meets reports whether a factor has an axis that p is summed over.
func (p product) meets(q product) bool {
	return slices.ContainsFunc(p.over,
		func(a *ir.Axis) bool { return q.outside.Has(a) || q.data.Has(a) })
}
