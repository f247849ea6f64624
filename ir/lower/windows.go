package lower

import (
	"fmt"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// windows lowers conv2d and the pools: the entries under every window, followed by a sum of
// products with the weights or a reduction. Channels are the last axis, so that a row of a window
// is contiguous in memory.
func (l *Model) windows(e *ast.Call, c *check.Callee) tensor {
	b, w := l.B, c.Window
	x := l.expr(c.Args[0])
	shape := l.shape(l.typeOf(e))
	for _, n := range shape[1:] {
		l.checkWindow(e, n)
	}
	if w.Pad > 0 {
		for i, a := range x.axes[1:] {
			wide := b.Axis(a.Name, a.Size.Add(size.Const(2*w.Pad)))
			x = tensor{v: b.Pad(x.v, a, wide, size.Const(w.Pad)),
				axes: append([]*ir.Axis{}, x.axes...)}
			x.axes[i+1] = wide
		}
	}
	channel, rows, cols := x.axes[0], x.axes[1], x.axes[2]
	up, right := b.Axis(rows.Name, shape[1]), b.Axis(cols.Name, shape[2])
	if c.Builtin.Rule == builtin.Pool {
		i, j := b.Axis("i", sizeNumber(w.Len)), b.Axis("j", sizeNumber(w.Len))
		over, order := []*ir.Axis{rows, up, i, cols, right, j}, []*ir.Axis{rows, cols, channel}
		out := tensor{axes: []*ir.Axis{channel, up, right}}
		if c.Builtin.Name == "max_pool2d" {
			out.v = largest(b, x.v, order, over, w.Stride)
		} else {
			out.v = b.Div(b.Sum(b.Window(b.Layout(x.v, order), over, w.Stride), i, j),
				b.Num(float64(w.Len*w.Len)))
		}
		return out
	}
	weights := l.expr(c.Args[1])
	out, in, i, j := weights.axes[0], weights.axes[1], weights.axes[2], weights.axes[3]
	k := b.Rename(weights.v, in, channel)
	v, over := x.v, []*ir.Axis{channel, i, j}
	if n, ok := channel.Size.Number(); ok && n == 1 {
		// With one channel the order of axes does not matter.
		v, k, over = b.At(v, channel, zeroSize), b.At(k, channel, zeroSize), over[1:]
	} else {
		v = b.Layout(v, []*ir.Axis{rows, cols, channel})
	}
	k = b.Layout(k, []*ir.Axis{i, j, channel, out})
	v = b.Window(v, []*ir.Axis{rows, up, i, cols, right, j}, w.Stride)
	return tensor{v: b.Sum(b.Mul(v, k), over...), axes: []*ir.Axis{out, up, right}}
}

// largest returns the largest entry of every window. Relu, and adding a value that is constant
// within a window, do not change which entry is largest. They are applied afterwards, to fewer
// numbers: max(relu(x + b)) = relu(max(x) + b), exactly, since rounding is monotone.
func largest(b *ir.Builder, x *ir.Value, order, over []*ir.Axis, stride int) *ir.Value {
	switch x.Op {
	case ir.OpRelu:
		return b.Map(ir.OpRelu, largest(b, x.Args[0], order, over, stride))
	case ir.OpAdd:
		for k, y := range x.Args {
			if rest := x.Args[1-k]; !y.Has(over[0]) && !y.Has(over[3]) &&
				ir.SameAxes(rest.Axes, x.Axes) {
				return b.Add(largest(b, rest, order, over, stride), y)
			}
		}
	}
	return b.WindowMax(b.Layout(x, order), over, stride)
}

// checkWindow adds a check that the number of windows is not negative, if the compiler cannot tell.
func (l *Model) checkWindow(e *ast.Call, n size.Poly) {
	if _, known := n.Number(); known {
		return
	}
	at := e.Span
	for f := l.frame; f != nil; f = f.up {
		if f.lib {
			at = f.site
		}
	}
	src := l.Checked.File.Source
	l.ranges = append(l.ranges, model.Range{Text: src.Text[at.Start:at.End],
		Place: fmt.Sprintf("%s:%d", src.Name, src.Position(at.Start).Line), Size: n})
}
