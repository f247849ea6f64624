package vm

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
)

// mostShort is the number of entries up to which a loop is short: what finds the numbers of a strip
// takes longer than to compute with them.
const mostShort = 64

// A short is a loop over few entries whose number is known, all of which are one strip, made ready.
type short struct {
	f    *function
	body []line
}

// A line is an instruction of a short.
type line struct {
	code   code
	n      int
	args   [3]part
	vector vector[float64]
	op     *ir.Op
	direct bool // out is the memory of the first store
	out    []float64
	stores []cell
}

// A part is an operand of a short.
type part struct {
	kind     plan.OperandKind
	local    int
	jacobian bool      // scalar
	ready    []float64 // const, size, scalar: the number, as often as there are entries
	whole    bool      // load: all entries, else one for all
	from     cell
}

// newShort makes a loop ready whose strip is known; nil where a loop over strips must run it.
func newShort(f *function, l *plan.Loop) *short {
	n, rows := f.count(l.Axes)
	if rows || n < 1 || n > mostShort {
		return nil
	}
	lp := &loop[float64]{f: f, axes: l.Axes, room: scratchOf[float64](f)}
	s := &short{f: f, body: make([]line, len(l.Body))}
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
			if !s.part(lp, &c.args[k], o, n) {
				return nil
			}
		}
		for k, st := range in.Stores {
			to, whole, ok := lp.cell(st.Buf, storeAt(st), false)
			if !ok || !whole {
				return nil
			}
			c.direct = c.direct || k == 0
			c.stores = append(c.stores, to)
		}
		c.out = make([]float64, n)
	}
	return s
}

// part makes an operand ready; false where a short cannot.
func (s *short) part(lp *loop[float64], p *part, o plan.Operand, n int) (ok bool) {
	*p = part{kind: o.Kind, local: o.Local, jacobian: o.Name == "jacobian"}
	switch o.Kind {
	case plan.Const:
		p.ready = lp.room.filled(o.Num)[:n]
	case plan.Size:
		p.ready = lp.room.filled(float64(s.f.size(o.Size)))[:n]
	case plan.Scalar:
		p.ready = make([]float64, n)
	case plan.Load:
		p.from, p.whole, ok = lp.cell(o.Buf, o.At, o.Guard)
		if p.ready = make([]float64, n); !ok {
			return false
		}
	}
	return o.Kind != plan.Iota
}

func (s *short) run() {
	for i := range s.body {
		in := &s.body[i]
		x := s.numbers(&in.args[0])
		y, z := x, x
		if in.n > 1 {
			y = s.numbers(&in.args[1])
		}
		if in.n > 2 {
			z = s.numbers(&in.args[2])
		}
		if in.direct {
			to := &in.stores[0]
			at := to.at()
			in.out = (*to.mem)[at : at+len(in.out)]
		}
		out := in.out
		x, y, z = x[:len(out)], y[:len(out)], z[:len(out)]
		switch in.code {
		case move:
			copy(out, x)
		case add:
			for k := range out {
				out[k] = x[k] + y[k]
			}
		case sub:
			for k := range out {
				out[k] = x[k] - y[k]
			}
		case mul:
			for k := range out {
				out[k] = x[k] * y[k]
			}
		case div:
			for k := range out {
				out[k] = x[k] / y[k]
			}
		case neg:
			for k := range out {
				out[k] = -x[k]
			}
		default:
			if in.vector != nil {
				in.vector(out, x, y, z)
				break
			}
			for k := range out {
				out[k] = in.op.Eval([3]float64{x[k], y[k], z[k]})
			}
		}
		for k := range in.stores {
			if to := &in.stores[k]; k > 0 || !in.direct {
				copy((*to.mem)[to.at():], out)
			}
		}
	}
}

// numbers returns the values of an operand.
func (s *short) numbers(p *part) []float64 {
	switch p.kind {
	case plan.Local:
		return s.body[p.local].out
	case plan.Load:
		at := p.from.at()
		if p.whole {
			return (*p.from.mem)[at : at+len(p.ready)]
		}
		fill(p.ready, (*p.from.mem)[at])
	case plan.Scalar:
		x := s.f.frame.Scale
		if p.jacobian {
			x = s.f.frame.Jacobian
		}
		fill(p.ready, x)
	}
	return p.ready
}
