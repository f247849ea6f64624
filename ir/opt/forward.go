package opt

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// forward: recurrences of log-sum-exps over hidden states become forward recursions.
//
//	scan a from init { log_sum_exp over j of (a[j] + step[j, k]) + seen[t, k] }
//	→ log_forward(init, step, seen)
//
// Terms in the log-sum-exp that do not depend on j are taken out of it.
func forward(b *ir.Builder, f *ir.Func) *ir.Func {
	values := f.Values()
	if !slices.ContainsFunc(values, func(v *ir.Value) bool { return is(v, ir.OpScan) }) {
		return f
	}
	free := ir.Carries(values)
	outside := map[*ir.Value]bool{} // carries that are read outside of their steps
	for _, o := range f.Outputs {
		for _, c := range free[o.Value] {
			outside[c] = true
		}
	}
	return ir.RewriteFunc(b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if v.Op != ir.OpScan || len(args) != 3 || v.Mode == ir.Reverse || outside[v.Args[0]] {
			return nil
		}
		return hiddenStates(b, v, args[0], args[1], args[2])
	})
}

// A hidden is a scan that may be a forward recursion, in parts.
type hidden struct {
	b          *ir.Builder
	free       map[*ir.Value][]*ir.Value // the carries that values depend on
	carry      *ir.Value
	t, j, k    *ir.Axis // steps, the states before one, and those after it
	step, seen *ir.Value
	late       []term // of seen, along j
	carries    int    // how often the carry is a term of the log-sum-exp
}

// A term is added, or subtracted.
type term struct {
	x     *ir.Value
	minus bool
}

// hiddenStates returns a scan as a forward recursion; nil where it is none.
func hiddenStates(b *ir.Builder, scan, carry, init, next *ir.Value) *ir.Value {
	if !is(next, ir.OpRename) && !is(next, ir.OpAdd) && !is(next, ir.OpSub) {
		return nil
	}
	h := &hidden{b: b, free: ir.Carries(ir.Reach(init, next)), carry: carry, t: scan.Over[0],
		step: b.Num(0), seen: b.Num(0)}
	if len(h.free[init]) > 0 || !h.after(term{next, false}, false) || h.carries != 1 {
		return nil
	}
	for _, l := range h.late {
		h.seen = h.with(h.seen, term{b.Rename(l.x, h.j, h.k), l.minus})
	}
	if h.seen.Has(h.j) {
		return nil
	}
	out := b.LogForward(b.Rename(init, h.j, h.k), h.step, h.seen, []*ir.Axis{h.t, h.j, h.k},
		scan.To)
	return b.Spread(b.Rename(out, h.k, h.j), scan.Axes...)
}

func (h *hidden) static(x *ir.Value) bool { return len(h.free[x]) == 0 }

func (h *hidden) with(sum *ir.Value, l term) *ir.Value {
	switch {
	case l.minus:
		return h.b.Sub(sum, l.x)
	case sum.Is(0):
		return l.x
	}
	return h.b.Add(sum, l.x)
}

// terms are those of a sum or a difference; none of other values.
func (l term) terms() []term {
	switch l.x.Op {
	case ir.OpAdd:
		return []term{{l.x.Args[0], l.minus}, {l.x.Args[1], l.minus}}
	case ir.OpSub:
		return []term{{l.x.Args[0], l.minus}, {l.x.Args[1], !l.minus}}
	}
	return nil
}

// after takes apart what is made of the carry: the log-sum-exp, with the states after it on an
// axis that a rename makes that of the carry, and terms beside it. It reports whether it is so.
func (h *hidden) after(l term, renamed bool) bool {
	x := l.x
	switch {
	case h.static(x) && renamed:
		h.seen = h.with(h.seen, l)
		return true
	case h.static(x):
		h.late = append(h.late, l)
		return true
	case is(x, ir.OpRename) && !renamed && (h.k == nil || h.k == x.Over[0] && h.j == x.To):
		h.k, h.j = x.Over[0], x.To
		return h.after(term{x.Args[0], l.minus}, true)
	case is(x, ir.OpLogSumExp) && renamed && !l.minus && len(x.Over) == 1 && x.Over[0] == h.j &&
		h.carry.Has(h.j) && h.j != h.t && h.k != h.t:
		return h.before(term{x.Args[0], false})
	}
	terms := l.terms()
	for _, a := range terms {
		if !h.after(a, renamed) {
			return false
		}
	}
	return len(terms) > 0
}

// before takes apart what the log-sum-exp is of: the carry and terms of steps, and of what is seen.
func (h *hidden) before(l term) bool {
	x := l.x
	switch {
	case x == h.carry && !l.minus:
		h.carries++
		return true
	case h.static(x) && !x.Has(h.j):
		h.seen = h.with(h.seen, l)
		return true
	case h.static(x) && !x.Has(h.t):
		h.step = h.with(h.step, l)
		return true
	}
	terms := l.terms()
	for _, a := range terms {
		if !h.before(a) {
			return false
		}
	}
	return len(terms) > 0
}
