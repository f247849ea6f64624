package check

import (
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// array is [a, b]: a new first axis.
func (c *checker) array(e *ast.Array) value {
	if len(e.Elems) == 0 {
		return invalid // the parser has said so
	}
	out := invalid
	good := true
	for i, x := range e.Elems {
		v := c.expr(x)
		switch {
		case v.bad():
			good = false
		case !good:
		case i == 0:
			out = v
		case !v.t.Shape.Equal(out.t.Shape):
			c.report(ArrayParts, x.Pos(),
				"the entries of an array have one shape, and this is %s where the first is %s%s",
				v.t.Shape, out.t.Shape, why(v.t.Shape, out.t.Shape))
			good = false
		default:
			out = value{joinTypes(out.t, v.t), out.lv.join(v.lv)}
		}
	}
	if !good {
		return invalid
	}
	out.t = plain(out.t)
	out.t.Shape = types.JoinShapes(types.Shape{size.Const(len(e.Elems))}, out.t.Shape)
	return out
}

// binds declares the indices of a comprehension and returns their sizes.
func (c *checker) binds(list []ast.Bind) (types.Shape, []*Symbol, bool) {
	shape, good := types.Shape{}, true
	var syms []*Symbol
	for i := range list {
		s := c.bind(&list[i], false)
		if s.Range == nil {
			good = false
			continue
		}
		syms = append(syms, s)
		shape = append(shape, s.Range.Len)
	}
	return shape, syms, good
}

// comprehension is [e for i in I, j in J]: I, J, then e's shape.
func (c *checker) comprehension(e *ast.Comp) value {
	out := invalid
	c.within(func() {
		shape, syms, good := c.binds(e.Binds)
		v := c.expr(e.Elem)
		if !good || v.bad() || !c.fixedRanges(syms, "the array") {
			return
		}
		t := plain(v.t)
		full, ok := c.unbind(types.JoinShapes(shape, t.Shape), syms, e)
		if !ok {
			return
		}
		t.Shape = full
		out = value{t, v.lv.join(levelOf(shape))}
	})
	return out
}

// unbind replaces indices that go out of scope in a shape: the length T(s) of the row s becomes T
// after the axis of s.
func (c *checker) unbind(s types.Shape, syms []*Symbol, at ast.Expr) (types.Shape, bool) {
	for i, p := range s {
		for _, name := range p.Dims() {
			dim, index := types.SplitRagged(name)
			for _, b := range syms {
				if index != b.Name && source.Mentions(index, b.Name) {
					c.report(RaggedAlone, at.Pos(),
						"the result would have a length %s, and %s is out of sight there: sum or "+
							"reduce it within", name, b.Name)
					return nil, false
				}
				if index != b.Name {
					continue
				}
				d, _ := dimOf(b.Range)
				if !hasDim(s[:i], d) {
					c.report(RaggedAlone, at.Pos(),
						"the result would have a length %s, and %s is out of sight there",
						name, b.Name)
					return nil, false
				}
				s[i] = types.SubstSize(s[i], map[string]types.Size{name: size.Dim(dim)})
			}
		}
	}
	return s, true
}

// scan runs a body over an index and carries values along.
func (c *checker) scan(e *ast.Scan) value {
	out := invalid
	// The starts are outside the index's sight.
	starts := make([]value, len(e.Carries))
	good := len(e.Carries) > 0
	for i := range e.Carries {
		starts[i] = c.expr(e.Carries[i].Init)
		starts[i].t = plain(starts[i].t)
		good = good && !starts[i].bad()
	}
	c.within(func() {
		index := c.bind(&e.Bind, false)
		good = c.fixedRanges([]*Symbol{index}, "the scan") && good
		carries := make([]*Symbol, len(e.Carries))
		for i := range e.Carries {
			carries[i] = c.declare(&e.Carries[i].Name,
				&Symbol{Kind: Carry, Decl: e, Type: starts[i].t, Level: starts[i].lv, Part: -1})
		}
		if !good || index.Range == nil {
			c.quiet++
			c.block(e.Body)
			c.quiet--
			return
		}
		// A carried value may become wider than its start: 0, then a real. Inside such a first pass one
		// pass is enough; otherwise nested scans would take exponential time.
		passes := 3
		if c.quiet > 0 {
			passes = 0
		}
		for range passes {
			c.quiet++
			v := c.block(e.Body)
			c.quiet--
			parts := c.parts(v, len(carries))
			if parts == nil || !c.widen(carries, parts, v.lv) {
				break
			}
		}
		v := c.block(e.Body)
		if v.bad() {
			return
		}
		parts := c.parts(v, len(carries))
		if parts == nil {
			c.scanArity(e, v, len(carries))
			return
		}
		if c.quiet > 0 {
			c.widen(carries, parts, v.lv)
		}
		for i, p := range parts {
			if !p.Shape.Equal(carries[i].Type.Shape) {
				c.report(ScanShape, e.Body.Result.Pos(),
					"the next value of %s has shape %s, and it starts with %s%s", carries[i].Name,
					p.Shape, carries[i].Type.Shape, why(p.Shape, carries[i].Type.Shape))
				return
			}
		}
		steps := index.Range.Len.Add(one)
		t := types.Type{Kind: types.Tuple}
		for _, s := range carries {
			p := s.Type
			full, ok := c.unbind(types.JoinShapes(types.Shape{steps}, p.Shape), []*Symbol{index}, e)
			if !ok {
				return
			}
			p.Shape = full
			t.Parts = append(t.Parts, p)
		}
		lv := v.lv.join(levelOf(types.Shape{steps}))
		for _, s := range carries {
			lv = lv.join(s.Level)
		}
		out = value{t, lv}
		if len(carries) == 1 {
			out.t = t.Parts[0]
		}
	})
	return out
}

func (c *checker) scanArity(e *ast.Scan, v value, n int) {
	at := e.Body.Result.Pos()
	switch {
	case n == 1:
		c.report(ScanParts, at, "the body gives %d values, and one is carried", len(v.t.Parts))
	case v.t.Kind == types.Tuple:
		c.report(ScanParts, at, "the body gives %d values, and %d are carried", len(v.t.Parts), n)
	default:
		c.report(ScanParts, at,
			"the body gives one value, and %d are carried: end with the next value of each, (a, b)",
			n)
	}
}

// parts returns the types of a body's results; nil if their number is wrong.
func (c *checker) parts(v value, n int) []types.Type {
	switch {
	case v.bad():
		return nil
	case v.t.Kind != types.Tuple && n == 1:
		return []types.Type{v.t}
	case v.t.Kind == types.Tuple && len(v.t.Parts) == n && n > 1:
		return v.t.Parts
	}
	return nil
}

// widen joins the carried types with the body's; it reports any change.
func (c *checker) widen(carries []*Symbol, parts []types.Type, lv Level) bool {
	changed := false
	for i, s := range carries {
		if !parts[i].Shape.Equal(s.Type.Shape) {
			return false
		}
		t := joinTypes(s.Type, parts[i])
		if t.Kind != s.Type.Kind {
			s.Type, changed = t, true
		}
		if l := s.Level.join(lv); l != s.Level {
			s.Level, changed = l, true
		}
	}
	return changed
}

// block checks lets and the last line, in a new scope.
func (c *checker) block(b *ast.Block) value {
	v := invalid
	if b == nil {
		return v
	}
	c.within(func() {
		for _, l := range b.Lets {
			c.let(l)
		}
		if b.Result != nil {
			v = c.exprTuple(b.Result)
		}
	})
	return v
}
