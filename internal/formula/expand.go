package formula

import (
	"fmt"
	"slices"
	"strings"
)

// An atom is a factor of a term: a column of numbers, or a factor(x) with its levels.
type atom struct {
	key    string // equal for equal atoms
	node   *Node
	factor bool
}

// A term is a product of atoms. The intercept is none of them.
type term []atom

func (t term) key() string {
	keys := make([]string, len(t))
	for i, a := range t {
		keys[i] = a.key
	}
	slices.Sort(keys)
	return strings.Join(keys, ":")
}

// without is the term with one atom left out.
func (t term) without(i int) term {
	return append(slices.Clone(t[:i]), t[i+1:]...)
}

// terms are what one side, or the left of a bar, is made of.
type terms struct {
	intercept bool
	linear    []term
	special   []*Node // s(x), mo(x) and offset(x)
	groups    []*Node // (terms | group)
}

// has reports whether the term, or the intercept where it has no atoms, is among t.
func (t *terms) has(x term) bool {
	if len(x) == 0 {
		return t.intercept
	}
	return slices.ContainsFunc(t.linear, func(y term) bool { return y.key() == x.key() })
}

func (t *terms) add(list []term) {
	for _, x := range list {
		if !t.has(x) {
			t.linear = append(t.linear, x)
		}
	}
}

// expand adds the terms of n, as R's formulas do: Chambers and Hastie (1992), Statistical
// Models in S, chapter 2.
func (d *design) expand(t *terms, n *Node) error {
	if n.Kind == 'o' && (n.Text == "+" || n.Text == "-") {
		rest := n.Args[0]
		if len(n.Args) == 2 {
			if err := d.expand(t, n.Args[0]); err != nil {
				return err
			}
			rest = n.Args[1]
		}
		if n.Text == "-" {
			return d.remove(t, rest)
		}
		return d.expand(t, rest)
	}
	switch {
	case n.Kind == '0':
		if n.Value != 0 && n.Value != 1 {
			return d.fail(n, "expected a term, found a number that is not 0 or 1",
				"numbers other than 0 and 1 stand in functions: I(2 * x)")
		}
		t.intercept = n.Value == 1
		return nil
	case n.Kind == 'g':
		t.groups = append(t.groups, n)
		return nil
	case n.Kind == 'c' && (n.Text == "s" || n.Text == "mo" || n.Text == "offset"):
		t.special = append(t.special, n)
		return nil
	}
	list, err := d.product(n)
	if err == nil {
		t.add(list)
		err = d.few(n, len(t.linear))
	}
	return err
}

// mostTerms bounds what a power such as (a + b + c)^9 makes.
const mostTerms = 1000

func (d *design) few(n *Node, count int) error {
	if count > mostTerms {
		return d.fail(n, fmt.Sprintf("expected at most %d terms, found %d", mostTerms, count),
			"leave interactions out, or write the model with a matrix: data x[N, P] : real")
	}
	return nil
}

// remove takes terms away, as - 1 and - a:b do.
func (d *design) remove(t *terms, n *Node) error {
	if n.Kind == '0' {
		t.intercept = n.Value == 0
		return nil
	}
	list, err := d.product(n)
	for _, x := range list {
		if !t.has(x) {
			return d.fail(n, "expected a term that stands before, found one that does not",
				"a term is taken away after it was added: y ~ a*b - a:b")
		}
		t.linear = slices.DeleteFunc(t.linear, func(y term) bool { return y.key() == x.key() })
	}
	return err
}

// product is the terms of a part of a formula without effects of groups and specials.
func (d *design) product(n *Node) ([]term, error) {
	switch {
	case n.Kind == 'n':
		if d.isText(n) {
			return []term{{{key: "factor(" + n.Text + ")", node: n, factor: true}}}, nil
		}
		return []term{{{key: n.Text, node: n}}}, nil
	case n.Kind == 'c' && (n.Text == "factor" || n.Text == "C"):
		if len(n.Args) != 1 || len(n.Named) > 0 || n.Args[0].Kind != 'n' {
			return nil, d.fail(n, "expected a column in factor(), found something else",
				"write factor(x); contrasts are those of R, against the lowest level")
		}
		x := n.Args[0]
		return []term{{{key: "factor(" + x.Text + ")", node: x, factor: true}}}, nil
	case n.Kind == 'c' && slices.Contains([]string{"s", "mo", "offset"}, n.Text):
		return nil, d.fail(n, fmt.Sprintf("expected %s() as a term of its own, found it in an "+
			"interaction", n.Text), "add it with +, and edit the model for the interaction")
	case n.Kind == 'c':
		return []term{{{key: d.formula.Text[n.At.Start:n.At.End], node: n}}}, nil
	case n.Kind == 'o' && len(n.Args) == 2:
		return d.operator(n)
	case n.Kind == 'g':
		return nil, d.fail(n, "expected effects of a group as a term of their own, found them in "+
			"an interaction", "write y ~ x + (1 + x | g)")
	}
	return nil, d.fail(n, "expected a column or a function of columns", "")
}

// operator is the terms of a + b, a:b, a*b, a/b, a^n and a - b, within a product.
func (d *design) operator(n *Node) ([]term, error) {
	a, err := d.product(n.Args[0])
	if err != nil {
		return nil, err
	}
	out := &terms{}
	if n.Text == "^" {
		times := n.Args[1]
		if times.Kind != '0' || times.Value < 1 || times.Value > 9 ||
			!whole([]float64{times.Value}) {
			return nil, d.fail(times,
				"expected a whole number from 1 to 9 as the power of terms, found something else",
				"(a + b)^2 is a + b + a:b; the square of a column is I(x^2)")
		}
		out.add(a)
		for i := 1; i < int(times.Value); i++ {
			out.add(crossed(out.linear, a))
			if err := d.few(n, len(out.linear)); err != nil {
				return nil, err
			}
		}
		return out.linear, nil
	}
	b, err := d.product(n.Args[1])
	if err != nil {
		return nil, err
	}
	if err := d.few(n, len(a)*len(b)); err != nil {
		return nil, err
	}
	switch n.Text {
	case "+":
		out.add(a)
		out.add(b)
	case "-":
		out.add(a)
		out.linear = slices.DeleteFunc(out.linear, func(x term) bool {
			return slices.ContainsFunc(b, func(y term) bool { return x.key() == y.key() })
		})
	case ":":
		out.add(crossed(a, b))
	case "*":
		out.add(a)
		out.add(b)
		out.add(crossed(a, b))
	case "/":
		all := term{}
		for _, x := range a {
			all = crossed([]term{all}, []term{x})[0]
		}
		out.add(a)
		out.add(crossed([]term{all}, b))
	default:
		return nil, d.fail(n, fmt.Sprintf("expected terms, found `%s`", n.Text),
			"write a comparison in I(): I(x > 0)")
	}
	return out.linear, nil
}

// crossed is every product of a term of a with a term of b; an atom comes once.
func crossed(a, b []term) []term {
	var out []term
	for _, x := range a {
		for _, y := range b {
			z := slices.Clone(x)
			for _, f := range y {
				if !slices.ContainsFunc(z, func(w atom) bool { return w.key == f.key }) {
					z = append(z, f)
				}
			}
			out = append(out, z)
		}
	}
	return out
}
