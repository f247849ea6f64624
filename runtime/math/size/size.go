// Package size holds sizes of arrays as polynomials in named dims: two sizes
// are equal when their polynomials are. Coefficients are whole, over one common
// divisor that only sizes such as that of a triangle have, K (K − 1) / 2.
package size

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// A Poly is a polynomial in dims, canonical: terms sorted, no zero
// coefficient, factors of a term sorted, the divisor in lowest terms. The zero
// Poly is the number 0.
type Poly struct {
	Terms []Term
	// Over divides the sum of the terms; 0 stands for 1. The quotient is whole
	// for all dims, or the size would be none.
	Over int
}

// A Term is Coef times the product of Dims.
type Term struct {
	Coef int
	Dims []string
}

// Const is the size n.
func Const(n int) Poly {
	if n == 0 {
		return Poly{}
	}
	return Poly{Terms: []Term{{Coef: n}}}
}

// Dim is the size of a named dim.
func Dim(name string) Poly { return Poly{Terms: []Term{{1, []string{name}}}} }

// Number returns the value of a size without dims.
func (p Poly) Number() (int, bool) {
	switch {
	case len(p.Terms) == 0:
		return 0, true
	case len(p.Terms) == 1 && len(p.Terms[0].Dims) == 0 && p.Over == 0:
		return p.Terms[0].Coef, true
	}
	return 0, false
}

// Name returns the dim's name of a size that is one dim.
func (p Poly) Name() (string, bool) {
	if len(p.Terms) == 1 && p.Over == 0 && p.Terms[0].Coef == 1 && len(p.Terms[0].Dims) == 1 {
		return p.Terms[0].Dims[0], true
	}
	return "", false
}

// Equal compares polynomials.
func (p Poly) Equal(q Poly) bool {
	return p.Over == q.Over && slices.EqualFunc(p.Terms, q.Terms, func(a, b Term) bool {
		return a.Coef == b.Coef && slices.Equal(a.Dims, b.Dims)
	})
}

// Add is p + q.
func (p Poly) Add(q Poly) Poly {
	m, n := p.divisor(), q.divisor()
	return canonical(append(p.times(n), q.times(m)...), m*n)
}

// divisor is Over, with 1 for 0.
func (p Poly) divisor() int { return max(p.Over, 1) }

// times is the terms with their coefficients multiplied.
func (p Poly) times(k int) []Term {
	terms := slices.Clone(p.Terms)
	for i := range terms {
		terms[i].Coef *= k
	}
	return terms
}

// Div is p / n for n > 0, where it is whole for all dims.
func (p Poly) Div(n int) Poly { return canonical(slices.Clone(p.Terms), p.divisor()*n) }

// Quotient is p / n where n divides p whatever whole numbers the dims are, as 2 divides K (K - 1).
// It does where it divides the values for all residues of the dims. p has 3 dims and n is 12 at
// most.
func (p Poly) Quotient(n int) (Poly, bool) {
	dims := p.Dims()
	if n < 1 || n > 1 && p.Over > 1 {
		return Poly{}, false
	}
	whole := true
	for _, t := range p.Terms {
		whole = whole && t.Coef%n == 0
	}
	if whole {
		return p.Div(n), true
	}
	if n > 12 || len(dims) > 3 {
		return Poly{}, false
	}
	at := map[string]int{}
	var all func(k int) bool
	all = func(k int) bool {
		if k == len(dims) {
			v, ok := p.Eval(at)
			return ok && v%n == 0
		}
		for r := range n {
			at[dims[k]] = r
			if !all(k + 1) {
				return false
			}
		}
		return true
	}
	return p.Div(n), all(0)
}

// Neg is −p.
func (p Poly) Neg() Poly {
	return Poly{p.times(-1), p.Over}
}

// Sub is p − q.
func (p Poly) Sub(q Poly) Poly { return p.Add(q.Neg()) }

// Mul is p q.
func (p Poly) Mul(q Poly) Poly {
	var terms []Term
	for _, a := range p.Terms {
		for _, b := range q.Terms {
			dims := append(slices.Clone(a.Dims), b.Dims...)
			sort.Strings(dims)
			terms = append(terms, Term{a.Coef * b.Coef, dims})
		}
	}
	return canonical(terms, p.divisor()*q.divisor())
}

// Dims returns the names that occur, sorted.
func (p Poly) Dims() []string {
	var names []string
	for _, t := range p.Terms {
		names = append(names, t.Dims...)
	}
	sort.Strings(names)
	return slices.Compact(names)
}

// Mentions reports whether the size depends on a dim.
func (p Poly) Mentions(dim string) bool { return slices.Contains(p.Dims(), dim) }

// Eval computes the size; ok is false when a dim is unknown.
func (p Poly) Eval(dims map[string]int) (n int, ok bool) {
	for _, t := range p.Terms {
		product := t.Coef
		for _, d := range t.Dims {
			v, known := dims[d]
			if !known {
				return 0, false
			}
			product *= v
		}
		n += product
	}
	return n / p.divisor(), true
}

// Shape evaluates the sizes of a shape; one with a dim that is not known is 0.
func Shape(shape []Poly, dims map[string]int) []int {
	out := make([]int, len(shape))
	for i, n := range shape {
		out[i], _ = n.Eval(dims)
	}
	return out
}

func (p Poly) String() string {
	if len(p.Terms) == 0 {
		return "0"
	}
	if p.Over > 0 {
		return fmt.Sprintf("(%s)/%d", Poly{Terms: p.Terms}, p.Over)
	}
	var b strings.Builder
	for i, t := range p.Terms {
		coef := t.Coef
		switch {
		case i > 0 && coef < 0:
			b.WriteString(" - ")
			coef = -coef
		case i > 0:
			b.WriteString(" + ")
		}
		switch {
		case len(t.Dims) == 0:
			fmt.Fprint(&b, coef)
		case coef == 1:
			b.WriteString(strings.Join(t.Dims, "*"))
		case coef == -1:
			b.WriteString("-" + strings.Join(t.Dims, "*"))
		default:
			fmt.Fprintf(&b, "%d*%s", coef, strings.Join(t.Dims, "*"))
		}
	}
	return b.String()
}

// canonical sorts, merges equal products, drops zeros and reduces. Terms with more
// factors come first, so that T - 1 prints in that order.
func canonical(terms []Term, over int) Poly {
	sort.SliceStable(terms, func(i, j int) bool {
		a, b := terms[i].Dims, terms[j].Dims
		if len(a) != len(b) {
			return len(a) > len(b)
		}
		return slices.Compare(a, b) < 0
	})
	var out []Term
	for _, t := range terms {
		if n := len(out); n > 0 && slices.Equal(out[n-1].Dims, t.Dims) {
			out[n-1].Coef += t.Coef
		} else {
			out = append(out, t)
		}
	}
	out = slices.DeleteFunc(out, func(t Term) bool { return t.Coef == 0 })
	common := over
	for _, t := range out {
		common = gcd(common, t.Coef)
	}
	if common > 1 {
		for i := range out {
			out[i].Coef /= common
		}
		over /= common
	}
	if over == 1 {
		over = 0
	}
	return Poly{out, over}
}

// gcd is the greatest common divisor, at least 1 for a ≥ 1.
func gcd(a, b int) int {
	for b = max(b, -b); b != 0; {
		a, b = b, a%b
	}
	return a
}
