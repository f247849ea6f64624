package noise

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/matrix"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// spikedNoise approximates the covariance by a diagonal, with one number for each point
// on curved blocks, plus the leading directions whose variance exceeds it. The diagonal
// of the whole covariance is the average that the chain keeps.
type spikedNoise struct {
	rank      int
	filled    int
	rows      [][]float64 // at most the first rank of them are compressed
	weight    []float64   // the weights of rows
	diagonal  []float64   // the variance that is not in the rows
	whitened  [][]float64 // the directions, orthonormal in units of the diagonal's noise
	share     []float64   // for each direction, by how much the kick is reduced: 1 − √(1 − μ)
	gram      matrix.Square
	vectors   matrix.Square
	column    []float64
	order     []int
	ready     bool // the directions are up to date with have, scale and t
	have      float64
	scale, t  float64
	top       float64
	topAt     int
	compacted int // the number of compressed rows
	curved    bool
	scratch   []float64
}

// NewSpiked returns an estimate by a diagonal and leading directions.
func NewSpiked(s *flow.State) *spikedNoise {
	n, rank, buffer := len(s.X), 8, 32
	switch {
	case n >= 100000:
		rank, buffer = 2, 8
	case n >= 10000:
		rank, buffer = 4, 16
	}
	p := &spikedNoise{rank: rank, weight: make([]float64, buffer), diagonal: make([]float64, n),
		share: make([]float64, rank)}
	for range buffer {
		p.rows = append(p.rows, make([]float64, n))
	}
	for range rank {
		p.whitened = append(p.whitened, make([]float64, n))
	}
	for k := range s.Factors {
		p.curved = p.curved || !s.Factors[k].Flat
	}
	p.scratch = make([]float64, n)
	p.gram, p.vectors = matrix.New(buffer), matrix.New(buffer)
	p.column, p.order = make([]float64, buffer), make([]int, buffer)
	return p
}

func (p *spikedNoise) Begin(keep float64) {
	for i := range p.filled {
		p.weight[i] = float64(keep * p.weight[i])
	}
}

func (p *spikedNoise) Row(_ *flow.State, d []float64, weight float64) {
	if p.filled == len(p.rows) {
		p.compress()
	}
	copy(p.rows[p.filled], d)
	p.weight[p.filled] = weight
	p.filled++
}

// compress reduces the rows to rank directions. It subtracts the variance of the first direction
// that is dropped: variance up to that level belongs to the diagonal.
func (p *spikedNoise) compress() {
	n := p.filled
	gram, vectors := matrix.Square{N: n, A: p.gram.A[:n*n]},
		matrix.Square{N: n, A: p.vectors.A[:n*n]}
	for i := range n {
		for j := range i + 1 {
			x := math.Sqrt(p.weight[i]*p.weight[j]) * kernel.Dot(p.rows[i], p.rows[j])
			gram.Set(i, j, x)
			gram.Set(j, i, x)
		}
	}
	gram.Eigen(vectors)
	order := matrix.Sorted(gram, p.order[:n])
	keep := min(p.rank, n)
	less := 0.0
	if keep < n {
		less = max(gram.At(order[keep], order[keep]), 0)
	}
	for i := range keep {
		size, scale := gram.At(order[i], order[i]), 0.0
		if size > less && size > 0 {
			scale = math.Sqrt(1 - less/size)
		}
		for j := range n {
			vectors.Set(j, order[i],
				float64(scale*float64(math.Sqrt(p.weight[j])*vectors.At(j, order[i]))))
		}
	}
	matrix.Combine(p.rows[:n], vectors, order[:keep], p.column[:n])
	for i := range keep {
		p.weight[i] = 1
	}
	p.filled, p.compacted = keep, keep
}

func (p *spikedNoise) End(s *flow.State, average []float64) {
	p.rest(s, average)
	p.ready = false
}

