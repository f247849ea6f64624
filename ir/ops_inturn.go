package ir

import (
	"errors"
	"fmt"

	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// OpDrawInTurn draws categories one after another by counts of all of them.
var OpDrawInTurn *Op

func init() {
	OpDrawInTurn = row(Op{Name: "draw_in_turn", Class: Structured, Arity: 6, NoGradient: "a draw",
		Rebuild: func(b *Builder, v *Value, args []*Value) *Value {
			return b.drawInTurn(args, v.Over, v.To)
		},
		Shape:     verifyInTurn,
		Reference: (*evaluator).drawInTurn,
		Doc: "args w, z, u, c, a, s: for i from 0 on, c[i] is taken from entry z[i] of s, category i " +
			"is drawn with weights w[i, j]·(a[j] + s[j]) at u[i], and c[i] is added to its entry. " +
			"The categories, then s at the end, then the weights of the last. Over is i, j"})
}

// DrawInTurn draws the categories z[i] anew, one after another: each leaves the counts s, is drawn
// with weights w[i, j]·(a[j] + s[j]) at the uniform number u[i], and joins the counts again, in
// which it weighs c[i]. The result has the categories along i.
func (b *Builder) DrawInTurn(w, z, u, c, a, s *Value, i, j *Axis) *Value {
	args := []*Value{w, z, u, c, a, s}
	for k, own := range InTurnArgs([]*Axis{i, j}) {
		args[k] = b.Spread(args[k], own...)
	}
	to := b.Axis(i.Name, i.Size.Add(j.Size.Mul(size.Const(2))))
	return b.Slice(b.drawInTurn(args, []*Axis{i, j}, to), to, i, size.Const(0))
}

func (b *Builder) drawInTurn(args []*Value, over []*Axis, to *Axis) *Value {
	var batch []*Axis
	for _, x := range args {
		batch = union(batch, without(x.Axes, over))
	}
	return b.Make(Value{Op: OpDrawInTurn, Args: args, Over: over, To: to, Axes: append(batch, to)})
}

// InTurnArgs are the axes of each argument of draw_in_turn, which follow those of the batch.
func InTurnArgs(over []*Axis) [6][]*Axis {
	i, j := over[:1], over[1:]
	return [6][]*Axis{over, i, i, i, j, j}
}

// verifyInTurn is the shape rule.
func verifyInTurn(v *Value, all []*Axis) ([]*Axis, error) {
	if len(v.Over) != 2 || v.To == nil {
		return nil, errors.New("draws along one axis among the categories along another")
	}
	for k, want := range InTurnArgs(v.Over) {
		if has := without(v.Over, without(v.Over, v.Args[k].Axes)); !SameAxes(has, want) {
			return nil, fmt.Errorf("argument %d has axes %s of the draws and categories, wants %s", k,
				axesText(has), axesText(want))
		}
	}
	return append(without(all, v.Over), v.To), nil
}

// drawInTurn is the reference semantics: the kernel, for one array at a time.
func (e *evaluator) drawInTurn(v *Value, args []Array) Array {
	i, j := v.Over[0], v.Over[1]
	n, k := e.length(i), e.length(j)
	out := e.make(v.Axes)
	e.each(without(v.Axes, []*Axis{v.To}), func(at index) {
		in := copyIndex(at)
		var x [6][]float64
		for a, own := range InTurnArgs(v.Over) {
			for in[i] = range n {
				for in[j] = range k {
					if in[i] > 0 && indexOf(own, i) < 0 || in[j] > 0 && indexOf(own, j) < 0 {
						continue // the argument lacks the axis
					}
					x[a] = append(x[a], args[a].get(in))
				}
			}
		}
		dst := make([]float64, n+2*k)
		kernel.DrawInTurn(dst, x[0], x[1], x[2], x[3], x[4], x[5], 1, n, k)
		for c, y := range dst {
			in[v.To] = c
			offset := 0
			for d, a := range out.Axes {
				offset = offset*out.Dims[d] + in[a]
			}
			out.Data[offset] = y
		}
	})
	return out
}
