package diagnose

import (
	"encoding/binary"
	"errors"
	"math"
)

// A Moments accumulates mean and variance in one pass (Welford 1962).
type Moments struct {
	N    int
	Mean float64
	M2   float64 // Σ (x − mean)²
}

// Add takes a value.
func (m *Moments) Add(x float64) {
	m.N++
	d := x - m.Mean
	m.Mean += d / float64(m.N)
	m.M2 += float64(d * (x - m.Mean))
}

// Merge takes all that o took (Chan, Golub and LeVeque 1979).
func (m *Moments) Merge(o Moments) {
	if o.N == 0 {
		return
	}
	n, d := float64(m.N+o.N), o.Mean-m.Mean
	m.M2 += o.M2 + float64(d*d)*(float64(m.N)*float64(o.N)/n)
	m.Mean += d * (float64(o.N) / n)
	m.N += o.N
}

// Variance has the divisor N − 1; NaN below two values.
func (m *Moments) Variance() float64 {
	if m.N < 2 {
		return math.NaN()
	}
	return m.M2 / float64(m.N-1)
}

// maxBatches is how many batches a BatchMeans keeps before it joins them in pairs.
const maxBatches = 64

// A BatchMeans accumulates a mean and its standard error from a correlated
// stream, in constant memory: the means of 32 to 64 equally long batches, which
// get longer as the stream does, are taken as independent. The zero value is
// ready.
type BatchMeans struct {
	size  int // values a batch, 0 before the first
	n     int // full batches
	fill  int // values in the open batch
	open  float64
	sums  [maxBatches]float64
	other Moments // the means of merged streams, weighted by their lengths
	extra float64 // Σ (n_k se_k)² of merged streams
}

// Add takes the next value of the stream.
func (b *BatchMeans) Add(x float64) {
	if b.size == 0 {
		b.size = 1
	}
	b.open += x
	b.fill++
	if b.fill < b.size {
		return
	}
	b.sums[b.n] = b.open
	b.n, b.fill, b.open = b.n+1, 0, 0
	if b.n < maxBatches {
		return
	}
	for i := range maxBatches / 2 {
		b.sums[i] = b.sums[2*i] + b.sums[2*i+1]
	}
	b.n, b.size = maxBatches/2, 2*b.size
}

// Count is the number of values taken.
func (b *BatchMeans) Count() int { return b.n*b.size + b.fill + b.other.N }

// own is the sum of the stream itself.
func (b *BatchMeans) own() (sum float64, count int) {
	for _, s := range b.sums[:b.n] {
		sum += s
	}
	return sum + b.open, b.n*b.size + b.fill
}

// Mean is the mean of all values; NaN without any.
func (b *BatchMeans) Mean() float64 {
	sum, n := b.own()
	if n += b.other.N; n == 0 {
		return math.NaN()
	}
	return (sum + b.other.Mean*float64(b.other.N)) / float64(n)
}

// streamError is the standard error of the stream's own mean.
func (b *BatchMeans) streamError() float64 {
	if b.n < 2 {
		return math.NaN()
	}
	var m Moments
	for _, s := range b.sums[:b.n] {
		m.Add(s / float64(b.size))
	}
	return math.Sqrt(m.Variance() / float64(m.N))
}

// StdErr is the standard error of Mean; NaN where a stream has fewer than two
// batches. It is an honest one when a batch is much longer than the
// autocorrelation time.
func (b *BatchMeans) StdErr() float64 {
	total := b.Count()
	variance := b.extra
	if _, n := b.own(); n > 0 {
		e := b.streamError() * float64(n)
		variance += float64(e * e)
	}
	if total == 0 {
		return math.NaN()
	}
	return math.Sqrt(variance) / float64(total)
}

// Merge takes in another stream, independent of this one: another chain's.
func (b *BatchMeans) Merge(o *BatchMeans) {
	sum, n := o.own()
	if n > 0 {
		b.other.Merge(Moments{N: n, Mean: sum / float64(n)})
		e := o.streamError() * float64(n)
		b.extra += float64(e * e)
	}
	b.other.Merge(o.other)
	b.extra += o.extra
}

