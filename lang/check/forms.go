package check

import (
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A form is a whole-number expression as a polynomial in dims and atoms: the
// bound indices and the data in it. It is what the proofs about subscripts
// compute with.
type form struct {
	poly  types.Size
	atoms map[string]atom
}

// An atom's values lie between lo and hi, inclusive, where known.
type atom struct {
	lo, hi       types.Size
	hasLo, hasHi bool
	attained     bool // a bound index reaches both of its ends
	moves        bool // the ends of a bound index vary, so its values depend on other atoms
}

// atomMark starts the name of an atom, which no dim has.
const atomMark = "\x00"

// form reads an expression whose type has been found.
func (c *checker) form(e ast.Expr) (form, bool) {
	f := form{atoms: map[string]atom{}}
	p, ok := c.formOf(e, f.atoms)
	f.poly = p
	return f, ok
}

func (c *checker) formOf(e ast.Expr, atoms map[string]atom) (types.Size, bool) {
	switch e := e.(type) {
	case *ast.Paren:
		return c.formOf(e.X, atoms)
	case *ast.Number:
		if e.Int && e.Value < 1<<40 {
			return size.Const(int(e.Value)), true
		}
		return types.Size{}, false
	case *ast.Unary:
		if e.Op == "-" {
			p, ok := c.formOf(e.X, atoms)
			return p.Neg(), ok
		}
	case *ast.Binary:
		switch e.Op {
		case "+", "-", "*":
			x, ok := c.formOf(e.X, atoms)
			y, ok2 := c.formOf(e.Y, atoms)
			if !ok || !ok2 {
				return types.Size{}, false
			}
			return sizeOp(e.Op, x, y)
		}
	case *ast.Name:
		s := c.m.Uses[e]
		if s == nil {
			return types.Size{}, false
		}
		switch s.Kind {
		case Dim, SizeVar:
			if p, ok := c.m.Sizes[e]; ok {
				return p, true
			}
			return size.Dim(s.Name), s.Parent == nil
		case Const:
			if s.HasValue && s.Value == float64(int(s.Value)) {
				return size.Const(int(s.Value)), true
			}
			return types.Size{}, false
		case Bound:
			if s.Range == nil {
				return types.Size{}, false
			}
			name := atomMark + s.Name
			atoms[name] = atom{lo: s.Range.Lo, hi: s.Range.Hi().Sub(size.Const(1)), hasLo: true,
				hasHi: true, attained: !s.Range.Moves(), moves: s.Range.Moves()}
			return size.Dim(name), true
		case Let:
			if _, isName := s.Expr.(*ast.Name); s.Expr != nil && s.Part < 0 &&
				s.File == c.in.file.Source && !isName {
				if p, ok := c.formOf(s.Expr, atoms); ok {
					return p, true
				}
			}
		}
	}
	t, ok := c.m.Types[e]
	if !ok || !t.Kind.Discrete() || len(t.Shape) > 0 {
		return types.Size{}, false
	}
	name := atomMark + c.text(e)
	a := atom{}
	switch t.Kind {
	case types.Index:
		a = atom{hi: t.Below.Sub(size.Const(1)), hasLo: true, hasHi: true}
	case types.Bool:
		a = atom{hi: size.Const(1), hasLo: true, hasHi: true}
	case types.Count:
		a = atom{hasLo: true}
	}
	atoms[name] = a
	return size.Dim(name), true
}

// text returns the source of an expression without blanks, by which two expressions of one scope
// are distinguished.
func (c *checker) text(e ast.Expr) string {
	span := e.Pos()
	t := c.in.file.Source.Text
	if span.Start < 0 || span.End > len(t) || span.Start > span.End {
		return "?"
	}
	return strings.Join(strings.Fields(t[span.Start:span.End]), "")
}

// extreme replaces the atoms of f by one end each, so that the result bounds f
// from above (up) or below. With attained, only ends that are taken count:
// a value that data may or may not take is put at its other end.
func (f form) extreme(up, attained bool) (types.Size, bool) {
	p := f.poly
	for _, a := range f.atoms {
		if attained && a.moves {
			return p, false
		}
	}
	for range 8 {
		name := ""
		for _, n := range p.Dims() {
			if strings.HasPrefix(n, atomMark) {
				name = n
				break
			}
		}
		if name == "" {
			return p, true
		}
		a := f.atoms[name]
		// p = rest + name · slope; the slope's sign picks the end.
		slope, rest, linear := split(p, name)
		if !linear {
			return p, false
		}
		rising := f.notNegative(slope)
		if !rising && !f.notNegative(slope.Neg()) {
			return p, false
		}
		high := rising == up
		if attained && !a.attained {
			high = !high
		}
		end, known := a.lo, a.hasLo
		if high {
			end, known = a.hi, a.hasHi
		}
		if !known {
			return p, false
		}
		p = rest.Add(slope.Mul(end))
	}
	return p, false
}

// notNegative proves a slope ≥ 0, its atoms being at least 0.
func (f form) notNegative(p types.Size) bool {
	for _, n := range p.Dims() {
		if strings.HasPrefix(n, atomMark) && !(f.atoms[n].hasLo && nonnegative(f.atoms[n].lo)) {
			return false
		}
	}
	return nonnegative(p)
}

// split writes p as rest + name · slope.
func split(p types.Size, name string) (slope, rest types.Size, linear bool) {
	for _, t := range p.Terms {
		var others []string
		count := 0
		for _, d := range t.Dims {
			if d == name {
				count++
			} else {
				others = append(others, d)
			}
		}
		switch count {
		case 0:
			rest.Terms = append(rest.Terms, t)
		case 1:
			slope = slope.Add(types.Size{Terms: []size.Term{{Coef: t.Coef, Dims: others}}})
		default:
			return slope, rest, false
		}
	}
	return slope, rest, true
}

// inside compares a form with an axis of n entries: never says that it surely
// runs out for some value that it takes, always that it surely stays inside.
func (f form) inside(n types.Size) (always, never bool) {
	low, okLow := f.extreme(false, false)
	high, okHigh := f.extreme(true, false)
	// Where an atom has a value, its range has an entry.
	var filled []string
	for _, a := range f.atoms {
		if a.hasLo && a.hasHi {
			filled = append(filled, positiveDims(a.hi.Sub(a.lo).Add(size.Const(1)))...)
		}
	}
	always = okLow && okHigh && atLeastWith(low, types.Size{}, filled) &&
		atLeastWith(n, high.Add(size.Const(1)), filled)
	if p, ok := f.extreme(false, true); ok && negative(p) {
		never = true
	}
	if p, ok := f.extreme(true, true); ok && nonnegative(p.Sub(n)) {
		never = true
	}
	return always, never && !always
}
