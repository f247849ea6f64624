package codegen

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
)

// A term is a number times an array, entry by entry.
type term struct {
	buf  *plan.Buffer
	coef *plan.Operand // nil: 1
	neg  bool
}

// fewEntries is the number of entries below which a loop is not divided.
const fewEntries = 16

// combination emits a loop that only adds two multiples of arrays, as the end
// of a gradient does with the prior's part and the rows', as a call of
// kernel.Combine, which has the loop's bits: a product with 1 is exact, and so is
// a change of sign.
func (n *nest) combination(body []plan.Instr) (bool, error) {
	if len(n.groups) != 1 || n.few() {
		return false, nil
	}
	uses, root := n.uses(body), -1
	for i, in := range body {
		if len(n.kept(in.Stores)) > 0 {
			if root >= 0 {
				return false, nil
			}
			root = i
		}
	}
	if root < 0 || uses[root] > 0 || len(body[root].Stores) != 1 ||
		body[root].Op != ir.OpAdd && body[root].Op != ir.OpSub {
		return false, nil
	}
	store := body[root].Stores[0]
	if len(store.Buf.Axes) == 0 || !n.flat(store.Buf, storeAt(store)) {
		return false, nil
	}
	var terms [2]term
	taken := 1
	for i := range terms {
		t, k, ok := n.term(body, uses, body[root].Args[i])
		if !ok {
			return false, nil
		}
		terms[i] = t
		taken += k
	}
	needed := 0
	for i := range body {
		if i == root || uses[i] > 0 {
			needed++
		}
	}
	if taken != needed {
		return false, nil
	}
	terms[1].neg = terms[1].neg != (body[root].Op == ir.OpSub)
	return true, n.combine(store.Buf, terms)
}

// combine writes the call.
func (n *nest) combine(dst *plan.Buffer, terms [2]term) error {
	var coefs [2]string
	for i, t := range terms {
		e := primary("1")
		if t.coef != nil {
			var err error
			if e, err = n.operand(*t.coef); err != nil {
				return err
			}
		}
		if coefs[i] = e.text; t.neg {
			coefs[i] = negative(e).text
		}
	}
	name := n.m.call("Combine") + "("
	switch {
	case n.single && n.m.f.direct[dst]:
		name = n.m.call("CombineWide") + "("
	case n.m.f.long(dst):
		name = n.m.call("TeamCombine") + "(frame.Team, "
	}
	n.m.body.WriteString(n.before[0].String())
	n.m.printf("%s%s, %s, %s, %s, %s)", name, n.m.array(dst), n.m.array(terms[0].buf), coefs[0],
		n.m.array(terms[1].buf), coefs[1])
	return nil
}

// negative is the expression with the other sign.
func negative(e expr) expr {
	if isNumber(e.text) && e.text[0] == '-' {
		return primary("%s", e.text[1:])
	}
	return expr{"-" + e.in(precUnary), precUnary}
}

// term reads an operand as a multiple of an array, and counts the instructions
// that it is made of.
func (n *nest) term(body []plan.Instr, uses []int, o plan.Operand) (t term, taken int, ok bool) {
	switch o.Kind {
	case plan.Load:
		return term{buf: o.Buf}, 0, len(o.Buf.Axes) > 0 && !o.Buf.Sparse && !n.stored[o.Buf] &&
			n.flat(o.Buf, o.At)
	case plan.Local:
		in := body[o.Local]
		if uses[o.Local] != 1 || len(n.kept(in.Stores)) > 0 {
			return t, 0, false
		}
		switch in.Op {
		case nil, ir.OpNeg:
			t, taken, ok = n.term(body, uses, in.Args[0])
			t.neg = t.neg != (in.Op != nil)
			return t, taken + 1, ok
		case ir.OpMul:
			for i := range 2 {
				number := in.Args[1-i]
				if !n.isNumber(number) {
					continue
				}
				t, taken, ok = n.term(body, uses, in.Args[i])
				if ok && t.coef == nil {
					t.coef = &number
					return t, taken + 1, true
				}
			}
		}
	}
	return t, 0, false
}

// isNumber reports whether an operand is the same for all entries.
func (n *nest) isNumber(o plan.Operand) bool {
	return o.Kind == plan.Const || o.Kind == plan.Scalar ||
		o.Kind == plan.Load && len(o.Buf.Axes) == 0 && !n.stored[o.Buf]
}

// flat reports whether an access walks through all of a buffer as the loop goes.
func (n *nest) flat(b *plan.Buffer, at []plan.Index) bool { return walks(b, at, n.groups[0]) }

// walks reports whether an access walks through all of a buffer as loops over axes go.
func walks(b *plan.Buffer, at []plan.Index, axes []*ir.Axis) bool {
	if len(at) != len(axes) {
		return false
	}
	for i, x := range at {
		if x.Axis != axes[i] || x.From != nil || x.Clamp || x.Neg || len(x.Off.Terms) > 0 ||
			!sameLength(b.Axes[i], axes[i]) {
			return false
		}
	}
	return true
}

// few reports whether the loop is known to be short.
func (n *nest) few() bool {
	entries := 1
	for _, a := range n.groups[0] {
		k, known := a.Size.Number()
		if a.Rows || !known {
			return false
		}
		entries *= k
	}
	return entries < fewEntries
}
