package vm

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
)

// A single is a loop without axes made ready: each of its instructions makes one number. Small
// models consist of such loops for the most part, and slices of one number would take most of their
// time.
type single struct {
	f     *function
	body  []once
	value []float64 // of the instructions
}

// A once is an instruction of a single.
type once struct {
	code   code
	n      int
	args   [3]term
	vector vector[float64]
	op     *ir.Op
	one    [4][1]float64 // the result and the operands of vector
	stores []cell
}

// A code is an op that a single computes by itself, with the bits of its vector.
type code int

const (
	other code = iota
	move
	add
	sub
	mul
	div
	neg
)

var codes = map[string]code{"add": add, "sub": sub, "mul": mul, "div": div, "neg": neg}

// A term is an operand of a single.
type term struct {
	kind     plan.OperandKind
	local    int
	num      float64 // const, size
	jacobian bool    // scalar
	now      *int    // iota
	from     cell    // load
}

// A cell is a place in an array: an offset, plus strides times the indices of sequences around.
type cell struct {
	mem    *[]float64
	offset int
	now    []*int
	step   []int
}

func (c *cell) at() int {
	at := c.offset
	for i, now := range c.now {
		at += *now * c.step[i]
	}
	return at
}

// newSingle makes a loop without axes ready; nil where a loop over strips must run it.
func newSingle(f *function, l *plan.Loop) *single {
	s := &single{f: f, body: make([]once, len(l.Body)), value: make([]float64, len(l.Body))}
	lp := &loop[float64]{f: f, room: scratchOf[float64](f)} // finds places in arrays
	for i, in := range l.Body {
		c := &s.body[i]
		if in.When != plan.Always || len(in.Args) == 0 || len(in.Args) > len(c.args) ||
			in.Op != nil && in.Op.Class == ir.Random {
			return nil
		}
		c.n, c.op, c.code = len(in.Args), in.Op, move
		if c.op != nil {
			c.code, c.vector = codes[c.op.Name], vectorOf[float64](c.op.Name)
		}
		for k, o := range in.Args {
			if !s.term(lp, &c.args[k], o) {
				return nil
			}
		}
		for _, st := range in.Stores {
			to, _, ok := lp.cell(st.Buf, storeAt(st), false)
			if !ok {
				return nil
			}
			c.stores = append(c.stores, to)
		}
	}
	return s
}

// term makes an operand ready; false where a single cannot.
func (s *single) term(lp *loop[float64], t *term, o plan.Operand) (ok bool) {
	*t = term{kind: o.Kind, local: o.Local, num: o.Num, jacobian: o.Name == "jacobian"}
	switch o.Kind {
	case plan.Size:
		t.num = float64(s.f.size(o.Size))
	case plan.Iota:
		t.now = s.f.now[o.Axis]
		return t.now != nil
	case plan.Load:
		t.from, _, ok = lp.cell(o.Buf, o.At, o.Guard)
		return ok
	}
	return true
}

// cell finds where a loop begins in an array. whole says that it goes through the array as through
// its own entries, else it stays at the cell. ok is false where it does neither, where the array
// has the other precision, and where the place depends on numbers.
func (l *loop[T]) cell(
	b *plan.Buffer, at []plan.Index, guard bool,
) (c cell, whole, ok bool) {
	for _, x := range at {
		if x.From != nil {
			return c, false, false
		}
	}
	a := l.access(b, at, guard)
	mem, same := any(a.mem).(*[]float64)
	if a.general || !same || mem == nil {
		return c, false, false
	}
	whole, still, step := true, true, 1
	for i := len(l.axes) - 1; i >= 0; i-- {
		whole, still = whole && a.stride[i] == step, still && a.stride[i] == 0
		if !l.axes[i].Rows {
			step *= l.f.size(l.axes[i].Size)
		}
	}
	return cell{mem, a.offset, a.now, a.step}, whole, whole || still
}

// storeAt is where a store writes.
func storeAt(s plan.Store) []plan.Index {
	if s.At != nil {
		return s.At
	}
	var at []plan.Index
	for _, a := range s.Buf.Axes {
		at = append(at, plan.Index{Axis: a})
	}
	return at
}

func (s *single) run() {
	for i := range s.body {
		in := &s.body[i]
		x, y, r := s.number(&in.args[0]), 0.0, 0.0
		if in.n > 1 {
			y = s.number(&in.args[1])
		}
		switch in.code {
		case move:
			r = x
		case add:
			r = float64(x + y)
		case sub:
			r = float64(x - y)
		case mul:
			r = float64(x * y)
		case div:
			r = float64(x / y)
		case neg:
			r = -x
		default:
			z := 0.0
			if in.n > 2 {
				z = s.number(&in.args[2])
			}
			r = in.eval(x, y, z)
		}
		s.value[i] = r
		for k := range in.stores {
			to := &in.stores[k]
			(*to.mem)[to.at()] = r
		}
	}
}

// number returns the value of an operand.
func (s *single) number(t *term) float64 {
	switch t.kind {
	case plan.Local:
		return s.value[t.local]
	case plan.Load:
		return (*t.from.mem)[t.from.at()]
	case plan.Iota:
		return float64(*t.now)
	case plan.Scalar:
		if t.jacobian {
			return s.f.frame.Jacobian
		}
		return s.f.frame.Scale
	}
	return t.num // const, size
}

// eval computes an op as a strip of one number.
func (in *once) eval(x, y, z float64) float64 {
	if in.vector == nil {
		return in.op.Eval([3]float64{x, y, z})
	}
	in.one[1][0], in.one[2][0], in.one[3][0] = x, y, z
	in.vector(in.one[0][:], in.one[1][:], in.one[2][:], in.one[3][:])
	return in.one[0][0]
}
