package check

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// index is a[i, lo:hi, :]: leading axes taken away, kept in part, or replaced.
func (c *checker) index(e *ast.Index) value {
	if s, _ := c.layerNamed(e.X); s != nil {
		c.report(LayerAsValue, e.Span,
			"%s is a layer: apply it, %s[…](x), or take its weights, %s.W", s.Name, s.Name, s.Name)
		return invalid
	}
	v := c.expr(e.X)
	if v.bad() {
		for _, s := range e.Subs {
			if _, ok := s.(*ast.Range); !ok {
				c.expr(s)
			}
		}
		return invalid
	}
	if len(e.Subs) > len(v.t.Shape) {
		if len(v.t.Shape) == 0 {
			c.report(TooManySubs, e.Span, "%s is a number and has no axis to index", c.text(e.X))
		} else {
			c.report(TooManySubs, e.Span, "%d subscripts on %s, which has shape %s", len(e.Subs),
				c.text(e.X), v.t.Shape)
		}
		return invalid
	}
	axes := append(types.Shape{}, v.t.Shape...)
	var front, own types.Shape // what the subscripts leave: on the family's axes, on a value's own
	family := len(v.t.Shape) - v.t.Own
	good, touched := true, false
	for i, sub := range e.Subs {
		axis := axes[i]
		kept, lv, ok := c.subscript(e, sub, axis, i, v)
		if !ok && c.rowLength(axes, i) || ok && !c.nameRow(e, i, axes, lv) {
			// The length of the rest is not known.
			for _, s := range e.Subs[i+1:] {
				if _, isRange := s.(*ast.Range); !isRange {
					c.expr(s)
				}
			}
			return invalid
		}
		if !ok {
			good = false
			continue
		}
		v.lv = v.lv.join(lv)
		if i < family {
			front = append(front, kept...)
		} else {
			own = append(own, kept...)
			if r, isRange := sub.(*ast.Range); !isRange || r.Lo != nil || r.Hi != nil {
				touched = true
			}
		}
	}
	if !good {
		return invalid
	}
	rest := axes[len(e.Subs):]
	shape := types.JoinShapes(front, own, rest)
	t := v.t
	t.Shape = shape
	if touched {
		k := v.t.Entry()
		t = types.ArrayOf(k, shape)
	}
	return value{t, v.lv}
}

// subscript checks one subscript against its axis and returns the axes that it leaves.
func (c *checker) subscript(
	e *ast.Index, sub ast.Expr, axis types.Size, place int, base value,
) (types.Shape, Level, bool) {
	if r, ok := sub.(*ast.Range); ok {
		return c.slice(r, axis)
	}
	v := c.expr(sub)
	if v.bad() {
		return nil, v.lv, false
	}
	use := &Subscript{Axis: axis}
	c.m.Indexes[sub] = use
	if !v.t.Entry().Discrete() || v.t.Own > 0 {
		d := c.report(IndexKind, sub.Pos(), "an index is a whole number, and this is %s",
			article(v.t))
		switch {
		case c.addsUp(sub):
			d.Note("running sums are real; " + ofGroups)
		case v.t.Kind == types.Real:
			d.Note("declare it as index[" + axis.String() + "] or int")
		}
		return nil, v.lv, false
	}
	if v.lv.Stage == OfParams && !c.generating && !c.unknownIndex(sub) {
		c.report(IndexUnknown, sub.Pos(),
			"an unknown index must be a local index[%s], and this is computed from unknowns", axis)
		return nil, v.lv, false
	}
	if len(v.t.Shape) > 0 {
		use.Kind = Gather
		for _, other := range e.Subs[:place] {
			if u := c.m.Indexes[other]; u != nil && u.Kind == Gather {
				c.report(TwoGathers, sub.Pos(),
					"one array index to a subscript list: two could mean pairs or a grid").
					Note("write a comprehension, [a[r[n], c[n]] for n in N]")
				return nil, v.lv, false
			}
		}
	}
	if v.t.Kind == types.Index {
		if !c.typedIndex(sub, v, axis, use) {
			return nil, v.lv, false
		}
		return v.t.Shape, v.lv, true
	}
	use.Checked = true
	if f, ok := c.form(sub); ok && len(v.t.Shape) == 0 {
		always, never := f.inside(axis)
		if never && !c.guarded() {
			c.runsOut(sub, axis, f)
			return nil, v.lv, false
		}
		use.Checked = !always
	}
	return v.t.Shape, v.lv, true
}

