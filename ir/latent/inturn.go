package latent

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// InTurn finds the scans over the entries of a discrete local whose weights are a table times a
// constant plus a count of all entries, as those of topics are where proportions are integrated
// out. Each becomes one op:
//
//	S', z' = scan over i: T = add_at(S, z[i], −c[i]); z' = category(w[i]·(a + T), u[i]);
//	         S' = add_at(T, z', c[i])
//	→ z' = draw_in_turn(w, z, u, c, a, S)
//
// A scan whose counts are read by something else stays.
func InTurn(b *ir.Builder, f *ir.Func) *ir.Func {
	read := map[*ir.Value]bool{} // first carries of scans of which more than drawn categories is read
	for _, v := range f.Values() {
		for i, a := range v.Args {
			if a.Op == ir.OpScan && !(i == 0 && steps(v) && categoriesOf(a) != nil) {
				read[a.Args[0]] = true
			}
		}
	}
	return ir.RewriteFunc(b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if !steps(v) || read[v.Args[0].Args[0]] || args[0].Op != ir.OpScan {
			return nil
		}
		s := categoriesOf(args[0])
		if s == nil {
			return nil
		}
		i, k := args[0].Over[0], s.draw.Over[0]
		return b.Rename(b.DrawInTurn(s.table, s.at, s.draw.Args[1], s.by, s.prior, s.init, i, k), i,
			v.To)
	})
}

// steps reports whether v has the values of a scan after each of its steps.
func steps(v *ir.Value) bool {
	if v.Op != ir.OpSlice || v.Args[0].Op != ir.OpScan {
		return false
	}
	s := v.Args[0]
	return v.Over[0] == s.To && v.Off.Equal(size.Const(1)) && v.To.Size.Equal(s.Over[0].Size)
}

// countedDraws are the parts of a scan that draws categories by their counts.
type countedDraws struct {
	draw                       *ir.Value // the category of a step
	table, prior, at, by, init *ir.Value
}

// categoriesOf returns the parts of a scan whose result v has the categories; nil for others.
func categoriesOf(v *ir.Value) *countedDraws {
	carries, inits, nexts := ir.ScanParts(v)
	if len(carries) != 2 || v.Mode == ir.Reverse || nexts[v.Part].Op != ir.OpCategory {
		return nil
	}
	counts, draw, after := carries[1-v.Part], nexts[v.Part], nexts[1-v.Part]
	k := draw.Over[0]
	if after.Op != ir.OpAddAt || after.Over[0] != k || after.Args[1] != draw {
		return nil
	}
	without := after.Args[0]
	if without.Op != ir.OpAddAt || without.Over[0] != k || without.Args[0] != counts ||
		!opposite(without.Args[2], after.Args[2]) {
		return nil
	}
	s := &countedDraws{draw: draw, at: without.Args[1], by: after.Args[2], init: inits[1-v.Part]}
	s.table, s.prior = weighed(draw.Args[0], without)
	if s.table == nil || s.prior.Has(v.Over[0]) {
		return nil
	}
	for _, x := range ir.Reach(s.table, s.prior, s.at, s.by, draw.Args[1]) {
		if slices.Contains(carries, x) {
			return nil
		}
	}
	return s
}

// weighed splits the weights w·(a + counts) into w and a; nil where they have another form.
func weighed(weights, counts *ir.Value) (w, a *ir.Value) {
	if weights.Op != ir.OpMul {
		return nil, nil
	}
	for i, sum := range weights.Args {
		if sum.Op != ir.OpAdd {
			continue
		}
		for j, x := range sum.Args {
			if x == counts {
				return weights.Args[1-i], sum.Args[1-j]
			}
		}
	}
	return nil, nil
}

// opposite reports whether x is −y.
func opposite(x, y *ir.Value) bool {
	switch {
	case x.Op == ir.OpNeg:
		return x.Args[0] == y
	case x.Op == ir.OpSelect && y.Op == ir.OpSelect:
		return x.Args[0] == y.Args[0] && opposite(x.Args[1], y.Args[1]) &&
			opposite(x.Args[2], y.Args[2])
	}
	p, isNumber := x.Const()
	q, too := y.Const()
	return isNumber && too && p == -q
}
