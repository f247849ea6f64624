package translate

import (
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// Draws of transformed data are numbers of the model: they are drawn while it is translated for its
// data, in the order in which the program asks for them.

// A Drawer draws from an expression such as normal.sample(a_1, a_2), in which each name stands for
// numbers of a shape, the last axis fastest.
type Drawer func(expr string, names []string, shapes [][]int, values [][]float64) ([]float64, error)

// mayDraw refuses a draw in transformed data that nobody can make.
func (t *translator) mayDraw(c *syntax.Call) {
	switch {
	case t.inRNG:
	case t.blk != t.before && t.tops() != t.before:
		t.fail(syntax.UnknownCall, c.Pos(), "%s draws at random, which stands in transformed data and "+
			"generated quantities alone", c.Fun)
	case t.bound == nil || t.bound.draw == nil:
		t.failNote("with --data FILE they are drawn, and are numbers of the model; import and the "+
			"commands that make runs have --seed",
			syntax.UnknownCall, c.Pos(), "%s draws in transformed data, whose numbers are drawn when the "+
				"data are known", c.Fun)
	case len(t.loops) > 0:
		t.fail(syntax.LoopCarried, c.Pos(), "%s draws in a loop that is not written turn by turn", c.Fun)
	}
}

// knownArgs are the arguments of a draw of transformed data as names of known numbers. Whole
// numbers stay as they are.
func (t *translator) knownArgs(
	c *syntax.Call, args []*value,
) (out []*value, known map[*sym]*Given) {
	known = map[*sym]*Given{}
	for i, a := range args {
		x := (&evaluation{t: t}).of(t.raw(a))
		if x == nil {
			t.fail(syntax.UnknownCall, c.Args[i].Pos(), "%s draws in transformed data, and the import "+
				"cannot compute this argument", c.Fun)
		}
		if a.t.base == intBase {
			w := *a
			w.n = literalOf(x, true)
			if w.t.arr == 0 {
				w.n = whole{size.Const(int(x.X[0]))}
			}
			out = append(out, &w)
			continue
		}
		s := &sym{key: "a_" + itoa(i+1), base: "a_" + itoa(i+1), text: "a_" + itoa(i+1)}
		t.shapes[s], known[s] = a.sh, x
		w := *a
		w.n = ref{s}
		out = append(out, &w)
	}
	return out, known
}

// drawKnown draws the value that an expression of known arguments describes.
func (t *translator) drawKnown(c *syntax.Call, v *value, expr node, known map[*sym]*Given) *value {
	var names []string
	var shapes [][]int
	var values [][]float64
	t.walk(expr, func(n node) {
		r, ok := n.(ref)
		if !ok || r.s.isIdx {
			return
		}
		x := known[r.s]
		if x == nil {
			t.fail(syntax.UnknownCall, c.Pos(), "%s has no counterpart in transformed data", c.Fun)
		}
		for _, name := range names {
			if name == r.s.key {
				return
			}
		}
		names, shapes, values = append(names, r.s.key), append(shapes, x.Shape), append(values, x.X)
	})
	x, err := t.bound.draw(t.text(expr), names, shapes, values)
	if err != nil {
		t.fail(syntax.UnknownCall, c.Pos(), "%s cannot be drawn here: %v", c.Fun, err)
	}
	sh, ok := constantsOf(v.sh)
	if !ok {
		t.fail(syntax.UnknownCall, c.Pos(), "how many numbers %s draws is not known", c.Fun)
	}
	t.bound.drew = true
	out := *v
	g := &Given{Shape: sh, X: x}
	out.unk, out.n = false, literalOf(g, v.t.base == intBase)
	if v.isIntScalar() {
		out.n = whole{size.Const(int(x[0]))}
		return &out
	}
	if v.t.rank() == 0 {
		return &out
	}
	s := t.let(t.before, "drawn", &out)
	t.auto[s] = true
	t.ints[s] = intInfo{neg: true}
	w := out
	w.n = ref{s}
	return &w
}
