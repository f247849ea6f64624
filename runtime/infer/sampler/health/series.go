package health

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/loop"
)

// maxBatches is the largest number of batch means that a series keeps.
const maxBatches = 64

// A Series is the running mean of a correlated sequence with its Monte Carlo standard error, by
// batch means in bounded memory: when all batches are full, neighbours are joined and the batch
// length doubles.
type Series struct {
	N       int64   // observations
	length  int64   // observations per batch
	filled  int     // full batches
	current float64 // sum of the batch being filled
	in      int64   // observations in current
	total   float64
	sums    [maxBatches]float64
}

// Add appends x to the sequence.
func (s *Series) Add(x float64) {
	if s.length == 0 {
		s.length = 1
	}
	s.N++
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

// Mean returns the mean of all observations.
func (s *Series) Mean() float64 { return s.total / float64(s.N) }

// MCSE returns the standard error of the mean; +Inf with fewer than 8 batches.
func (s *Series) MCSE() float64 { return s.joined(1) }

// Slowest returns the largest of the standard errors computed from batches, pairs of them, groups
// of four and so on, down to 8 groups. It is the error for a sequence whose autocorrelation extends
// over many batches, as a thermostat's does in a short run (Flyvbjerg and Petersen 1989, "Error
// estimates on averages of correlated data").
func (s *Series) Slowest() float64 {
	e := s.MCSE()
	for by := 2; s.filled/by >= 8; by *= 2 {
		e = max(e, s.joined(by))
	}
	return e
}

// joined returns the standard error of the mean from groups of by batches.
func (s *Series) joined(by int) float64 {
	n := s.filled / by
	if n < 8 {
		return math.Inf(1)
	}
	b := float64(s.length * int64(by))
	var means [maxBatches]float64
	mean := 0.0
	for i := range n {
		for _, x := range s.sums[i*by : (i+1)*by] {
			means[i] += x / b
		}
		mean += means[i]
	}
	mean /= float64(n)
	ss := 0.0
	for _, m := range means[:n] {
		d := m - mean
		ss += float64(d * d)
	}
	return math.Sqrt(ss / float64(n-1) / float64(n))
}

// Halves returns the means of the first and of the second half of the batches. With fewer than 8
// batches, both are the mean of all.
func (s *Series) Halves() (first, second float64) {
	n := s.filled / 2
	if n < 4 {
		return s.Mean(), s.Mean()
	}
	b := float64(s.length * int64(n))
	for i := range n {
		first += s.sums[i] / b
		second += s.sums[s.filled-n+i] / b
	}
	return first, second
}

// Merge returns the mean over the series of several chains and its standard error. The error is the
// largest of three: that from the batches within chains, that from the spread of the chains, and
// that from the spread of half chains, which grows if all chains drift alike.
func Merge(all []*Series) (mean, mcse float64) {
	n, total, v := 0.0, 0.0, 0.0
	means, halves := make([]float64, 0, len(all)), make([]float64, 0, 2*len(all))
	for _, s := range all {
		n += float64(s.N)
		total += s.total
		e := float64(s.Slowest() * float64(s.N))
		v += float64(e * e)
		a, b := s.Halves()
		means, halves = append(means, s.Mean()), append(halves, a, b)
	}
	return total / n, max(math.Sqrt(v)/n, SpreadError(means), SpreadError(halves))
}

// SpreadError returns the standard error of the mean of independent numbers; 0 for a single number.
func SpreadError(x []float64) float64 {
	if len(x) < 2 {
		return 0
	}
	mean, ss := 0.0, 0.0
	for _, a := range x {
		mean += a / float64(len(x))
	}
	for _, a := range x {
		ss += float64((a - mean) * (a - mean))
	}
	return math.Sqrt(ss / float64(len(x)-1) / float64(len(x)))
}

// Walk reads or writes the series in a checkpoint.
func (s *Series) Walk(d *loop.Codec) {
	filled := int64(s.filled)
	d.Int(&s.N)
	d.Int(&s.length)
	d.Int(&filled)
	d.Float(&s.current)
	d.Int(&s.in)
	d.Float(&s.total)
	s.filled = int(min(max(filled, 0), maxBatches-1))
	d.Floats(s.sums[:s.filled])
}