// addsUp reports whether a value is made of running sums.
func (c *checker) addsUp(e ast.Expr) bool {
	found := false
	walk(e, func(x ast.Expr) {
		switch x := x.(type) {
		case *ast.Call:
			f, ok := x.Fun.(*ast.Name)
			found = found || ok && f.Name == "cumsum"
		case *ast.Name:
			s := c.m.Uses[x]
			found = found || s != nil && s.Kind == Let && s.Expr != nil && s.Expr != e &&
				s.Span.Start < x.Start && c.addsUp(s.Expr)
		}
	})
	return found
}

// runsOut reports an index that is outside for some value that it takes.
func (c *checker) runsOut(sub ast.Expr, axis types.Size, f form) {
	d := c.report(IndexRunsOut, sub.Pos(), "%s runs out of the axis, which has size %s",
		c.text(sub), axis)
	if low, ok := f.extreme(false, true); ok && negative(low) {
		d.Note("it is as small as " + low.String() + ", and indices start at 0")
		if n, ok := low.Number(); ok && len(f.atoms) == 0 {
			d.Note("the last entry is written with the size of the axis").Suggest(sub.Pos(),
				axis.Add(size.Const(n)).String())
		}
	} else if high, ok := f.extreme(true, true); ok {
		if high.Equal(axis) {
			d.Note("indices count from 0: the last entry is " + axis.Sub(size.Const(1)).String())
		} else {
			d.Note("it is as large as " + high.String())
		}
		if high.Equal(axis) && len(f.atoms) == 0 {
			d.Suggest(sub.Pos(), axis.Sub(size.Const(1)).String())
		}
	}
	c.noteGuards(d)
}

// typedIndex accepts an index of this axis, or of one provably no larger.
func (c *checker) typedIndex(sub ast.Expr, v value, axis types.Size, use *Subscript) bool {
	below := v.t.Below
	if fitsBelow(below, axis) {
		return true
	}
	if atLeast(axis, below) { // unless a dim is 0
		use.Checked = true
		return true
	}
	_, isNumber := below.Number()
	_, axisNumber := axis.Number()
	// The last entry of a bound index is taken for sure: is it outside?
	if f, ok := c.form(sub); ok && len(v.t.Shape) == 0 {
		if always, never := f.inside(axis); always {
			return true
		} else if !never && isNumber && !axisNumber {
			use.Checked = true
			return true
		}
	} else if isNumber && !axisNumber {
		use.Checked = true
		return true
	}
	d := c.report(IndexWrongAxis, sub.Pos(),
		"%s is an index of %s, and the axis has size %s: %s is not %s", c.text(sub), below, axis,
		below, axis)
	if len(v.t.Shape) == 0 && v.lv.Stage != OfParams && !atLeast(below, axis.Add(size.Const(1))) {
		text := c.source(sub.Pos())
		if _, plain := sub.(*ast.If); plain {
			text = "(" + text + ")"
		}
		d.Note(fmt.Sprintf("if both are the same entries, declare them with one dim; else %s + 0 "+
			"is a whole number, which is held against the axis when the data are read", text)).
			Suggest(sub.Pos(), text+" + 0")
	}
	return false
}

// unknownIndex accepts the name of a local, or of a param, with a finite set of values.
func (c *checker) unknownIndex(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Paren:
		return c.unknownIndex(e.X)
	case *ast.Name:
		s := c.m.Uses[e]
		return s != nil && (s.Kind == LocalVar || s.Kind == Param || s.Kind == FnArg ||
			s.Kind == Carry)
	case *ast.Index:
		for _, sub := range e.Subs {
			if _, ok := sub.(*ast.Range); !ok && c.m.Levels[sub].Stage == OfParams &&
				!c.unknownIndex(sub) {
				return false
			}
		}
		return c.unknownIndex(e.X)
	}
	return false
}

