package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// A noiseShape estimates the covariance V of the gradient's noise in all directions,
// N² Cov, and generates the noise of the kick with this covariance subtracted.
type noiseShape interface {
	// begin starts an estimate: new rows have the weight add, the previous estimate keep.
	begin(keep float64)
	// row adds weight d dᵀ. It may overwrite d, a vector of the state.
	row(s *flow.State, d []float64, weight float64)
	// end completes an estimate.
	end(s *flow.State, average []float64)
	// largest returns the largest variance along any direction, and the coordinate
	// with the largest component in that direction.
	largest() (variance float64, at int)
	// kick turns standard normals z into noise of covariance have t − V scale t². Where
	// that is negative, the covariance is 0.
	kick(s *flow.State, z []float64, have, scale, t float64)
	// times writes the product V a.
	times(a, out []float64)
	walk(d *loop.Codec)
}

// newNoiseShape returns an estimate suited to the number of coordinates of the state.
func newNoiseShape(s *flow.State) noiseShape {
	if n := len(s.X); n <= wholeState {
		return &wholeNoise{cov: newSquare(n), work: newSquare(n), vectors: newSquare(n), values: make([]float64, n), scratch: make([]float64, n)}
	}
	return newSpikedNoise(s)
}

// wholeNoise holds the full covariance matrix, on curved blocks in the coordinates of the
// embedding space. Its tangent part at the current state is what is used: as the state
// moves, the gradients of rows hardly change, but their tangent parts do.
type wholeNoise struct {
	cov     square
	vectors square // eigenvectors of its tangent part at the last estimate, in columns
	values  []float64
	work    square
	scratch []float64
}

func (w *wholeNoise) begin(keep float64) {
	for i := range w.cov.a {
		w.cov.a[i] = float64(keep * w.cov.a[i])
	}
}

func (w *wholeNoise) row(_ *flow.State, d []float64, weight float64) {
	n := w.cov.n
	for i, x := range d {
		x = float64(weight * x)
		for j, y := range d[:i+1] {
			w.cov.a[i*n+j] += float64(x * y)
		}
	}
}

func (w *wholeNoise) end(s *flow.State, _ []float64) {
	n := w.cov.n
	for i := range n {
		for j := range i + 1 {
			w.work.set(i, j, w.cov.at(i, j))
			w.work.set(j, i, w.cov.at(i, j))
		}
	}
	if projectRows(s, w.work.a) {
		for i := range n {
			for j := range i {
				x, y := w.work.at(i, j), w.work.at(j, i)
				w.work.set(i, j, y)
				w.work.set(j, i, x)
			}
		}
		projectRows(s, w.work.a)
		w.work.symmetrise()
	}
	w.work.eigen(w.vectors)
	for i := range w.values {
		w.values[i] = w.work.at(i, i)
	}
}

// projectRows projects the rows of m, which are as long as the state, onto the tangent
// space. On R^n it does nothing and returns false.
func projectRows(s *flow.State, m []float64) bool {
	n := len(s.X)
	curved := false
	for k := range s.Factors {
		f := &s.Factors[k]
		if f.Flat {
			continue
		}
		curved = true
		p := f.Space.Ambient()
		for at := f.Offset; at < f.Offset+f.Len; at += p {
			for i := 0; i < len(m); i += n {
				f.Space.Project(s.X[at:at+p], m[i+at:i+at+p])
			}
		}
	}
	return curved
}

func (w *wholeNoise) largest() (float64, int) {
	k := 0
	for i, x := range w.values {
		if x > w.values[k] {
			k = i
		}
	}
	at := 0
	for i := range w.values {
		if math.Abs(w.vectors.at(i, k)) > math.Abs(w.vectors.at(at, k)) {
			at = i
		}
	}
	return w.values[k], at
}

func (w *wholeNoise) kick(_ *flow.State, z []float64, have, scale, t float64) {
	n := len(z)
	for k := range n {
		sum := 0.0
		for i, x := range z {
			sum += float64(w.vectors.a[i*n+k] * x)
		}
		v := max(w.values[k], 0)
		w.scratch[k] = float64(sum * math.Sqrt(max(float64(have*t)-float64(float64(v*scale)*float64(t*t)), 0)))
	}
	for i := range n {
		sum := 0.0
		for k, x := range w.scratch {
			sum += float64(w.vectors.a[i*n+k] * x)
		}
		z[i] = sum
	}
}

func (w *wholeNoise) times(a, out []float64) {
	for i := range out {
		sum := 0.0
		for j, x := range a {
			sum += float64(w.cov.at(max(i, j), min(i, j)) * x)
		}
		out[i] = sum
	}
}

func (w *wholeNoise) walk(d *loop.Codec) {
	d.Floats(w.cov.a)
	d.Floats(w.vectors.a)
	d.Floats(w.values)
}