// rest returns the part of the average that the tangent parts of the compressed rows do
// not cover.
func (p *spikedNoise) rest(s *flow.State, average []float64) {
	copy(p.diagonal, average)
	for k := range p.compacted {
		for i, x := range p.tangent(s, k) {
			p.diagonal[i] -= float64(p.weight[k] * float64(x*x))
		}
	}
	for k := range s.Factors {
		f := &s.Factors[k]
		if f.Flat {
			continue
		}
		m := f.Space.Ambient()
		for at := f.Offset; at < f.Offset+f.Len; at += m {
			sum := float64(average[at] * float64(f.Space.Dim()))
			for i := at; i < at+m; i++ {
				sum -= average[i] - p.diagonal[i]
			}
			for i := at; i < at+m; i++ {
				p.diagonal[i] = sum / float64(f.Space.Dim())
			}
		}
	}
	p.top, p.topAt = 0, 0
	for i, x := range p.diagonal {
		p.diagonal[i] = max(x, 0)
		if x > p.top {
			p.top, p.topAt = x, i
		}
	}
	// The variance along a direction: that of the direction plus that of the diagonal.
	for k := range p.compacted {
		size, own, big := 0.0, 0.0, 0
		row := p.tangent(s, k)
		for i, x := range row {
			s := float64(p.weight[k] * float64(x*x))
			size += s
			own += float64(s * p.diagonal[i])
			if math.Abs(x) > math.Abs(row[big]) {
				big = i
			}
		}
		if size > 0 && size+own/size > p.top {
			p.top, p.topAt = size+own/size, big
		}
	}
}

// tangent returns the tangent part of a row; the next call overwrites it.
func (p *spikedNoise) tangent(s *flow.State, k int) []float64 {
	if !p.curved {
		return p.rows[k]
	}
	copy(p.scratch, p.rows[k])
	projectRows(s, p.scratch)
	return p.scratch
}

// aim computes the directions for a kick. On curved blocks they depend on the state.
func (p *spikedNoise) aim(s *flow.State, have, scale, t float64) {
	if p.ready && !p.curved && have == p.have && scale == p.scale && t == p.t {
		return
	}
	p.ready, p.have, p.scale, p.t = true, have, scale, t
	n := p.compacted
	for k := range p.whitened {
		clear(p.whitened[k])
		p.share[k] = 0
	}
	if n == 0 {
		return
	}
	for k := range n {
		for i, x := range p.tangent(s, k) {
			if room := float64(have*t) - float64(float64(p.diagonal[i]*scale)*float64(t*t)); room >
				1e-9*have*t {
				p.whitened[k][i] = float64(x*t) * math.Sqrt(p.weight[k]*scale/room)
			}
		}
	}
	gram, vectors := matrix.Square{N: n, A: p.gram.A[:n*n]},
		matrix.Square{N: n, A: p.vectors.A[:n*n]}
	for i := range n {
		for j := range i + 1 {
			x := kernel.Dot(p.whitened[i], p.whitened[j])
			gram.Set(i, j, x)
			gram.Set(j, i, x)
		}
	}
	gram.Eigen(vectors)
	order := matrix.Sorted(gram, p.order[:n])
	for k := range n {
		size, unit := gram.At(order[k], order[k]), 0.0
		if size > 1e-12 {
			unit = 1 / math.Sqrt(size)
			p.share[k] = 1 - math.Sqrt(max(1-size, 0))
		}
		for j := range n {
			vectors.Set(j, order[k], float64(unit*vectors.At(j, order[k])))
		}
	}
	matrix.Combine(p.whitened[:n], vectors, order, p.column[:n])
}

func (p *spikedNoise) Kick(s *flow.State, z []float64, have, scale, t float64) {
	p.aim(s, have, scale, t)
	for k := range p.compacted {
		if p.share[k] > 0 {
			a := -float64(p.share[k] * kernel.Dot(p.whitened[k], z))
			for i, x := range p.whitened[k] {
				z[i] += float64(a * x)
			}
		}
	}
	for i := range z {
		z[i] *= math.Sqrt(max(float64(have*t)-float64(float64(p.diagonal[i]*scale)*float64(t*t)), 0))
	}
}

func (p *spikedNoise) Largest() (float64, int) { return p.top, p.topAt }

func (p *spikedNoise) Times(a, out []float64) {
	for i, x := range p.diagonal {
		out[i] = float64(x * a[i])
	}
	for k := range p.compacted {
		along := float64(p.weight[k] * kernel.Dot(p.rows[k], a))
		for i, x := range p.rows[k] {
			out[i] += float64(along * x)
		}
	}
}

func (p *spikedNoise) Walk(d *loop.Codec) {
	filled, compacted := int64(p.filled), int64(p.compacted)
	d.Int(&filled)
	d.Int(&compacted)
	p.filled = int(min(max(filled, 0), int64(len(p.rows))))
	p.compacted = int(min(max(compacted, 0), int64(p.rank)))
	d.Floats(p.weight)
	d.Floats(p.diagonal)
	for _, row := range p.rows[:p.filled] {
		d.Floats(row)
	}
	d.Float(&p.top)
	at := int64(p.topAt)
	d.Int(&at)
	p.topAt = int(min(max(at, 0), int64(len(p.diagonal)-1)))
	p.ready = false
}
