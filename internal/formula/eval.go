package formula

import (
	"fmt"
	"math"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/spelling"
)

// operators of arithmetic, with their rank in the language: what binds weaker than its
// surroundings is put in parentheses.
var arithmetic = map[string]struct {
	rank int
	do   func(a, b float64) float64
}{
	"==": {1, func(a, b float64) float64 { return truth(a == b) }},
	"<":  {1, func(a, b float64) float64 { return truth(a < b) }},
	">":  {1, func(a, b float64) float64 { return truth(a > b) }},
	"<=": {1, func(a, b float64) float64 { return truth(a <= b) }},
	">=": {1, func(a, b float64) float64 { return truth(a >= b) }},
	"!=": {1, func(a, b float64) float64 { return truth(a != b) }},
	"+":  {2, func(a, b float64) float64 { return a + b }},
	"-":  {2, func(a, b float64) float64 { return a - b }},
	"*":  {3, func(a, b float64) float64 { return a * b }},
	"/":  {3, func(a, b float64) float64 { return a / b }},
	"^":  {5, math.Pow},
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// value is an expression of columns: what it is in each row, and its text in the language.
type value struct {
	rows []float64
	text string
	rank int
}

// at is the text for a place that binds with the rank.
func (v value) at(rank int) string {
	if v.rank < rank {
		return "(" + v.text + ")"
	}
	return v.text
}

// eval computes arithmetic of columns, as in I(x^2) and log(x + 1).
func (d *design) eval(n *Node) (value, error) {
	switch n.Kind {
	case 'n':
		c, err := d.column(n)
		if err != nil {
			return value{}, err
		}
		return value{c.Values, d.numeric(n.Text), 6}, nil
	case '0':
		rows := make([]float64, d.rows)
		for i := range rows {
			rows[i] = n.Value
		}
		return value{rows, number(n.Value), 6}, nil
	case 'c':
		return d.call(n)
	case 'o':
		return d.operate(n)
	}
	return value{}, d.fail(n, "expected arithmetic of columns, found effects of a group",
		"effects of a group are a term of their own: y ~ x + (1 | g)")
}

// operate computes an operator of arithmetic.
func (d *design) operate(n *Node) (value, error) {
	op, ok := arithmetic[n.Text]
	if !ok {
		return value{}, d.fail(n, fmt.Sprintf("expected arithmetic, found `%s`", n.Text),
			"`:` and `%in%` join terms, outside of functions")
	}
	a, err := d.eval(n.Args[0])
	if err != nil {
		return value{}, err
	}
	if len(n.Args) == 1 {
		if n.Text == "+" {
			return a, nil
		}
		rows := make([]float64, len(a.rows))
		for i, v := range a.rows {
			rows[i] = -v
		}
		return value{rows, "-" + a.at(4), 4}, nil
	}
	b, err := d.eval(n.Args[1])
	if err != nil {
		return value{}, err
	}
	left, right := op.rank, op.rank+1
	if n.Text == "^" {
		left, right = 6, 4
	}
	if op.rank == 1 {
		left = 2
	}
	out := value{make([]float64, len(a.rows)), a.at(left) + " " + n.Text + " " + b.at(right),
		op.rank}
	if n.Text == "^" {
		out.text = a.at(left) + "^" + b.at(right)
	}
	for i := range out.rows {
		out.rows[i] = op.do(a.rows[i], b.rows[i])
	}
	return out, d.finite(n, out.rows)
}

// call computes a function of columns.
func (d *design) call(n *Node) (value, error) {
	f, ok := functions[n.Text]
	if n.Text == "I" {
		f, ok = function{entry: func(x float64) float64 { return x }, text: "$"}, true
	}
	if !ok {
		return value{}, d.unknown(n)
	}
	if len(n.Args) != 1 || len(n.Named) > 0 {
		return value{}, d.fail(n, fmt.Sprintf("expected one argument of %s, found %d", n.Text,
			len(n.Args)+len(n.Named)), "")
	}
	x, err := d.eval(n.Args[0])
	if err != nil || n.Text == "I" {
		return x, err
	}
	inner := x.text
	if n.Text == "center" || n.Text == "scale" {
		inner = x.at(6)
	}
	out := value{make([]float64, len(x.rows)), strings.ReplaceAll(f.text, "$", inner), 6}
	if f.whole != nil {
		out.rows = f.whole(x.rows)
	} else {
		for i, v := range x.rows {
			out.rows[i] = f.entry(v)
		}
	}
	return out, d.finite(n, out.rows)
}

// unknown refuses a function, with what to write instead.
func (d *design) unknown(n *Node) error {
	suggest := elsewhere[n.Text]
	if suggest == "" {
		known := []string{"I", "s", "mo", "factor", "offset"}
		for name := range functions {
			known = append(known, name)
		}
		if near := spelling.Nearest(n.Text, known); near != "" {
			suggest = "did you mean " + near + "?"
		} else {
			suggest = "compute the column before, or in the model; `sgppl doc formula` has what is covered"
		}
	}
	return d.fail(n, fmt.Sprintf("expected a function of columns, found %s, which is not covered",
		n.Text), suggest)
}

// finite refuses an expression that is not finite in some row.
func (d *design) finite(n *Node, rows []float64) error {
	for i, v := range rows {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return d.bad(n, fmt.Sprintf("expected finite values, found %v in row %d", v, i+1),
				"choose a function that is finite for all rows, such as log1p(x) in place of "+
					"log(x) at 0")
		}
	}
	return nil
}
