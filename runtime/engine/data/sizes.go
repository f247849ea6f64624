package data

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// An equation says that a declared size equals the length of a value along an axis.
type equation struct {
	poly size.Poly
	n    int
	in   *Input
	axis int // −1: the values of an index
	val  *array.Value
	bad  bool // reported already
}

// who returns the name of the value and the axis of an equation, for messages.
func (e *equation) who() string {
	if e.axis < 0 {
		return fmt.Sprintf("the header of %s", e.val.Origin.File)
	}
	if e.val.Origin != nil {
		return fmt.Sprintf("%s (%s, axis %d)", e.in.Name, e.val.Origin.Name(), e.axis)
	}
	return fmt.Sprintf("%s (axis %d)", e.in.Name, e.axis)
}

// sizes solves for the dims of a schema.
type sizes struct {
	known map[string]int
	from  map[string]string // by dim, the source of its size, for messages
	eqs   []*equation
	errs  []*problem.Error
}

// linear writes a polynomial as coef·name + rest, given the known dims. unknowns is the number of
// unknown dims, 0 or 1. It is 2 if the polynomial is not linear in one dim.
func linear(p size.Poly, known map[string]int) (name string, coef, rest, unknowns int) {
	for _, t := range p.Terms {
		product, free := t.Coef, ""
		for _, d := range t.Dims {
			switch v, ok := known[d]; {
			case ok:
				product *= v
			case free != "":
				return "", 0, 0, 2
			default:
				free = d
			}
		}
		switch {
		case free == "":
			rest += product
		case name != "" && name != free:
			return "", 0, 0, 2
		default:
			name, coef = free, coef+product
		}
	}
	if name != "" {
		unknowns = 1
	}
	return name, coef, rest, unknowns
}

// solve finds the dims that the equations determine. It first uses equations between one dim and a
// number. So a message on a conflict names T - 1 rather than T.
func (s *sizes) solve() {
	for _, plain := range []bool{true, false} {
		for again := true; again; {
			again = false
			for _, e := range s.eqs {
				if _, one := e.poly.Name(); e.bad || plain != one {
					continue
				}
				name, coef, rest, unknowns := linear(e.poly, s.known)
				if unknowns != 1 || coef == 0 {
					continue
				}
				if (e.n-rest)%coef != 0 || (e.n-rest)/coef < 0 {
					e.bad = true
					s.errs = append(s.errs,
						e.fail("D0122",
							fmt.Sprintf("%s has size %d, but no whole %s makes %s that", e.who(),
								e.n, name, e.poly)))
					continue
				}
				s.known[name], s.from[name] = (e.n-rest)/coef, e.who()
				again = true
			}
		}
	}
}

// check reports every equation that the known dims do not satisfy.
func (s *sizes) check() {
	for _, e := range s.eqs {
		want, ok := e.poly.Eval(s.known)
		if e.bad || !ok || want == e.n {
			continue
		}
		e.bad = true
		if _, fixed := e.poly.Number(); fixed {
			s.errs = append(s.errs,
				e.fail("D0122",
					fmt.Sprintf("%s has size %d, but %d is declared", e.who(), e.n, want)))
			continue
		}
		if name, one := e.poly.Name(); one {
			s.errs = append(s.errs,
				e.fail("D0120",
					fmt.Sprintf("sizes disagree on %s: %d by %s, %d by %s", name, want,
						s.from[name], e.n, e.who())))
			continue
		}
		err := e.fail("D0120",
			fmt.Sprintf("%s has size %d, but %s is %d", e.who(), e.n, e.poly, want))
		for _, d := range e.poly.Dims() {
			err.Notes = append(err.Notes, fmt.Sprintf("%s is %d by %s", d, s.known[d], s.from[d]))
		}
		s.errs = append(s.errs, err)
	}
}

func (e *equation) fail(code, message string) *problem.Error {
	err := &problem.Error{Code: code, Message: message, Name: e.in.Name, Decl: e.in.Place}
	if e.val.Origin != nil {
		err.File = e.val.Origin.File
	}
	return err
}

// atLeast raises the only unknown dim of p so that p is at least n, and returns its name. It
// returns "" if p does not have exactly one unknown dim. raised has the sizes found so far in this
// way.
func (s *sizes) atLeast(p size.Poly, n int, from string, raised map[string]int) string {
	name, coef, rest, unknowns := linear(p, s.known)
	if unknowns != 1 || coef <= 0 {
		return ""
	}
	need := max(0, (n-rest+coef-1)/coef)
	if old, seen := raised[name]; !seen || need > old {
		raised[name], s.from[name] = need, from
	}
	return name
}

// fit matches the axes of a value with declared sizes. The first k axes agree one by one, and the
// other axes hold equally many entries in both. A value without entries may lack trailing axes.
func fit(declared []size.Poly, v *array.Value, known map[string]int) (k int, ok bool) {
	if len(declared) == len(v.Shape) {
		return len(declared), true
	}
	if v.CSR != nil {
		return 0, false
	}
	if v.Len() == 0 && len(v.Shape) < len(declared) && len(v.Shape) > 0 {
		return len(v.Shape), true
	}
	for k = min(len(declared), len(v.Shape)); k >= 0; k-- {
		if tail, all := entries(declared[k:], known); all && agree(declared[:k], v.Shape, known) {
			if n, _ := array.Product(v.Shape[k:]); n == tail {
				return k, true
			}
		}
	}
	return 0, false
}

// entries returns the number of entries of a shape. It returns false if a size is unknown or
// negative, or the number overflows an int.
func entries(shape []size.Poly, known map[string]int) (int, bool) {
	n := 1
	for _, p := range shape {
		m, ok := p.Eval(known)
		if !ok || m < 0 || m != 0 && n > math.MaxInt/m {
			return 0, false
		}
		n *= m
	}
	return n, true
}

// agree reports whether no known declared size differs from the size of the value.
func agree(declared []size.Poly, shape []int, known map[string]int) bool {
	for i, p := range declared {
		if n, ok := p.Eval(known); ok && n != shape[i] {
			return false
		}
	}
	return true
}
