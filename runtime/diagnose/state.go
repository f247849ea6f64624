package diagnose

import (
	"encoding/binary"
	"math"
)

func appendFloats(b []byte, xs ...float64) []byte {
	for _, x := range xs {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// reader takes states apart; the first short read makes all later ones empty.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) word() uint64 {
	if len(r.b) < 8 {
		r.bad = true
		return 0
	}
	x := binary.LittleEndian.Uint64(r.b)
	r.b = r.b[8:]
	return x
}

func (r *reader) float() float64 { return math.Float64frombits(r.word()) }

// count reads a number that is not negative and at most limit.
func (r *reader) count(limit int) int {
	n := r.word()
	if n > uint64(limit) {
		r.bad = true
		return 0
	}
	return int(n)
}

func (r *reader) floats(dst []float64) {
	for i := range dst {
		dst[i] = r.float()
	}
}

func (r *reader) moments(m *Moments) {
	m.N, m.Mean, m.M2 = r.count(math.MaxInt), r.float(), r.float()
}

func (r *reader) batches(b *BatchMeans) {
	*b = BatchMeans{size: r.count(math.MaxInt)}
	b.n, b.fill = r.count(maxBatches-1), r.count(max(b.size-1, 0))
	b.open, b.extra = r.float(), r.float()
	r.floats(b.sums[:b.n])
	r.moments(&b.other)
}

func (r *reader) coMoment(c *CoMoment) {
	dim := r.count(len(r.b) / 16) // so that damage cannot ask for all memory
	c.N, c.C = r.count(math.MaxInt), r.float()
	c.X, c.G = make([]float64, dim), make([]float64, dim)
	r.floats(c.X)
	r.floats(c.G)
	r.batches(&c.Parts)
}

func (r *reader) end() error {
	if r.bad || len(r.b) > 0 {
		return errState
	}
	return nil
}
