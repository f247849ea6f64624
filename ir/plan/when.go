package plan

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// A When says for which entries the number of an instruction is needed. The condition is an operand
// behind those of the op. Elsewhere the number is 0.
type When int

const (
	Always  When = iota // there is no condition
	IfTrue              // where the condition is not 0
	IfFalse             // where it is 0
)

func (w When) String() string { return [...]string{"", "where", "where not"}[w] }

// A need is a condition under which a value is needed, for the entry at the same index along the
// condition's axes.
type need struct {
	cond *ir.Value
	when When
}

// not is the need that holds where this one does not.
func (n need) not() need { return need{n.cond, IfTrue + IfFalse - n.when} }

// costs are the conditions under which the values of costly ops are needed. A log density of which
// the data choose a branch,
//
//	select(event[n], −t[n], log_gamma_q(k, t[n]))
//
// needs log_gamma_q where event is 0, and its gradient needs the derivatives there: elsewhere they
// are multiplied by a cotangent that is 0 (mul0). All conditions of a value hold at once where it
// is needed; a value that has two users is needed where either is.
func (p *planner) costs() {
	users := map[*ir.Value][]need{}
	known := map[*ir.Value]bool{}
	add := func(v *ir.Value, list ...need) {
		list = slices.DeleteFunc(slices.Clone(list),
			func(n need) bool { return len(ir.Without(n.cond.Axes, v.Axes)) > 0 })
		if known[v] {
			list = slices.DeleteFunc(list, func(n need) bool { return !slices.Contains(users[v], n) })
		}
		users[v], known[v] = list, true
	}
	for _, o := range p.f.Outputs {
		add(o.Value)
	}
	for _, v := range slices.Backward(p.values) {
		own := users[v]
		for i, a := range v.Args {
			switch {
			case v.Op == ir.OpSelect && i > 0:
				add(a, append(slices.Clone(own), holds(v.Args[0], When(i)))...)
			case v.Op == ir.OpMul0 && i == 1:
				list := slices.Clone(own)
				for _, z := range zeros(v.Args[0]) {
					list = append(list, z.not())
				}
				add(a, list...)
			case v.Op.Class == ir.Map || v.Op.Class == ir.Reduce || v.Op.Class == ir.Product:
				add(a, own...)
			default: // its entries are others than those of the value
				add(a)
			}
		}
	}
	p.needed = users
}

// holds is that a condition has a truth value.
func holds(cond *ir.Value, when When) need {
	for cond.Op == ir.OpNot {
		cond, when = cond.Args[0], need{when: when}.not().when
	}
	return need{cond, when}
}

// zeros are conditions each of which makes a value 0.
func zeros(v *ir.Value) []need {
	switch v.Op {
	case ir.OpNeg, ir.OpMul0:
		return zeros(v.Args[0])
	case ir.OpSelect:
		var out []need
		for k, when := range []When{IfTrue, IfFalse} {
			if v.Args[k+1].Is(0) {
				out = append(out, holds(v.Args[0], when))
			}
		}
		return out
	case ir.OpMul:
		for k, a := range v.Args {
			if x, ok := a.Const(); ok && !math.IsInf(x, 0) && !math.IsNaN(x) {
				return zeros(v.Args[1-k])
			}
		}
	}
	return nil
}

// only adds the condition under which an instruction of a loop is needed, if its op is costly and
// the condition is at hand: it is a datum, or the loop has computed it before.
func (p *planner) only(in *Instr, v *ir.Value, local map[*ir.Value]int) {
	if !v.Op.Costly {
		return
	}
	for _, n := range p.needed[v] {
		if _, here := local[n.cond]; !here && n.cond.Op != ir.OpData {
			continue
		}
		in.When, in.Args = n.when, append(in.Args, p.operand(n.cond, local))
		return
	}
}
