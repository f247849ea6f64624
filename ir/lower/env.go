package lower

import (
	"fmt"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A tensor is a value with its surface axes in order. The value may lack some of these axes: it is
// then constant along them. It may also have others: the indices of plates and comprehensions
// around it, whose iterations are all computed at once.
type tensor struct {
	v    *ir.Value
	axes []*ir.Axis
	// parts holds the elements of a tuple.
	parts []tensor
}

// A frame binds the names of a scope: the file, or the body of a function, layer or distribution
// that is being expanded.
type frame struct {
	values map[*check.Symbol]tensor
	sizes  map[string]types.Size // values of the size variables of the signature
	dists  map[string]distArg    // distributions given to a layer as arguments
	layer  *layerFrame
	along  []*ir.Axis  // the axes that a function of single numbers is applied along
	site   source.Span // where in the user's file a library body is used
	lib    bool
	up     *frame
}

func (f *frame) lookup(s *check.Symbol) (tensor, bool) {
	for ; f != nil; f = f.up {
		if t, ok := f.values[s]; ok {
			return t, true
		}
	}
	return tensor{}, false
}

// bail is the panic value by which Fail gives up the current statement.
type bail struct{}

// Fail reports that a construct cannot be lowered and gives up the statement.
func (l *Model) Fail(code diag.Code, at source.Span, format string, args ...any) {
	l.Diags.Add(&diag.Diagnostic{Code: code, File: l.Checked.File.Source, Span: l.userSpan(at),
		Message: fmt.Sprintf(format, args...)})
	panic(bail{})
}

// userSpan returns the place in the user's file where the code at a place is used.
func (l *Model) userSpan(at source.Span) source.Span {
	for f := l.frame; f != nil; f = f.up {
		if f.lib {
			at = f.site
		}
	}
	return at
}

// Try runs f, and returns false if f failed by Fail.
func (l *Model) Try(f func()) (ok bool) {
	frame := l.frame
	draw := l.draw
	defer func() {
		l.frame = frame
		l.draw = draw
		if r := recover(); r != nil {
			if _, is := r.(bail); !is {
				panic(r)
			}
			ok = false
		}
	}()
	f()
	return true
}

// in runs f in a new frame whose parent is the file's frame or the current one.
func (l *Model) in(fr *frame, f func() tensor) tensor {
	saved := l.frame
	if fr.values == nil {
		fr.values = map[*check.Symbol]tensor{}
	}
	fr.up = saved
	l.frame = fr
	defer func() { l.frame = saved }()
	return f()
}

// Size replaces size variables by dims of the file. A ragged size becomes the length of the longest
// row.
func (l *Model) Size(p types.Size) types.Size { return l.padded(l.own(p)) }

// own replaces size variables like Size, but keeps the lengths of ragged rows.
func (l *Model) own(p types.Size) types.Size {
	for f := l.frame; f != nil; f = f.up {
		if f.sizes != nil {
			p = types.SubstSize(p, f.sizes)
		}
	}
	return p
}

func (l *Model) shape(s types.Shape) types.Shape {
	out := make(types.Shape, len(s))
	for i, p := range s {
		out[i] = l.Size(p)
	}
	return out
}

// axis makes a new axis of a resolved size. An axis as long as a dim may later become the axis of
// its rows.
func (l *Model) axis(p types.Size) *ir.Axis {
	name, isDim := p.Name()
	if !isDim {
		name = "i"
	}
	a := l.B.Axis(lowerName(name), p)
	if isDim {
		a.Dim = name
	}
	return a
}

// rangeAxis makes a new axis over lo, lo+1, … of a dim.
func (l *Model) rangeAxis(name string, lo, n types.Size) *ir.Axis {
	a := l.B.Axis(lowerName(name), n)
	if dim, ok := n.Add(lo).Name(); ok {
		a.Dim, a.Lo = dim, lo
	}
	return a
}

func lowerName(s string) string {
	if len(s) > 0 && s[0] >= 'A' && s[0] <= 'Z' {
		return string(s[0]+'a'-'A') + s[1:]
	}
	return s
}

func (l *Model) axesOf(s types.Shape) []*ir.Axis {
	out := make([]*ir.Axis, len(s))
	for i, p := range s {
		out[i] = l.axis(p)
	}
	return out
}

// fresh returns t with new axes, so that two uses of a name never share an axis.
func (l *Model) fresh(t tensor) tensor {
	if len(t.parts) > 0 {
		return t
	}
	axes := make([]*ir.Axis, len(t.axes))
	for i, a := range t.axes {
		axes[i] = l.B.Axis(a.Name, a.Size)
		axes[i].Dim, axes[i].Lo = a.Dim, a.Lo
	}
	return l.onto(t, axes)
}

// onto renames the surface axes of t to the ones given.
func (l *Model) onto(t tensor, axes []*ir.Axis) tensor {
	v := t.v
	for i, a := range t.axes {
		v = l.B.Rename(v, a, axes[i])
	}
	return tensor{v: v, axes: axes}
}

// align renames the axes of t, whose shape is small, to those of target,
// whose shape is large, by the rule of fitting.
func (l *Model) align(t tensor, small, large types.Shape, target []*ir.Axis) *ir.Value {
	at, ways := types.Fit(small, large)
	if ways != 1 {
		panic(fmt.Sprintf("lower: %s does not fit %s", small, large))
	}
	axes := make([]*ir.Axis, len(at))
	for i, j := range at {
		axes[i] = target[j]
	}
	return l.onto(t, axes).v
}

func number(v *ir.Value) tensor { return tensor{v: v} }

var zeroSize = size.Poly{}

// QuietFail reports like Fail, but does not give up the current statement.
func (l *Model) QuietFail(code diag.Code, at source.Span, format string, args ...any) {
	l.Try(func() { l.Fail(code, at, format, args...) })
}

// FileStart returns the place of a model's first statement, for messages about the whole model.
func (l *Model) FileStart() source.Span { return FileStart(l.Checked) }

// FileStart returns the place of the first statement of a model.
func FileStart(m *check.Model) source.Span {
	if len(m.File.Stmts) == 0 {
		return source.Span{}
	}
	return m.File.Stmts[0].Pos()
}
