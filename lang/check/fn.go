package check

import (
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// An fnContext is the function whose signature or body is being checked.
type fnContext struct {
	name string
	// of a signature: a name that is not a dim is a size to be found
	collect func(*ast.Name) (types.Size, bool)
}

// signature reads the arguments of a fn or dist in the scope that is open.
func (c *checker) signature(params []ast.Param, sizeVars *[]string) []*Symbol {
	var out []*Symbol
	for i := range params {
		p := &params[i]
		if p.Type == nil {
			// The parser has said that the type is missing.
			out = append(out, c.declare(&p.Name, &Symbol{Kind: FnArg, Decl: p}))
			continue
		}
		t := c.signatureType(p.Type, FnArg, sizeVars, true)
		if p.Default != nil {
			v := c.number(p.Default, "a default")
			if !v.bad() && t.Kind != types.Invalid {
				c.takes(p.Default, v.t, t, "the default of "+p.Name.Name)
			}
			if v.lv.Stage == OfParams {
				c.report(DefaultPlace, p.Default.Pos(), "a default is made of numbers and consts")
			}
		} else if i > 0 && params[i-1].Default != nil {
			c.report(FnSignature, p.Span,
				"%s has no default and stands after one that has: put the defaults last",
				p.Name.Name)
		}
		out = append(out, c.declare(&p.Name, &Symbol{Kind: FnArg, Decl: p, Type: t, Part: -1}))
	}
	return out
}

// signatureType reads a type whose sizes may be found from the arguments.
func (c *checker) signatureType(
	t *ast.TypeExpr, kind Kind, sizeVars *[]string, fresh bool,
) types.Type {
	saved := c.fn
	ctx := &fnContext{}
	if saved != nil {
		ctx.name = saved.name
	}
	ctx.collect = func(e *ast.Name) (types.Size, bool) {
		if !fresh {
			c.report(FnSignature, e.Span, "the size %s is not found in the arguments", e.Name)
			return types.Size{}, false
		}
		if span, ok := c.in.later[e.Name]; ok {
			c.report(UsedBefore, e.Span, "%s is used before its declaration",
				e.Name).NoteAt(c.in.file.Source, span, "it is declared here: move that up")
			return types.Size{}, false
		}
		s := &Symbol{Kind: SizeVar, Name: e.Name, Decl: e, Type: types.Scalar(types.Count),
			Level: Level{Stage: OfData}, Span: e.Span, File: c.in.file.Source, Part: -1}
		c.scope.names[e.Name] = s
		c.m.Uses[e] = s
		*sizeVars = append(*sizeVars, e.Name)
		return size.Dim(e.Name), true
	}
	c.fn = ctx
	out, ok := c.typeExpr(t, typePlace{kind: kind})
	c.fn = saved
	if !ok {
		return types.Type{}
	}
	return out
}

// fnDecl checks fn f(a : real) -> real { … } and makes it known.
func (c *checker) fnDecl(s *ast.Fn) {
	sym := &Symbol{Kind: Fn, Doc: s.Doc, Decl: s}
	sym.Fn = c.fnInfo(s, sym)
	c.declareFn(&s.Name, sym, c.in.fns)
}

// fnInfo checks a function's signature and body.
func (c *checker) fnInfo(s *ast.Fn, sym *Symbol) *FnInfo {
	info := &FnInfo{Decl: s, Symbol: sym}
	savedPlates := c.plates
	c.plates = nil
	c.within(func() {
		c.scope.barrier = true
		saved := c.fn
		c.fn = &fnContext{name: s.Name.Name}
		info.Params = c.signature(s.Params, &info.SizeVars)
		if s.Result != nil {
			info.Result = c.signatureType(s.Result, FnArg, &info.SizeVars, false)
		}
		v := c.block(s.Body)
		c.fn = saved
		sym.Level = Level{Stage: v.lv.Stage}
		sym.Type = info.Result
		if s.Body != nil && s.Body.Result != nil && !v.bad() && info.Result.Kind != types.Invalid {
			c.result(s.Body.Result, v.t, info.Result)
		}
	})
	c.plates = savedPlates
	info.Numbers = len(info.Params) > 0 && scalarResult(info.Result)
	for _, p := range info.Params {
		info.Numbers = info.Numbers && p.Type.IsScalar()
	}
	return info
}

func scalarResult(t types.Type) bool {
	if t.Kind == types.Tuple {
		for _, p := range t.Parts {
			if !p.IsScalar() {
				return false
			}
		}
		return true
	}
	return t.IsScalar()
}

// result compares what a body gives with what the signature says.
func (c *checker) result(e ast.Expr, got, want types.Type) {
	if (got.Kind == types.Tuple) != (want.Kind == types.Tuple) ||
		len(got.Parts) != len(want.Parts) {
		c.report(FnResult, e.Pos(), "the last line is %s, and the function is declared to give %s",
			article(got), article(want))
		return
	}
	if got.Kind == types.Tuple {
		for i := range got.Parts {
			at := e
			if t, ok := e.(*ast.Tuple); ok && i < len(t.Elems) {
				at = t.Elems[i]
			}
			c.result(at, got.Parts[i], want.Parts[i])
		}
		return
	}
	if !got.Shape.Equal(want.Shape) {
		c.report(FnResult, e.Pos(),
			"the last line has shape %s, and the function is declared to give %s%s", got.Shape,
			want.Shape, why(got.Shape, want.Shape))
		return
	}
	c.takes(e, got, want, "the result")
}

// takes checks that a value of one kind may be used where another is wanted: a bool is a number, an
// int is a real, an index is an int, but not the reverse. A number that is certainly outside the
// range is an error; whether a computed real number is positive is checked at run time.
func (c *checker) takes(e ast.Expr, got, want types.Type, what string) bool {
	g, w := got.Entry(), want.Entry()
	if want.Kind == types.Invalid || got.Kind == types.Invalid {
		return true
	}
	fits := true
	switch w {
	case types.Bool:
		n, ok := c.constant(e)
		fits = g == types.Bool || ok && (n == 0 || n == 1)
	case types.Index:
		fits = g == types.Index
		if n, ok := c.constant(e); ok && g.Discrete() {
			fits = n >= 0
			if below, isNumber := want.Below.Number(); isNumber && n >= float64(below) {
				fits = false
			}
		} else if fits && !fitsBelow(got.Below, want.Below) {
			c.report(KindMismatch, e.Pos(),
				"%s is an index of %s, and this is one of %s: %s is not %s", what, want.Below,
				got.Below, got.Below, want.Below)
			return false
		}
	case types.Int, types.Count:
		fits = g.Discrete()
	}
	if !fits {
		d := c.report(KindMismatch, e.Pos(), "%s is %s, and this is %s", what,
			article(types.Type{Kind: w, Below: want.Below}),
			article(types.Type{Kind: g, Below: got.Below}))
		if n, ok := e.(*ast.Name); ok {
			if s := c.m.Uses[n]; s != nil && s.Kind == Data && w != types.Index {
				d.Note("declare it as " + s.Name + " : " + w.String())
				c.retype(d, s.Group, w.String())
			}
		}
		return false
	}
	if n, ok := c.constant(e); ok {
		if bad := outside(n, w); bad != "" {
			c.report(OutOfRange, e.Pos(), "%s is %s: %v is %s", what, rangeWords[w], n, bad)
			return false
		}
	}
	return true
}

var rangeWords = map[types.Kind]string{types.Positive: "above 0", types.Nonnegative: "at least 0",
	types.Unit: "between 0 and 1", types.Count: "a whole number from 0"}

// outside says why a number is not in a kind's range. The closed ends count as inside:
// a density may be 0 there.
func outside(n float64, k types.Kind) string {
	switch {
	case (k == types.Positive || k == types.Nonnegative || k == types.Count || k == types.Unit) &&
		n < 0:
		return "below 0"
	case k == types.Unit && n > 1:
		return "above 1"
	}
	return ""
}
