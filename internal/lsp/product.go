package lsp

import (
	"math"
	"slices"
	"strconv"
)

// A product is a term as a quotient of factors, so that equal ones cancel.
type product struct {
	over, under float64 // the numbers above and below
	above       []*term
	below       []*term
}

// mostPower bounds the powers that are taken apart into factors.
const mostPower = 4

// multiply takes a term into a product, above it or below.
func (p *product) multiply(t *term, below bool) {
	switch t.op {
	case "number":
		if below {
			p.under *= t.num
		} else {
			p.over *= t.num
		}
	case "neg":
		p.over = -p.over
		p.multiply(t.args[0], below)
	case "*":
		p.multiply(t.args[0], below)
		p.multiply(t.args[1], below)
	case "/":
		p.multiply(t.args[0], below)
		p.multiply(t.args[1], !below)
	case "^":
		if y := t.args[1]; y.op == "number" && y.num == math.Trunc(y.num) && y.num != 0 &&
			math.Abs(y.num) <= mostPower {
			for range int(math.Abs(y.num)) {
				p.multiply(t.args[0], below != (y.num < 0))
			}
			return
		}
		p.factor(t, below)
	default:
		p.factor(t, below)
	}
}

// factor takes a factor, or cancels it with an equal one on the other side.
func (p *product) factor(t *term, below bool) {
	side, other := &p.above, &p.below
	if below {
		side, other = other, side
	}
	text := t.String()
	if i := slices.IndexFunc(*other, func(f *term) bool { return f.String() == text }); i >= 0 {
		*other = slices.Delete(slices.Clone(*other), i, i+1)
		return
	}
	*side = append(*side, t)
}

// term writes the product as one.
func (p *product) term() *term {
	if q := p.over / p.under; len(strconv.FormatFloat(q, 'g', -1, 64)) <= 8 && !math.IsInf(q, 0) {
		p.over, p.under = q, 1
	}
	if p.over == 0 {
		return number(0)
	}
	above, below := joined(math.Abs(p.over), p.above), joined(p.under, p.below)
	if !below.is(1) {
		above = make2("/", above, below)
	}
	if p.over < 0 {
		return negated(above)
	}
	return above
}

// joined multiplies factors; equal ones become powers.
func joined(x float64, factors []*term) *term {
	var out *term
	if x != 1 || len(factors) == 0 {
		out = number(x)
	}
	for i := 0; i < len(factors); i++ {
		f, count := factors[i], 1
		for j := len(factors) - 1; j > i; j-- {
			if factors[j].String() == f.String() {
				factors = slices.Delete(slices.Clone(factors), j, j+1)
				count++
			}
		}
		if count > 1 {
			f = make2("^", f, number(float64(count)))
		}
		if out == nil {
			out = f
		} else {
			out = make2("*", out, f)
		}
	}
	return out
}
