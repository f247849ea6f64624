// Package predictive averages what draws say of rows that were not fitted: the
// log predictive density, the expected values of numbers and the probabilities
// of classes. The averages are over draws of the posterior, so the log density
// of a row is the log of the mean likelihood, as in cross-validation (Vehtari,
// Gelman and Gabry 2017, "Practical Bayesian model evaluation", eq. 3), and an
// accuracy is that of the averaged probabilities.
//
// `sgppl score` walks stored draws with it and a run with held-out rows its
// states as they come; both add up draw by draw within a chain and then the
// chains in their order, so the two agree to the bit.
package predictive

import (
	"math"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// Rows are the rows to predict: a model bound to them. It is immutable.
type Rows struct {
	Model *model.Model
	Sites []Site // of what is predicted entry by entry

	alone bool // the log likelihood of a row is that of its class, of the only site
}

// A Site is an observed name of one entry a row that the model predicts.
type Site struct {
	Name     string
	Kind     data.Kind
	Classes  int       // 0: an expected value a row
	Observed []float64 // NaN where missing
}

// Labels reports whether the site has classes, not numbers.
func (s *Site) Labels() bool { return s.Classes > 0 || s.Kind == data.Bool }

// width is how many numbers a row of the site takes.
func (s *Site) width() int { return max(s.Classes, 1) }

// Of finds what of a model's rows can be predicted. The model has a row axis.
func Of(m *model.Model) *Rows {
	r := &Rows{Model: m}
	for _, s := range m.Spec.Sites {
		if !s.Rows {
			continue
		}
		site := Site{Name: s.Name, Kind: s.Kind, Observed: m.Observed(s.Name)}
		if !s.Mean {
			site.Classes, _ = s.Classes.Eval(m.Dims)
			if site.Classes < 1 {
				continue
			}
		}
		if len(site.Observed) == m.Rows() {
			r.alone = s.Alone && len(r.Sites) == 0
			r.Sites = append(r.Sites, site)
		}
	}
	return r
}

// Width is how many numbers a prediction has: the log likelihood of every row,
// then of every site the means or the log probabilities of its classes.
func (r *Rows) Width() int {
	n := 1
	for i := range r.Sites {
		n += r.Sites[i].width()
	}
	return n * r.Model.Rows()
}

// split parts a prediction.
func (r *Rows) split(p []float64) (loglik, sites []float64) {
	return p[:r.Model.Rows()], p[r.Model.Rows():]
}

// Predict writes what the state x says of every row.
func (r *Rows) Predict(e *model.Evaluator, x, out []float64) {
	loglik, rest := r.split(out)
	if !r.alone {
		e.LogLik(x, nil, loglik)
	}
	for i := range r.Sites {
		s := &r.Sites[i]
		part := rest[:len(loglik)*s.width()]
		rest = rest[len(part):]
		if s.Classes == 0 {
			e.Mean(s.Name, x, nil, part)
		} else {
			e.Classes(s.Name, x, nil, s.Classes, part)
		}
	}
	if r.alone { // one pass over the rows gives both
		s := &r.Sites[0]
		for i, y := range s.Observed {
			loglik[i] = out[len(loglik)+i*s.Classes+int(y)]
		}
	}
}

// An Average is the mean of predictions over draws.
type Average struct {
	rows *Rows
	n    int64
	top  []float64 // by row, the largest log likelihood
	sum  []float64 // Σ exp(l − top)
	site []float64 // sums of means and probabilities, laid out as a prediction
}

// Average starts without draws.
func (r *Rows) Average() *Average {
	n := r.Model.Rows()
	a := &Average{rows: r, top: make([]float64, n), sum: make([]float64, n),
		site: make([]float64, r.Width()-n)}
	for i := range a.top {
		a.top[i] = math.Inf(-1)
	}
	return a
}

// Draws is the number of draws.
func (a *Average) Draws() int64 { return a.n }

// Add takes the prediction of a draw.
func (a *Average) Add(p []float64) {
	loglik, rest := a.rows.split(p)
	a.n++
	for i, x := range loglik {
		switch {
		case x <= a.top[i]:
			if !math.IsInf(x, -1) {
				a.sum[i] += special.Exp(x - a.top[i])
			}
		default: // NaN too, which stays
			a.sum[i] = float64(a.sum[i]*special.Exp(a.top[i]-x)) + 1
			a.top[i] = x
		}
	}
	sums := a.site
	for i := range a.rows.Sites {
		s := &a.rows.Sites[i]
		n := len(loglik) * s.width()
		if s.Classes == 0 {
			for k, x := range rest[:n] {
				sums[k] += x
			}
		} else {
			for k, l := range rest[:n] {
				sums[k] += special.Exp(l)
			}
		}
		rest, sums = rest[n:], sums[n:]
	}
}

// Merge adds the draws of another average of the same rows.
func (a *Average) Merge(b *Average) {
	a.n += b.n
	for i, top := range b.top {
		switch {
		case top <= a.top[i]:
			if !math.IsInf(top, -1) {
				a.sum[i] += float64(b.sum[i] * special.Exp(top-a.top[i]))
			}
		default:
			a.sum[i] = float64(a.sum[i]*special.Exp(a.top[i]-top)) + b.sum[i]
			a.top[i] = top
		}
	}
	for i, x := range b.site {
		a.site[i] += x
	}
}
