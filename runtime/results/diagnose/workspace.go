package diagnose

import "math"

// A Workspace holds the memory of the computations, so that a thousand
// variables allocate as much as one. The zero value is ready; one goroutine
// uses it at a time.
type Workspace struct {
	sorted  []float64   // all draws, in order
	order   []entry     // the same with their places
	spare   []entry     // for sorting, and for the folded draws
	x, y    [][]float64 // work series by chain
	halves  [][]float64
	scores  []float64 // normal scores by twice the rank; NaN: not yet computed
	sample  int       // the sample size of scores
	fft     fft
	packed  []complex128
	power   []complex128
	acov    []float64
	rho     []float64
	backing [2][]float64
	loo     [2][]float64 // log likelihoods and log weights
	ratios  []ratio
	text    []byte // of draws, for digests
}

// resize sets length, reusing memory.
func resize[T any](b []T, n int) []T {
	if cap(b) < n {
		return make([]T, n)
	}
	return b[:n]
}

// shape returns the number of draws of each chain and of all.
func shape(chains [][]float64) (draws, total int) {
	if len(chains) == 0 {
		return 0, 0
	}
	draws = len(chains[0])
	for _, c := range chains {
		if len(c) != draws {
			panic("diagnose: chains of different lengths")
		}
	}
	return draws, draws * len(chains)
}

// like gives one of the two sets of work series the shape of chains.
func (w *Workspace) like(which int, chains [][]float64) [][]float64 {
	draws, total := shape(chains)
	set := &w.x
	if which == 1 {
		set = &w.y
	}
	w.backing[which] = resize(w.backing[which], total)
	*set = resize(*set, len(chains))
	for i := range *set {
		(*set)[i] = w.backing[which][i*draws : (i+1)*draws : total]
	}
	return *set
}

// split cuts each chain into its first and last half; of an odd number of
// draws the middle one belongs to neither. The halves alias the chains.
func (w *Workspace) split(chains [][]float64) [][]float64 {
	w.halves = w.halves[:0]
	for _, c := range chains {
		n := len(c) / 2
		w.halves = append(w.halves, c[:n], c[len(c)-n:])
	}
	return w.halves
}

// undefined reports whether a statistic of the series has no meaning: there
// is nothing, something not finite, or nothing that varies by more than
// rounding.
func undefined(series [][]float64) bool {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, c := range series {
		for _, x := range c {
			if x-x != 0 { // NaN or infinite
				return true
			}
			if x < lo {
				lo = x
			}
			if x > hi {
				hi = x
			}
		}
	}
	const eps = 0x1p-52
	return !(hi-lo > 8*eps*max(math.Abs(lo), math.Abs(hi)))
}

// mean is the arithmetic mean; the second pass removes the rounding of the
// first.
func mean(x []float64) float64 {
	n := float64(len(x))
	var sum, rest float64
	for _, v := range x {
		sum += v
	}
	m := sum / n
	for _, v := range x {
		rest += v - m
	}
	return m + rest/n
}

// variance has the divisor n − 1.
func variance(x []float64) float64 {
	m := mean(x)
	var s float64
	for _, v := range x {
		s += float64((v - m) * (v - m))
	}
	return s / float64(len(x)-1)
}

// moments returns the mean and the standard deviation (divisor S − 1) of all
// draws.
func moments(chains [][]float64) (m, sd float64) {
	_, total := shape(chains)
	n := float64(total)
	var sum, rest, square float64
	for _, c := range chains {
		for _, v := range c {
			sum += v
		}
	}
	m = sum / n
	for _, c := range chains {
		for _, v := range c {
			rest += v - m
		}
	}
	m += rest / n
	for _, c := range chains {
		for _, v := range c {
			square += float64((v - m) * (v - m))
		}
	}
	return m, math.Sqrt(square / (n - 1))
}

// quantile7 is R's default quantile (type 7) of sorted numbers: linear
// between order statistics at (n − 1)p.
func quantile7(sorted []float64, p float64) float64 {
	n := len(sorted)
	if n == 0 || math.IsNaN(p) {
		return math.NaN()
	}
	at := float64(float64(n-1) * p)
	i := int(at)
	q := sorted[i]
	if part := at - float64(i); part > 0 && sorted[i+1] != q {
		q = float64((1-part)*q) + float64(part*sorted[i+1])
	}
	return q
}
