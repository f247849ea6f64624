package predictive

import (
	"math"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Score compares predictions with what was observed. What does not apply is
// NaN.
type Score struct {
	Draws      int64
	LPD        float64 // log predictive density, mean over rows
	Accuracy   float64 // of the only site that has classes
	RMSE       float64 // of the only site that has numbers
	Perplexity float64 // exp(−LPD), where the model observes classes alone
	Sites      []SiteScore
}

// A SiteScore is of one observed name; Value is NaN where nothing of it is
// observed.
type SiteScore struct {
	Name    string
	Labels  bool    // Value is an accuracy, else a root mean squared error
	Value   float64 // entries that are missing do not count
	Entries int     // those that do
}

// Score scores the average of the draws so far. sites may be nil; else it has
// space for the score's Sites.
func (a *Average) Score(sites []SiteScore) Score {
	total := 0.0
	for i, top := range a.top {
		total += top + special.Log(a.sum[i]/float64(a.n))
	}
	return a.rows.score(a.n, total, sites, func(k int, s *Site, row int) float64 {
		return s.loss(a.site[k:], row, float64(a.n))
	})
}

// One scores a prediction by itself: that of a single draw.
func (r *Rows) One(p []float64, sites []SiteScore) Score {
	loglik, rest := r.split(p)
	total := 0.0
	for _, l := range loglik {
		total += l
	}
	return r.score(1, total, sites, func(k int, s *Site, row int) float64 {
		return s.loss(rest[k:], row, 1) // log probabilities have the same largest
	})
}

// score fills in a score, given the sum of log densities and the loss of a row
// of the site whose numbers begin at k.
func (r *Rows) score(
	draws int64, total float64, sites []SiteScore, loss func(k int, s *Site, row int) float64,
) Score {
	nan := math.NaN()
	out := Score{Draws: draws, LPD: total / float64(r.Model.Rows()), Accuracy: nan, RMSE: nan,
		Perplexity: nan, Sites: sites[:0]}
	at, labels, numbers := 0, 0, 0
	for i := range r.Sites {
		s := &r.Sites[i]
		sum, n := 0.0, 0.0
		for row, y := range s.Observed {
			if y == y {
				n++
				sum += loss(at, s, row)
			}
		}
		at += s.width() * len(s.Observed)
		one := SiteScore{s.Name, s.Labels(), nan, int(n)}
		switch {
		case n == 0:
		case one.Labels:
			labels++
			one.Value = sum / n
			out.Accuracy = one.Value
		default:
			numbers++
			one.Value = math.Sqrt(sum / n)
			out.RMSE = one.Value
		}
		out.Sites = append(out.Sites, one)
	}
	if labels > 1 {
		out.Accuracy = nan
	}
	if numbers > 1 {
		out.RMSE = nan
	}
	if len(r.Model.Spec.Sites) == 1 && len(r.Sites) == 1 && r.Sites[0].Classes > 0 {
		out.Perplexity = special.Exp(-out.LPD)
	}
	return out
}

// loss of a row: whether the prediction hits, classes by the most probable one,
// or the squared error of the mean. x are the site's sums over draws.
func (s *Site) loss(x []float64, row int, draws float64) float64 {
	y := s.Observed[row]
	switch {
	case s.Classes > 0:
		p := x[row*s.Classes : (row+1)*s.Classes]
		best := 0
		for k := range p {
			if p[k] > p[best] {
				best = k
			}
		}
		return special.Bool(float64(best) == y)
	case s.Kind == data.Bool:
		return special.Bool((x[row]/draws >= 0.5) == (y == 1))
	}
	d := x[row]/draws - y
	return float64(d * d)
}
