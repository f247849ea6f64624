package carry

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// A writer writes the prior of a block.
type writer struct {
	out    *Priors
	prefix string
	b      block
	data   strings.Builder
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 10, 64) }

// minus is " - m" or " + |m|".
func minus(m float64) string {
	if m < 0 {
		return " + " + number(-m)
	}
	return " - " + number(m)
}

// declare keeps an array of data, and returns its name.
func (w *writer) declare(name, sizes string, x any) string {
	name = w.prefix + name
	if _, is := w.out.Data[name]; !is {
		w.out.Data[name] = x
		fmt.Fprintf(&w.data, "data %s[%s] : real\n", name, sizes)
	}
	return name
}

// write puts the prior together: a mean, what is before it by its coefficients, a covariance.
func (w *writer) write(mean []float64, by *mat.Dense, before []block, within *mat.SymDense) error {
	p, at, n := w.b.Param, w.b.at, w.b.n
	vector := len(p.Sizes) > 0
	text := number(mean[at])
	if vector {
		text = w.declare(p.Name+"_mean", p.Sizes[0], mean[at:at+n])
	}
	for _, o := range before {
		name := o.Name
		if o.Positive {
			name = "log(" + name + ")"
		}
		part := by.Slice(0, n, o.at, o.at+o.n)
		switch {
		case vector && len(o.Sizes) > 0:
			text += fmt.Sprintf(" + %s @ (%s - %s)",
				w.declare(p.Name+"_by_"+o.Name, p.Sizes[0]+", "+o.Sizes[0], rows(part)), name,
				w.prefix+o.Name+"_mean")
		case vector:
			text += fmt.Sprintf(" + %s * (%s%s)",
				w.declare(p.Name+"_by_"+o.Name, p.Sizes[0], mat.Col(nil, 0, part)), name,
				minus(mean[o.at]))
		case len(o.Sizes) > 0:
			text += fmt.Sprintf(" + sum(%s * (%s - %s))",
				w.declare(p.Name+"_by_"+o.Name, o.Sizes[0], mat.Row(nil, 0, part)), name,
				w.prefix+o.Name+"_mean")
		default:
			text += fmt.Sprintf(" %s * (%s%s)", strings.TrimSpace(minus(-part.At(0, 0))), name,
				minus(mean[o.at]))
		}
	}
	law := "normal"
	if p.Positive {
		law = "lognormal"
	}
	if !vector {
		w.out.Of[p.Name] = Prior{Data: w.data.String(),
			Text: fmt.Sprintf("~ %s(%s, %s)", law, text, number(math.Sqrt(within.At(0, 0))))}
		return nil
	}
	var chol mat.Cholesky
	if !chol.Factorize(within) || chol.Cond() > 1/leastShare {
		return fmt.Errorf("the draws of %s have no covariance of full rank", p.Name)
	}
	cov := w.declare(p.Name+"_cov", p.Sizes[0]+", "+p.Sizes[0], rows(within))
	w.out.Of[p.Name] = Prior{Data: w.data.String(),
		Text: fmt.Sprintf("~ multi_normal(%s, %s)", text, cov)}
	return nil
}

func rows(m mat.Matrix) [][]float64 {
	n, _ := m.Dims()
	out := make([][]float64, n)
	for i := range out {
		out[i] = mat.Row(nil, i, m)
	}
	return out
}