// A CoMoment accumulates, in one pass, the covariance summed over the
// coordinates of two vector streams, Σ_i E[(x_i − x̄_i)(g_i − ḡ_i)], and the
// standard error of it; with g = x, the total variance. It equals
// E[(x − x̄)·g] without storing the draws.
type CoMoment struct {
	X, G  []float64 // running means, one a coordinate
	N     int
	C     float64 // Σ over draws and coordinates of the products
	Parts BatchMeans
}

// NewCoMoment is an accumulator for vectors of length dim.
func NewCoMoment(dim int) *CoMoment {
	return &CoMoment{X: make([]float64, dim), G: make([]float64, dim)}
}

// Add takes a pair of vectors. It does not allocate.
func (c *CoMoment) Add(x, g []float64) {
	c.N++
	w := 1 / float64(c.N)
	var sum float64
	for i := range c.X {
		d := x[i] - c.X[i]
		c.X[i] += d * w
		c.G[i] += (g[i] - c.G[i]) * w
		sum += float64(d * (g[i] - c.G[i]))
	}
	c.C += sum
	c.Parts.Add(sum)
}

// Covariance is Σ_i Cov(x_i, g_i) with the divisor N − 1; NaN below two draws.
func (c *CoMoment) Covariance() float64 {
	if c.N < 2 {
		return math.NaN()
	}
	return c.C / float64(c.N-1)
}

// StdErr is the standard error of Covariance by batch means.
func (c *CoMoment) StdErr() float64 { return c.Parts.StdErr() }

// Merge takes in an independent stream about the same vectors: the
// deviations are then about the common mean.
func (c *CoMoment) Merge(o *CoMoment) {
	if o.N == 0 {
		return
	}
	n := float64(c.N + o.N)
	cross := float64(c.N) * float64(o.N) / n
	c.C += o.C
	for i := range c.X {
		dx, dg := o.X[i]-c.X[i], o.G[i]-c.G[i]
		c.C += float64(dx*dg) * cross
		c.X[i] += dx * (float64(o.N) / n)
		c.G[i] += dg * (float64(o.N) / n)
	}
	c.N += o.N
	c.Parts.Merge(&o.Parts)
}

// errState is what a state of another version or kind unmarshals to.
var errState = errors.New("diagnose: the saved state of an accumulator is damaged")

// AppendBinary appends the state, for a checkpoint.
func (m Moments) AppendBinary(b []byte) ([]byte, error) {
	return appendFloats(binary.LittleEndian.AppendUint64(b, uint64(m.N)), m.Mean, m.M2), nil
}

// MarshalBinary is the state, for a checkpoint.
func (m Moments) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary restores a state.
func (m *Moments) UnmarshalBinary(b []byte) error {
	r := reader{b: b}
	r.moments(m)
	return r.end()
}

// AppendBinary appends the state, for a checkpoint.
func (b *BatchMeans) AppendBinary(to []byte) ([]byte, error) {
	for _, n := range [...]int{b.size, b.n, b.fill} {
		to = binary.LittleEndian.AppendUint64(to, uint64(n))
	}
	to = appendFloats(to, b.open, b.extra)
	to = appendFloats(to, b.sums[:b.n]...)
	return b.other.AppendBinary(to)
}

// MarshalBinary is the state, for a checkpoint.
func (b *BatchMeans) MarshalBinary() ([]byte, error) { return b.AppendBinary(nil) }

// UnmarshalBinary restores a state.
func (b *BatchMeans) UnmarshalBinary(from []byte) error {
	r := reader{b: from}
	r.batches(b)
	return r.end()
}

// AppendBinary appends the state, for a checkpoint.
func (c *CoMoment) AppendBinary(to []byte) ([]byte, error) {
	to = binary.LittleEndian.AppendUint64(to, uint64(len(c.X)))
	to = binary.LittleEndian.AppendUint64(to, uint64(c.N))
	to = appendFloats(to, c.C)
	to = appendFloats(to, c.X...)
	to = appendFloats(to, c.G...)
	return c.Parts.AppendBinary(to)
}

// MarshalBinary is the state, for a checkpoint.
func (c *CoMoment) MarshalBinary() ([]byte, error) { return c.AppendBinary(nil) }

// UnmarshalBinary restores a state.
func (c *CoMoment) UnmarshalBinary(b []byte) error {
	r := reader{b: b}
	r.coMoment(c)
	return r.end()
}
