package translate

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// A Given is the value of one input, as a file of data has it.
type Given struct {
	Shape []int
	X     []float64         // its entries, the last axis fastest
	Parts map[string]*Given // of a tuple, by "1", "2", …; an array of tuples has the axis in each part
}

// A binding is what a translation knows of the data. With one, sizes are numbers, conditions on
// data are decided, and loops that have no counterpart are written turn by turn.
type binding struct {
	data   map[string]*Given
	values map[*sym]*Given // data by their names in the output, as the model has them
	read   map[*sym]bool   // data whose values decided something
	memo   map[*sym]*Given // values of lets that data alone give; nil for those that are not known
	turns  int             // written so far
	open   int             // loops that are being written turn by turn
	gen    int             // counts memories, so that cells are copied before they are changed
	frames []*frame
	left   node // the condition under which the present function has returned; nil for never
	from   int  // how many conditions held where the present function began
	loops  Unrolled
	draw   Drawer // of transformed data; nil where there is none
	drew   bool   // it was asked
}

// Unrolled says which loops are written turn by turn where the data are known, though the language
// may have a counterpart: all of them, or those that start at given places in the text.
type Unrolled struct {
	All   bool
	Loops map[int]bool
}

// MostTurns bounds how many turns of loops are written one by one.
const MostTurns = 1 << 20

// mostBound bounds the statements of a model that is bound to its data.
const mostBound = 60_000

// Bound translates a program for the data that it is given. draw, which may be nil, draws what
// transformed data ask for. With errors in the list there is no
// result.
func Bound(
	prog *syntax.Program, data map[string]*Given, loops Unrolled, draw Drawer,
) (*Result, diag.List) {
	t := newTranslator(prog)
	t.bound = &binding{data: data, loops: loops, draw: draw, values: map[*sym]*Given{},
		read: map[*sym]bool{}, memo: map[*sym]*Given{}}
	return t.program()
}

// givenData gives a declaration of the data block its value from the file.
func (t *translator) givenData(d *syntax.Decl, v *variable, name *sym) {
	x := t.bound.data[d.Name]
	if x == nil {
		t.fail(syntax.SizeUnknown, d.Pos(), "the data have no %s, and the structure of the program "+
			"depends on data", d.Name)
	}
	if v.t.base == tupleBase {
		t.givenTuple(v, x, d)
		return
	}
	t.bound.values[name] = t.shapedLike(d, v, x)
}

// shapedLike checks that a value has the declared shape.
func (t *translator) shapedLike(d *syntax.Decl, v *variable, x *Given) *Given {
	want := []int{}
	n := 1
	for _, p := range v.sh {
		k, ok := p.Number()
		if !ok {
			t.fail(syntax.SizeUnknown, d.Pos(), "the size of %s depends on what the data do not give",
				d.Name)
		}
		want = append(want, k)
		n *= k
	}
	if len(x.X) != n || n > 0 && !slices.Equal(x.Shape, want) {
		t.fail(syntax.SizeUnknown, d.Pos(), "%s has the shape %v in the data, and %v by its declaration",
			d.Name, x.Shape, want)
	}
	return &Given{Shape: want, X: x.X}
}

// givenTuple binds the parts of data that are a tuple: they stand in the model as numbers.
func (t *translator) givenTuple(v *variable, x *Given, d *syntax.Decl) {
	v.fixed = true
	for i, part := range v.elems {
		p := x.Parts[strconv.Itoa(i+1)]
		if p == nil {
			t.fail(syntax.SizeUnknown, d.Pos(), "the data have no part %d of %s", i+1, d.Name)
		}
		part.fixed = true
		if part.t.base == tupleBase {
			t.givenTuple(part, p, d)
			continue
		}
		p = t.shapedLike(d, part, p)
		n := literalOf(p, part.t.base == intBase)
		val := &value{n: n, t: part.t, sh: part.sh}
		if part.t.rank() > 0 {
			s := t.let(t.before, part.name, val)
			t.auto[s] = true
			val = &value{n: ref{s}, t: part.t, sh: part.sh}
		}
		part.base = val
	}
}

// literalOf writes known numbers as a node.
func literalOf(g *Given, whole bool) node {
	if len(g.Shape) == 0 {
		return literalNumber(g.X[0], whole)
	}
	if g.Shape[0] == 0 || len(g.X) == 0 {
		sh := make([]size.Poly, len(g.Shape))
		for i, k := range g.Shape {
			sh[i] = size.Const(k)
		}
		return zeros(sh)
	}
	n := len(g.X) / g.Shape[0]
	var out array
	for i := range g.Shape[0] {
		out.elems = append(out.elems, literalOf(&Given{Shape: g.Shape[1:], X: g.X[i*n : (i+1)*n]},
			whole))
	}
	return out
}

func literalNumber(x float64, isWhole bool) node {
	switch {
	case math.IsNaN(x):
		return nan
	case math.IsInf(x, 1):
		return ref{infSym}
	case math.IsInf(x, -1):
		return unary{"-", ref{infSym}}
	case isWhole:
		return num(int(x))
	}
	s := strconv.FormatFloat(x, 'g', -1, 64)
	m, e, has := strings.Cut(s, "e")
	if !strings.Contains(m, ".") {
		m += ".0"
	}
	if has {
		m += "e" + strings.TrimPrefix(e, "+")
	}
	return number{m}
}

// folded is a number that data alone give, as such; other values are left as they are.
func (t *translator) folded(v *value) *value {
	if t.bound == nil || v.t.rank() > 0 || v.t.base == tupleBase || v.unk || v.fn != "" {
		return v
	}
	if _, is := v.n.(number); is {
		return v
	}
	x, ok := t.number(v.n)
	if !ok {
		return v
	}
	out := *v
	out.n = literalNumber(x, v.isInt())
	return &out
}

// number is a node's value where data alone give it.
func (t *translator) number(n node) (float64, bool) {
	if t.bound == nil {
		return 0, false
	}
	g := (&evaluation{t: t}).of(n)
	if g == nil || len(g.Shape) > 0 {
		return 0, false
	}
	return g.X[0], true
}

// decided is a condition that data alone decide, as true or false.
func (t *translator) decided(c node) node {
	if t.bound == nil || isTrue(c) || isFalse(c) {
		return c
	}
	if x, ok := t.number(c); ok {
		return truth(x != 0)
	}
	return c
}

// highest is the largest of whole numbers of the data; 0 where it is not known.
func (b *binding) highest(s *sym) int {
	if b == nil || b.values[s] == nil || len(b.values[s].X) == 0 {
		return 0
	}
	return int(slices.Max(b.values[s].X))
}
