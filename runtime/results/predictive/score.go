package predictive

import (
	"math"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Score compares predictions with observations. Statistics that do not apply are NaN.
type Score struct {
	Draws    int64
	LPD      float64 // log predictive density, mean over rows
	Accuracy float64 // of the only site that has classes
	// Calibration is the expected calibration error of that site (Guo, Pleiss, Sun and Weinberger
	// 2017, "On calibration of modern neural networks", equation 3): the mean difference between the
	// probability of the most probable class and the share of hits, over 15 bins of equal width.
	Calibration float64
	RMSE        float64 // of the only site that has numbers
	Perplexity  float64 // exp(−LPD), where the model observes classes alone
	Sites       []SiteScore
}

// A SiteScore is of one observed name; Value is NaN where nothing of it is
// observed.
type SiteScore struct {
	Name    string
	Labels  bool    // Value is an accuracy, else a root mean squared error
	Value   float64 // entries that are missing do not count
	Entries int     // those that do
	// Calibration is the expected calibration error of classes, else NaN.
	Calibration float64
}

// Score scores the average of the draws so far. sites may be nil; else it has
// space for the score's Sites.
func (a *Average) Score(sites []SiteScore) Score {
	total := 0.0
	for i, top := range a.top {
		total += top + special.Log(a.sum[i]/float64(a.n))
	}
	n := float64(a.n)
	return a.rows.score(a.n, total, sites, func(k int, s *Site, row int) (loss, sure float64) {
		return s.loss(a.site[k:], row, n), s.sure(a.site[k:], row, n)
	})
}

// One scores a prediction by itself: that of a single draw.
func (r *Rows) One(p []float64, sites []SiteScore) Score {
	loglik, rest := r.split(p)
	total := 0.0
	for _, l := range loglik {
		total += l
	}
	return r.score(1, total, sites, func(k int, s *Site, row int) (loss, sure float64) {
		loss, sure = s.loss(rest[k:], row, 1), s.sure(rest[k:], row, 1)
		if s.Classes > 0 { // log probabilities have the same largest
			sure = special.Exp(sure)
		}
		return loss, sure
	})
}

// score fills in a score, given the sum of log densities and the loss of a row
// of the site whose numbers begin at k, with the probability of its most probable class.
func (r *Rows) score(
	draws int64, total float64, sites []SiteScore,
	look func(k int, s *Site, row int) (loss, sure float64),
) Score {
	nan := math.NaN()
	out := Score{Draws: draws, LPD: total / float64(r.Model.Rows()), Accuracy: nan, RMSE: nan,
		Calibration: nan, Perplexity: nan, Sites: sites[:0]}
	at, labels, numbers := 0, 0, 0
	for i := range r.Sites {
		s := &r.Sites[i]
		sum, n := 0.0, 0.0
		var gaps [calibrationBins]float64 // Σ hits − Σ probabilities, by bin
		for row, y := range s.Observed {
			if y == y {
				n++
				loss, sure := look(at, s, row)
				sum += loss
				if s.Labels() && sure >= 0 {
					gaps[min(int(sure*calibrationBins), calibrationBins-1)] += loss - sure
				}
			}
		}
		at += s.width() * len(s.Observed)
		one := SiteScore{s.Name, s.Labels(), nan, int(n), nan}
		switch {
		case n == 0:
		case one.Labels:
			labels++
			one.Value = sum / n
			one.Calibration = 0
			for _, g := range gaps {
				one.Calibration += math.Abs(g) / n
			}
			out.Accuracy, out.Calibration = one.Value, one.Calibration
		default:
			numbers++
			one.Value = math.Sqrt(sum / n)
			out.RMSE = one.Value
		}
		out.Sites = append(out.Sites, one)
	}
	if labels > 1 {
		out.Accuracy, out.Calibration = nan, nan
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

// calibrationBins is the number of bins of a calibration error.
const calibrationBins = 15

// sure is the probability of the most probable class of a row, given its sums over draws; 0 of
// numbers.
func (s *Site) sure(x []float64, row int, draws float64) float64 {
	switch {
	case s.Classes > 0:
		p := x[row*s.Classes : (row+1)*s.Classes]
		most := p[0]
		for _, v := range p {
			most = max(most, v)
		}
		return most / draws
	case s.Kind == data.Bool:
		p := x[row] / draws
		return max(p, 1-p)
	}
	return 0
}
