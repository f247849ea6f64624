package check

import (
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
	"github.com/sgppl/sgppl/lang/foreign"
	"github.com/sgppl/sgppl/lang/types"
)

// layerNamed finds the instance that an expression names: l1, or hid of hid[l].
func (c *checker) layerNamed(e ast.Expr) (*Symbol, *ast.Name) {
	n, ok := e.(*ast.Name)
	if !ok || c.scope.find(n.Name) != nil {
		return nil, nil
	}
	if s := c.in.fns[n.Name]; s != nil && s.Kind == Layer {
		return s, n
	}
	return nil, nil
}

// layerCall is l1(x) or hid[l](x).
func (c *checker) layerCall(e *ast.Call, s *Symbol, subs []ast.Expr) value {
	use := s.Inst
	if use == nil {
		c.quietArgs(e)
		return invalid
	}
	lv := Level{Stage: OfParams}
	if len(subs) != len(use.Family) {
		d := c.report(LayerFamily, e.Fun.Pos(),
			"%s is a family of shape %s and takes %d subscripts, not %d", s.Name, use.Family,
			len(use.Family), len(subs))
		if len(use.Family) == 0 {
			d.Message = s.Name + " is one layer, not a family: it takes no subscript"
		}
		c.quietArgs(e)
		return invalid
	}
	for i, sub := range subs {
		if _, ok := sub.(*ast.Range); ok {
			c.report(LayerFamily, sub.Pos(),
				"one layer of the family is applied at a time: give it an index")
			c.quietArgs(e)
			return invalid
		}
		kept, l, ok := c.subscript(&ast.Index{Span: e.Span, X: e.Fun, Subs: subs}, sub,
			use.Family[i], i, invalid)
		if !ok {
			c.quietArgs(e)
			return invalid
		}
		if len(kept) > 0 {
			c.report(LayerFamily, sub.Pos(),
				"one layer of the family is applied at a time, and this is an array of indices")
			c.quietArgs(e)
			return invalid
		}
		lv = lv.join(l)
	}
	sizes := make(map[string]types.Size, len(use.Sizes))
	for k, v := range use.Sizes {
		sizes[k] = v
	}
	callee := &Callee{Fn: use.Def.Apply, Layer: s, Subs: subs, Sizes: sizes}
	c.m.Callees[e] = callee
	return c.apply(e, s.Name, use.Def.Apply, callee, lv)
}

// quietArgs checks arguments for their own mistakes.
func (c *checker) quietArgs(e *ast.Call) {
	for i := range e.Args {
		switch a := e.Args[i].Value.(type) {
		case *ast.DistValue, *ast.Range:
		default:
			c.exprTuple(a)
		}
	}
}

// selectExpr is hid.W: the weights of a layer, family axes first.
func (c *checker) selectExpr(e *ast.Select) value {
	n, ok := e.X.(*ast.Name)
	var s *Symbol
	if ok {
		s = c.in.fns[n.Name]
	}
	if s == nil || s.Kind != Layer {
		if ok && c.scope.find(n.Name) == nil && (c.in.dists[n.Name] != nil || isDistName(n.Name)) {
			c.report(DistAsValue, e.Span, "%s.%s is a function: call it, %s.%s(…)", n.Name,
				e.Name.Name, n.Name, e.Name.Name)
			return invalid
		}
		if ok && c.scope.find(n.Name) == nil && c.in.laterF[n.Name].End > 0 {
			c.report(UsedBefore, n.Span, "%s is used before its declaration", n.Name).
				NoteAt(c.in.file.Source, c.in.laterF[n.Name], "it is declared here: move that up")
			return invalid
		}
		if ok && c.lost(n.Name) || c.valueMethod(nil, e) {
			return invalid
		}
		if !ok && c.expr(e.X).bad() {
			return invalid
		}
		if ok && foreign.Modules[n.Name] {
			d := c.report(NoSuchPart, e.Span,
				"there are no modules: values and functions stand alone")
			if h, known := foreign.Values[e.Name.Name]; known && h.Name != "" {
				d.Note("here it is written "+h.Name).Suggest(e.Span, h.Name)
			} else if _, known := builtin.Lookup(e.Name.Name); known {
				d.Note("a function is called: " + e.Name.Name + "(…)")
			}
			return invalid
		}
		d := c.report(NoSuchPart, e.Span, "only a layer has parts, such as %s.W", "hid")
		if ok {
			suggest(d, n.Span, n.Name, keysOf(c.in.fns))
		}
		return invalid
	}
	c.m.Uses[n] = s
	if s.Inst == nil {
		return invalid
	}
	for _, w := range s.Inst.Params {
		if w.Param.Name == e.Name.Name {
			c.m.Uses[&e.Name] = w.Param
			return value{w.Type, Level{Stage: OfParams}}
		}
	}
	if c.lost(e.Name.Name) {
		return invalid
	}
	d := c.report(NoSuchPart, e.Name.Span, "the layer %s has no weights %s", s.Name, e.Name.Name)
	var names []string
	for _, w := range s.Inst.Params {
		names = append(names, w.Param.Name)
	}
	suggest(d, e.Name.Span, e.Name.Name, names)
	return invalid
}

func keysOf(m map[string]*Symbol) []string {
	var names []string
	for n := range m {
		names = append(names, n)
	}
	return names
}
