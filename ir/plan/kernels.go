package plan

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// kernel makes the call that computes a reduction, contraction or scatter.
func (p *planner) kernel(v *ir.Value) *Kernel {
	k := &Kernel{Name: v.Op.Name, Dst: p.buffer[v], Acc: cut(v)}
	for _, a := range v.Args {
		k.Args = append(k.Args, p.argument(a, v))
	}
	switch {
	case countsRows(v):
		k.Name = "count_rows"
	case v.Op == ir.OpContract:
		contraction(k, v)
	case v.Op == ir.OpScatter:
		k.To = v.To
	case v.Op.Class == ir.Structured:
		structured(k, v)
	default:
		k.Along = v.Over
		before := true
		for _, a := range v.Args[0].Axes {
			switch {
			case slices.Contains(v.Over, a):
				before = false
			case before:
				k.Outer = append(k.Outer, a)
			default:
				k.Inner = append(k.Inner, a)
			}
		}
		k.Reverse = v.Mode == ir.Reverse
	}
	return k
}

// argument returns the buffer of a kernel's argument. An argument that has no buffer (an index, a
// constant) is stored by an extra loop before the kernel.
func (p *planner) argument(a, user *ir.Value) *Buffer {
	if b := p.buffer[a]; b != nil {
		return b
	}
	if a.Op == ir.OpCarry {
		if r, k := p.carried(a); p.rolls(r, k) {
			return p.buffer[r.parts[k]]
		}
	}
	b := p.newBuffer(a, Temp, a.Hint)
	*p.now = append(*p.now, Step{Loop: &Loop{Axes: a.Axes,
		Body: []Instr{{Args: []Operand{p.leafOperand(a)}, Value: a, Stores: []Store{{Buf: b}}}}}})
	return b
}

// leafOperand is stored for a leaf that has just got a buffer.
func (p *planner) leafOperand(a *ir.Value) Operand {
	b := p.buffer[a]
	delete(p.buffer, a)
	o := p.stored(a)
	p.buffer[a] = b
	return o
}

func contraction(k *Kernel, v *ir.Value) {
	x, y := v.Args[0], v.Args[1]
	g := groups(x, y, v.Over)
	k.Batch, k.M, k.N, k.K = g.Batch, g.M, g.N, g.K
	if x.Sparse {
		rows := x.Axes[0]
		transposed := slices.Contains(v.Over, rows)
		k.Name = "sparse_mul_vec"
		if len(g.N) > 0 {
			k.Name = "sparse_mul_mat"
		}
		if transposed {
			k.Name += "T"
		}
		return
	}
	if len(g.Batch) > 0 && g.rowsOutside() {
		k.Name = "gemm_rows"
		k.TransB = hasRows(g.M) && !equal(y.Axes, join(g.Batch, g.K, g.N))
		return
	}
	k.TransA = !equal(x.Axes, join(g.Batch, g.M, g.K))
	k.TransB = !equal(y.Axes, join(g.Batch, g.K, g.N))
	switch {
	case len(g.M) == 0 && len(g.N) == 0:
		k.Name = "dot"
	case len(g.N) == 0:
		k.Name = "gemv"
		if k.TransA {
			k.Name = "gemvT"
		}
	case len(g.M) == 0:
		// A row vector times a matrix: the kernel takes the matrix first.
		k.Args[0], k.Args[1] = k.Args[1], k.Args[0]
		k.M, k.N = k.N, nil
		k.Name = "gemv"
		if !k.TransB {
			k.Name = "gemvT"
		}
	default:
		k.Name = "gemm"
	}
}
