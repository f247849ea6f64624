package rng

import (
	"math"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// kolmogorov returns √n·D of a sample against a distribution function; beyond
// 2.2 it lies with probability 1.3e-4.
func kolmogorov(x []float64, cdf func(float64) float64) float64 {
	s := slices.Clone(x)
	slices.Sort(s)
	n, d := float64(len(s)), 0.0
	for i, v := range s {
		f := cdf(v)
		d = max(d, f-float64(i)/n, float64(i+1)/n-f)
	}
	return d * math.Sqrt(n)
}

const ksBound = 2.2

// chiSquare returns how many standard deviations Pearson's statistic lies
// above or below its mean (Wilson & Hilferty's approximation). Neighbouring
// cells are joined until each expects ten.
func chiSquare(counts []int, expected []float64) float64 {
	stat, cells, o, e := 0.0, 0, 0.0, 0.0
	var lastO, lastE float64
	for i := range counts {
		o += float64(counts[i])
		e += expected[i]
		if e >= 10 {
			stat += (o - e) * (o - e) / e
			lastO, lastE, o, e = o, e, 0, 0
			cells++
		}
	}
	// What is left over joins the last cell.
	stat += (lastO+o-lastE-e)*(lastO+o-lastE-e)/(lastE+e) - (lastO-lastE)*(lastO-lastE)/lastE
	k := float64(cells - 1)
	return (math.Cbrt(stat/k) - (1 - 2/(9*k))) / math.Sqrt(2/(9*k))
}

// moments fails where sample mean or variance is more than five standard
// errors from what it should be; NaN is not tested.
func moments(t *testing.T, name string, x []float64, mean, variance float64) {
	t.Helper()
	n := float64(len(x))
	m, v, q := 0.0, 0.0, 0.0
	for _, a := range x {
		m += a / n
	}
	for _, a := range x {
		d := (a - m) * (a - m)
		v += d / (n - 1)
		q += d * d / n
	}
	if !math.IsNaN(mean) && math.Abs(m-mean) > 5*math.Sqrt(v/n) {
		t.Errorf("%s: mean %v, want %v", name, m, mean)
	}
	if !math.IsNaN(variance) && math.Abs(v-variance) > 5*math.Sqrt((q-v*v)/n) {
		t.Errorf("%s: variance %v, want %v", name, v, variance)
	}
}

// correlation returns √n times the correlation of two samples.
func correlation(x, y []float64) float64 {
	var mx, my, xx, yy, xy float64
	n := float64(len(x))
	for i := range x {
		mx += x[i] / n
		my += y[i] / n
	}
	for i := range x {
		a, b := x[i]-mx, y[i]-my
		xx += a * a
		yy += b * b
		xy += a * b
	}
	return math.Sqrt(n) * xy / math.Sqrt(xx*yy)
}

// incompleteGamma returns P(a, x): a series below a+1, else Lentz's continued
// fraction (DLMF 8.7.1, 8.9.2).
func incompleteGamma(a, x float64) float64 {
	if x <= 0 {
		return 0
	}
	front := special.Exp(a*special.Log(x) - x - special.Lgamma(a))
	if x < a+1 {
		s, term := 1/a, 1/a
		for n := 1; term > 1e-17*s; n++ {
			term *= x / (a + float64(n))
			s += term
		}
		return front * s
	}
	b := x + 1 - a
	c, d := 1e300, 1/b
	h := d
	for i := 1.0; i < 10000; i++ {
		an := -i * (i - a)
		b += 2
		d = 1 / (an*d + b)
		c = b + an/c
		h *= c * d
		if math.Abs(c*d-1) < 1e-15 {
			break
		}
	}
	return 1 - front*h
}

// incompleteBeta returns I_x(a, b) by Lentz's continued fraction (DLMF 8.17.22).
func incompleteBeta(a, b, x float64) float64 {
	if x <= 0 {
		return 0
	}
	if x >= 1 {
		return 1
	}
	if x > (a+1)/(a+b+2) {
		return 1 - incompleteBeta(b, a, 1-x)
	}
	front := special.Exp(a*special.Log(x)+b*special.Log1p(-x)-special.Lbeta(a, b)) / a
	c, d := 1.0, 1/(1-(a+b)*x/(a+1))
	h := d
	for m := 1.0; m < 10000; m++ {
		e := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d = 1 / (1 + e*d)
		c = 1 + e/c
		h *= c * d
		e = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d = 1 / (1 + e*d)
		c = 1 + e/c
		h *= c * d
		if math.Abs(c*d-1) < 1e-15 {
			break
		}
	}
	return front * h
}