// slice is lo:hi, :hi, lo: or : of an axis. Its length is fixed.
func (c *checker) slice(r *ast.Range, axis types.Size) (types.Shape, Level, bool) {
	use := &Subscript{Kind: Slice, Axis: axis, Len: axis}
	c.m.Indexes[r] = use
	lo := form{atoms: map[string]atom{}}
	hi := form{poly: axis, atoms: map[string]atom{}}
	lv := Level{}
	for i, end := range []ast.Expr{r.Lo, r.Hi} {
		if end == nil {
			continue
		}
		v := c.expr(end)
		if v.bad() {
			return nil, lv, false
		}
		lv = lv.join(v.lv)
		if len(v.t.Shape) > 0 || !v.t.Kind.Discrete() {
			c.report(IndexKind, end.Pos(), "an end of a slice is a whole number, and this is %s",
				article(v.t))
			return nil, lv, false
		}
		if v.lv.Stage == OfParams {
			c.report(IndexUnknown, end.Pos(),
				"the ends of a slice are made of sizes and data, not of unknowns")
			return nil, lv, false
		}
		f, ok := c.form(end)
		if !ok {
			c.report(SliceLength, r.Span, "the length of this slice is not fixed")
			return nil, lv, false
		}
		if i == 0 {
			lo = f
		} else {
			hi = f
		}
	}
	n := hi.poly.Sub(lo.poly)
	for _, d := range n.Dims() {
		if d[:1] == atomMark {
			c.report(SliceLength, r.Span,
				"the length of this slice is not fixed: it changes with %s", d[1:])
			return nil, lv, false
		}
	}
	if negative(n) {
		c.report(SliceLength, r.Span, "this slice has %s entries, fewer than none", n)
		return nil, lv, false
	}
	low, ok := lo.extreme(false, true)
	high, ok2 := hi.extreme(true, true)
	if (ok && negative(low) || ok2 && negative(axis.Sub(high))) && !c.guarded() {
		c.noteGuards(c.report(IndexRunsOut, r.Span,
			"the slice %s runs out of the axis, which has size %s", c.text(r), axis))
		return nil, lv, false
	}
	low, ok = lo.extreme(false, false)
	high, ok2 = hi.extreme(true, false)
	use.Checked = !(ok && ok2 && nonnegative(low) && nonnegative(axis.Sub(high)) && nonnegative(n))
	use.Len = n
	return types.Shape{n}, lv, true
}

// rowLength reports whether a later axis has the length of a row of axis j.
func (c *checker) rowLength(axes types.Shape, j int) bool {
	parent, ok := axes[j].Name()
	return ok && slices.ContainsFunc(axes[j+1:], func(p types.Size) bool {
		return slices.ContainsFunc(p.Dims(), func(name string) bool {
			s := c.scope.find(name)
			return s != nil && s.Kind == Dim && s.Parent != nil && s.Parent.Name == parent
		})
	})
}

// nameRow names the lengths of the row that subscript j chooses: the axes [S, T]
// under the subscript s are [S, T(s)].
func (c *checker) nameRow(e *ast.Index, j int, axes types.Shape, lv Level) bool {
	parent, ok := axes[j].Name()
	sub := e.Subs[j]
	if r, isRange := sub.(*ast.Range); !ok || isRange && r.Lo == nil && r.Hi == nil {
		return true
	}
	for i := j + 1; i < len(axes); i++ {
		for _, name := range axes[i].Dims() {
			s := c.scope.find(name)
			if s == nil || s.Kind != Dim || s.Parent == nil || s.Parent.Name != parent {
				continue
			}
			row, ok := c.rowOf(sub, lv)
			if !ok {
				d := c.report(RaggedAlone, sub.Pos(),
					"this does not choose one row of %s by an index that is known when data are, "+
						"so the length %s of what is left is not fixed", parent, name)
				if lv.Stage == OfParams {
					d.Note("the length of a row would change with the unknown that chooses it")
				}
				return false
			}
			axes[i] = types.SubstSize(axes[i],
				map[string]types.Size{name: size.Dim(types.Ragged(name, row))})
		}
	}
	return true
}

// rowOf returns a name for the row that an expression chooses: the name of a bound index, or the
// text of an expression of data without blanks and with lets expanded. Expressions that choose the
// same row give the same name.
func (c *checker) rowOf(e ast.Expr, lv Level) (string, bool) {
	t := c.m.Types[e]
	if _, isRange := e.(*ast.Range); isRange || len(t.Shape) > 0 || t.Own > 0 ||
		lv.Stage == OfParams {
		return "", false
	}
	if id, ok := e.(*ast.Name); ok {
		if b := c.m.Uses[id]; b != nil && b.Kind == Bound && b.Range != nil {
			return b.Name, true
		}
	}
	row := c.meaning(e)
	c.m.Rows[e] = row
	return row, true
}

// meaning returns the text of an expression with names of lets replaced by their values.
func (c *checker) meaning(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Paren:
		return c.meaning(e.X)
	case *ast.Name:
		if s := c.m.Uses[e]; s != nil && s.Kind == Let && s.Expr != nil && s.Part < 0 &&
			s.File == c.in.file.Source {
			return c.meaning(s.Expr)
		}
	}
	return c.text(e)
}
