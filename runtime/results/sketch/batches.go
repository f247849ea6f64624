package sketch

import "math"

// maxBatches is the number of batches at which neighbours are joined: there are maxBatches/2 …
// maxBatches − 1 full ones once there are that many draws.
const maxBatches = 16

// batches are means of batches of successive draws. When there are maxBatches batches, neighbours
// are merged into batches of twice the length. The length therefore grows with the number of draws,
// as batch means need (Flegal and Jones 2010, "Batch means and spectral variance estimators in
// Markov chain Monte Carlo", for lengths that double), and no draws are stored.
type batches struct {
	length int64     // draws of a full batch
	in     int64     // draws in the incomplete batch
	full   int       // full batches
	sum    []float64 // sums of the incomplete batch, as distances from the origin
	// means of the full batches, as distances from the origin: those of all numbers in a batch, then
	// those in the next.
	means []float32
}

func newBatches(n int, draws int64) batches {
	batch, _, _ := capacity(0, draws)
	return batches{length: 1, sum: make([]float64, n), means: make([]float32, n*batch)}
}

func (b *batches) put(at int, x, origin []float64) {
	sum := b.sum[at : at+len(x)]
	for i, v := range x {
		sum[i] += v - origin[i]
	}
}

// of are the means of batch number j.
func (b *batches) of(j int) []float32 { return b.means[j*len(b.sum) : (j+1)*len(b.sum)] }

// next ends a draw.
func (b *batches) next() {
	if b.in++; b.in < b.length {
		return
	}
	b.in = 0
	if b.full++; b.full == maxBatches {
		b.join()
		return
	}
	if n := b.full*len(b.sum) - len(b.means); n > 0 { // more draws than there may be
		b.means = append(b.means, make([]float32, n)...)
	}
	length, to := float64(b.length), b.of(b.full-1)
	for i, s := range b.sum {
		to[i] = float32(s / length)
		b.sum[i] = 0
	}
}

// join makes pairs of neighbours to batches of twice the length, with the last batch in sum.
func (b *batches) join() {
	for j := range maxBatches/2 - 1 {
		to, one, two := b.of(j), b.of(2*j), b.of(2*j+1)
		for i := range to {
			to[i] = mean(one[i], two[i])
		}
	}
	to, one, length := b.of(maxBatches/2-1), b.of(maxBatches-2), float64(b.length)
	for i, s := range b.sum {
		to[i] = mean(one[i], float32(s/length))
		b.sum[i] = 0
	}
	b.full, b.length = maxBatches/2, 2*b.length
}

func mean(x, y float32) float32 { return float32((float64(x) + float64(y)) / 2) }

// half is the mean of the draws in the first half of the full batches, as a distance from the
// origin; NaN without any.
func (b *batches) half(i int) float64 {
	n := b.full / 2
	if n == 0 {
		return math.NaN()
	}
	sum := 0.0
	for j := range n {
		sum += float64(b.of(j)[i])
	}
	return sum / float64(n)
}

// minBatches is the smallest number of batches for which spread returns an estimate.
const minBatches = 8

// spread is the variance of the batch means, of divisor one less than their number, times the
// length of a batch: an estimate of the asymptotic variance of the mean, NaN below minBatches.
func (b *batches) spread(i int) float64 {
	if b.full < minBatches {
		return math.NaN()
	}
	mean := 0.0
	for j := range b.full {
		mean += float64(b.of(j)[i])
	}
	mean /= float64(b.full)
	square := 0.0
	for j := range b.full {
		d := float64(b.of(j)[i]) - mean
		square += float64(d * d)
	}
	return float64(b.length) * square / float64(b.full-1)
}
