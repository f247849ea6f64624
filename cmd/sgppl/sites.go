package main

import (
	"math"

	"github.com/sgppl/sgppl/runtime/data"
	"github.com/sgppl/sgppl/runtime/model"
	"github.com/sgppl/sgppl/runtime/run"
	"github.com/sgppl/sgppl/runtime/special"
)

// A site gathers the posterior mean of what is predicted for an observed name.
type site struct {
	name    string
	kind    data.Kind
	classes int       // 0: an expected value a row
	sum     []float64 // over draws, of the means or the class probabilities
}

// scoredSites are the observed names of one entry a row that the model
// predicts.
func scoredSites(b *binding) []*site {
	var out []*site
	n := b.target.Rows()
	for _, s := range b.compiled.Spec.Sites {
		if !s.Rows {
			continue
		}
		k := 0
		if !s.Mean {
			k, _ = s.Classes.Eval(b.bound.Dims)
			if k < 1 {
				continue
			}
		}
		if v := b.bound.Values[s.Name]; v == nil || v.CSR != nil || v.Len() != n {
			continue
		}
		out = append(out, &site{name: s.Name, kind: s.Kind, classes: k, sum: make([]float64, n*max(k, 1))})
	}
	return out
}

// take adds what one draw says.
func (s *site) take(x []float64) {
	if s.classes == 0 {
		for i, v := range x {
			s.sum[i] += v
		}
		return
	}
	for i, l := range x {
		s.sum[i] += special.Exp(l)
	}
}

// predict evaluates one draw.
func (p *prediction) predict(eval *model.Evaluator, x []float64, sites []*site) {
	eval.LogLik(x, nil, p.loglik)
	for k, s := range sites {
		if s.classes == 0 {
			eval.Mean(s.name, x, nil, p.sites[k])
		} else {
			eval.Classes(s.name, x, nil, s.classes, p.sites[k])
		}
	}
}

// logSumExp adds exp(l) to sum·exp(top), row by row.
func logSumExp(top, sum, l []float64) {
	for i, x := range l {
		switch {
		case x <= top[i]:
			if !math.IsInf(x, -1) {
				sum[i] += special.Exp(x - top[i])
			}
		default:
			sum[i] = float64(sum[i]*special.Exp(top[i]-x)) + 1
			top[i] = x
		}
	}
}

// fill compares the predictions with what was observed: classes by the most
// probable one, numbers by the mean. Missing entries do not count.
func (s *score) fill(b *binding, sites []*site, draws float64) {
	s.Sites = map[string]siteScore{}
	var hits, rmses []run.Float
	for _, x := range sites {
		observed := b.bound.Values[x.name].Floats()
		sum, n := 0.0, 0.0
		for i, y := range observed {
			if math.IsNaN(y) {
				continue
			}
			n++
			sum += x.loss(i, y, draws)
		}
		if n == 0 {
			continue
		}
		value := run.Float(sum / n)
		if x.label() {
			hits = append(hits, value)
			s.Sites[x.name] = siteScore{Accuracy: &value}
			continue
		}
		value = run.Float(math.Sqrt(sum / n))
		rmses = append(rmses, value)
		s.Sites[x.name] = siteScore{RMSE: &value}
	}
	if len(hits) == 1 {
		s.Accuracy = &hits[0]
	}
	if len(rmses) == 1 {
		s.RMSE = &rmses[0]
	}
	if len(b.compiled.Spec.Sites) == 1 && len(sites) == 1 && sites[0].classes > 0 {
		p := run.Float(special.Exp(-float64(s.LPDMean)))
		s.Perplexity = &p
	}
	if len(s.Sites) < 2 {
		s.Sites = nil
	}
}

// label says whether the site has classes, not numbers.
func (s *site) label() bool { return s.classes > 0 || s.kind == data.Bool }

// loss of row i with outcome y: whether the prediction hits, or the squared
// error.
func (s *site) loss(i int, y, draws float64) float64 {
	switch {
	case s.classes > 0:
		p := s.sum[i*s.classes : (i+1)*s.classes]
		best := 0
		for k := range p {
			if p[k] > p[best] {
				best = k
			}
		}
		return special.Bool(float64(best) == y)
	case s.kind == data.Bool:
		return special.Bool((s.sum[i]/draws >= 0.5) == (y == 1))
	}
	d := s.sum[i]/draws - y
	return float64(d * d)
}
