package formula

import "slices"

// bins is into how many pieces of equal count rows are cut to look for a curve.
const bins = 12

// curvature estimates how much of the response a curve of x explains that is not a line: the
// variance of the means of bins of x, less what noise makes of them, over the variance
// within bins (an analysis of variance of one way). It is 0 where the F statistic is below 2.
//
// The answer chooses only how a smooth is parametrised, never what the model says: where
// data tell the coefficients they are drawn on their own scale, and else in units of their
// standard deviation (Papaspiliopoulos, Roberts and Sköld 2003).
func curvature(x, y []float64) float64 {
	n := len(x)
	if n < 4*bins {
		return 0
	}
	mx, my, sxx, sxy := mean(x), mean(y), 0.0, 0.0
	for i := range x {
		sxx += (x[i] - mx) * (x[i] - mx)
		sxy += (x[i] - mx) * (y[i] - my)
	}
	order := make([]int, n)
	rest := make([]float64, n)
	for i := range x {
		order[i] = i
		rest[i] = y[i] - my - sxy/sxx*(x[i]-mx)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case x[a] < x[b]:
			return -1
		case x[a] > x[b]:
			return 1
		}
		return 0
	})
	between, within := 0.0, 0.0
	for b := range bins {
		part := order[b*n/bins : (b+1)*n/bins]
		sum := 0.0
		for _, i := range part {
			sum += rest[i]
		}
		m := sum / float64(len(part))
		between += float64(len(part)) * m * m / (bins - 2)
		for _, i := range part {
			within += (rest[i] - m) * (rest[i] - m) / float64(n-bins)
		}
	}
	if within == 0 || between < 2*within {
		return 0
	}
	return (between - within) / within * bins / float64(n)
}