// spikedNoise approximates the covariance by a diagonal, with one number for each point
// on curved blocks, plus the leading directions whose variance exceeds it. The diagonal
// of the whole covariance is the average that the chain keeps.
type spikedNoise struct {
	rank      int
	filled    int
	rows      [][]float64 // at most the first rank of them are compressed
	weight    []float64   // the weights of rows
	diagonal  []float64   // the part of the variance that the rows do not have
	whitened  [][]float64 // the directions, orthonormal in units of the diagonal's noise
	share     []float64   // for each direction, by how much the kick is reduced: 1 − √(1 − μ)
	gram      square
	vectors   square
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

func newSpikedNoise(s *flow.State) *spikedNoise {
	n, rank, buffer := len(s.X), 8, 32
	switch {
	case n >= veryMany:
		rank, buffer = 2, 8
	case n >= manyCoordinates:
		rank, buffer = 4, 16
	}
	p := &spikedNoise{rank: rank, weight: make([]float64, buffer), diagonal: make([]float64, n), share: make([]float64, rank)}
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
	p.gram, p.vectors = newSquare(buffer), newSquare(buffer)
	p.column, p.order = make([]float64, buffer), make([]int, buffer)
	return p
}

func (p *spikedNoise) begin(keep float64) {
	for i := range p.filled {
		p.weight[i] = float64(keep * p.weight[i])
	}
}

func (p *spikedNoise) row(_ *flow.State, d []float64, weight float64) {
	if p.filled == len(p.rows) {
		p.compress()
	}
	copy(p.rows[p.filled], d)
	p.weight[p.filled] = weight
	p.filled++
}

// compress reduces the rows to rank directions. It subtracts the variance of the first
// direction that is dropped: what does not exceed the rest belongs to the diagonal.
func (p *spikedNoise) compress() {
	n := p.filled
	gram, vectors := square{n, p.gram.a[:n*n]}, square{n, p.vectors.a[:n*n]}
	for i := range n {
		for j := range i + 1 {
			x := math.Sqrt(p.weight[i]*p.weight[j]) * kernel.Dot(p.rows[i], p.rows[j])
			gram.set(i, j, x)
			gram.set(j, i, x)
		}
	}
	gram.eigen(vectors)
	order := sorted(gram, p.order[:n])
	keep := min(p.rank, n)
	less := 0.0
	if keep < n {
		less = max(gram.at(order[keep], order[keep]), 0)
	}
	for i := range keep {
		size, scale := gram.at(order[i], order[i]), 0.0
		if size > less && size > 0 {
			scale = math.Sqrt(1 - less/size)
		}
		for j := range n {
			vectors.set(j, order[i], float64(scale*float64(math.Sqrt(p.weight[j])*vectors.at(j, order[i]))))
		}
	}
	combine(p.rows[:n], vectors, order[:keep], p.column[:n])
	for i := range keep {
		p.weight[i] = 1
	}
	p.filled, p.compacted = keep, keep
}

// sorted writes the indices of the eigenvalues on the diagonal of a matrix that eigen has
// diagonalised, the largest first.
func sorted(m square, order []int) []int {
	for i := range order {
		at := i
		for ; at > 0 && m.at(order[at-1], order[at-1]) < m.at(i, i); at-- {
			order[at] = order[at-1]
		}
		order[at] = i
	}
	return order
}

// combine replaces the first rows by their combinations with the given columns of
// vectors.
func combine(rows [][]float64, vectors square, columns []int, column []float64) {
	for x := range rows[0] {
		for j := range column {
			column[j] = rows[j][x]
		}
		for i, k := range columns {
			sum := 0.0
			for j, y := range column {
				sum += float64(vectors.at(j, k) * y)
			}
			rows[i][x] = sum
		}
	}
}

func (p *spikedNoise) end(s *flow.State, average []float64) {
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
			if room := float64(have*t) - float64(float64(p.diagonal[i]*scale)*float64(t*t)); room > 1e-9*have*t {
				p.whitened[k][i] = float64(x*t) * math.Sqrt(p.weight[k]*scale/room)
			}
		}
	}
	gram, vectors := square{n, p.gram.a[:n*n]}, square{n, p.vectors.a[:n*n]}
	for i := range n {
		for j := range i + 1 {
			x := kernel.Dot(p.whitened[i], p.whitened[j])
			gram.set(i, j, x)
			gram.set(j, i, x)
		}
	}
	gram.eigen(vectors)
	order := sorted(gram, p.order[:n])
	for k := range n {
		size, unit := gram.at(order[k], order[k]), 0.0
		if size > 1e-12 {
			unit = 1 / math.Sqrt(size)
			p.share[k] = 1 - math.Sqrt(max(1-size, 0))
		}
		for j := range n {
			vectors.set(j, order[k], float64(unit*vectors.at(j, order[k])))
		}
	}
	combine(p.whitened[:n], vectors, order, p.column[:n])
}

func (p *spikedNoise) kick(s *flow.State, z []float64, have, scale, t float64) {
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

func (p *spikedNoise) largest() (float64, int) { return p.top, p.topAt }

func (p *spikedNoise) times(a, out []float64) {
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

func (p *spikedNoise) walk(d *loop.Codec) {
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
