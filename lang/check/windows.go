package check

import (
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A Window is how conv2d and the pools slide: Len entries (of a pool; a
// convolution's follow from its weights) every Stride entries of a picture with
// Pad zeros around.
type Window struct {
	Len, Stride, Pad int
	strided          bool // the call says so
}

// windowOptions reads stride = and pad = of conv2d and the pools, which stand after the other
// arguments. Of any other function it says that it has none.
func (c *checker) windowOptions(e *ast.Call, f *builtin.Func, callee *Callee) bool {
	callee.Window = Window{Stride: 1}
	good := true
	for i := range e.Args {
		a := &e.Args[i]
		name := a.Name.Name
		switch {
		case name == "":
			if i > 0 && e.Args[i-1].Name.Name != "" {
				c.report(NoSuchArg, a.Value.Pos(), "the arguments of %s without a name come first",
					f.Name)
				return false
			}
			continue
		case f.Rule == builtin.Reshape, f.Rule == builtin.Concat: // they say so themselves
			continue
		case f.Rule != builtin.Conv && f.Rule != builtin.Pool:
			c.report(NoSuchArg, a.Name.Span,
				"%s has no argument %s: its arguments are given by place", f.Name, name)
			return false
		case name != "stride" && name != "pad":
			c.report(NoSuchArg, a.Name.Span, "%s has no option %s: it has stride and pad",
				f.Name, name)
			return false
		}
		least := 1
		if name == "pad" {
			least = 0
		}
		p, ok := c.size(a.Value)
		n, known := p.Number()
		switch {
		case !ok:
			good = false
		case !known || n < least:
			c.report(ArgShape, a.Value.Pos(),
				"%s is a number from %d that is fixed at compile time, and this is %s",
				name, least, p)
			good = false
		case name == "pad":
			callee.Window.Pad = n
		default:
			callee.Window.Stride = n
			callee.Window.strided = true
		}
	}
	return good
}

// windows is the shape of a convolution or of a pool.
func (c *checker) windows(
	e *ast.Call, f *builtin.Func, callee *Callee, vals []value,
) (types.Type, bool) {
	a := vals[0].t
	w := &callee.Window
	bad := func(i int, format string, args ...any) (types.Type, bool) {
		c.report(ArgShape, callee.Args[i].Pos(), format, args...)
		return types.Type{}, false
	}
	kind, channels := a.Entry(), types.Size{}
	var window types.Shape
	at := 1 // of the argument that has the window
	if f.Rule == builtin.Conv {
		weights := vals[1].t.Shape
		if len(a.Shape) != 3 || len(weights) != 4 {
			return bad(0,
				"conv2d takes x : [C, A, B] and W : [D, C, k, l], and these are %s and %s",
				a.Shape, weights)
		}
		if !a.Shape[0].Equal(weights[1]) {
			return bad(1, "the channels of x and W differ: %s is not %s", a.Shape[0], weights[1])
		}
		kind, channels, window = types.Real, weights[0], weights[2:]
	} else {
		if len(a.Shape) != 3 {
			return bad(0, "%s takes x : [C, A, B], and this has shape %s", f.Name, a.Shape)
		}
		k, ok := c.size(e.Args[1].Value)
		if !ok {
			return types.Type{}, false
		}
		callee.Args = append(callee.Args, e.Args[1].Value)
		n, isNumber := k.Number()
		if !isNumber || n < 1 {
			return bad(1, "the tile of %s is a number from 1, and this is %s", f.Name, k)
		}
		if w.Len = n; w.Pad >= n {
			return bad(1, "%s has tiles of %d, and pad = %d: some of them would have padding alone",
				f.Name, n, w.Pad)
		}
		if !w.strided {
			w.Stride = n
		}
		channels, window, at = a.Shape[0], types.Shape{k, k}, 0
	}
	shape := types.Shape{channels}
	for i, p := range a.Shape[1:] {
		p = p.Add(size.Const(2 * w.Pad))
		q, whole := size.Windows(p, window[i], w.Stride)
		if negative(p.Sub(window[i])) {
			return bad(at, "the window %s is larger than the picture %s", window, a.Shape[1:])
		}
		if !whole {
			return bad(0, "%s needs a picture of known size, and %s is not divided by %d", f.Name,
				p.Sub(window[i]), w.Stride)
		}
		shape = append(shape, q)
	}
	return types.ArrayOf(kind, shape), true
}
