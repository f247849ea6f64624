package sampler

import "math"

// maxBatches bounds the batch means that a series keeps.
const maxBatches = 64

// A series is the running mean of a correlated sequence with its Monte Carlo
// standard error by batch means, in bounded memory: when the batches are all
// full, neighbours are joined and the batch length doubles.
type series struct {
	n       int64
	length  int64   // observations a batch
	filled  int     // full batches
	current float64 // sum of the batch being filled
	in      int64   // observations in it
	total   float64
	sums    [maxBatches]float64
}

func (s *series) add(x float64) {
	if s.length == 0 {
		s.length = 1
	}
	s.n++
	s.total += x
	s.current += x
	if s.in++; s.in < s.length {
		return
	}
	s.sums[s.filled] = s.current
	s.filled++
	s.current, s.in = 0, 0
	if s.filled == maxBatches {
		for i := 0; i < maxBatches/2; i++ {
			s.sums[i] = s.sums[2*i] + s.sums[2*i+1]
		}
		s.filled /= 2
		s.length *= 2
	}
}

func (s *series) mean() float64 { return s.total / float64(s.n) }

// mcse is the standard error of the mean; +Inf with fewer than 8 batches.
func (s *series) mcse() float64 {
	if s.filled < 8 {
		return math.Inf(1)
	}
	b := float64(s.length)
	mean := 0.0
	for _, x := range s.sums[:s.filled] {
		mean += x / b
	}
	mean /= float64(s.filled)
	ss := 0.0
	for _, x := range s.sums[:s.filled] {
		d := float64(x/b) - mean
		ss += float64(d * d)
	}
	return math.Sqrt(ss / float64(s.filled-1) / float64(s.filled))
}

// merge adds up the series of several chains: the mean, and the error of
// independent means.
func mergeSeries(all []*series) (mean, mcse float64) {
	n, total, v := 0.0, 0.0, 0.0
	for _, s := range all {
		n += float64(s.n)
		total += s.total
		e := float64(s.mcse() * float64(s.n))
		v += float64(e * e)
	}
	return total / n, math.Sqrt(v) / n
}
