package approximate

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/infer/sampler/matrix"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A hessian is that of −log p at a point, by differences of gradients.
type hessian struct {
	f     *finder
	in    *space
	x     []float64
	sd    []float64 // scales of the coordinates; steps are a part of these
	calls int
}

const (
	// differenceStep is the step of central differences in standard deviations: the error of
	// the third order is its square, and rounding is divided by it.
	differenceStep = 1e-3
	// flattest is the least eigenvalue that counts as curvature, of the matrix whose diagonal
	// is scaled to one.
	flattest = 1e-8
	probes   = 200 // of the diagonal, of too many unknowns to take one by one
)

// times writes H v, by central differences along v.
func (h *hessian) times(e *evaluator, v, out, x, g []float64) {
	size := 0.0 // in standard deviations
	for i, a := range v {
		size += float64(float64(a/h.sd[i]) * float64(a/h.sd[i]))
	}
	by := differenceStep / math.Sqrt(size)
	for i, a := range v {
		x[i] = h.x[i] + float64(by*a)
	}
	e.gradient(x, nil, 1, 1, g)
	for i, a := range v {
		x[i] = h.x[i] - float64(by*a)
	}
	e.gradient(x, nil, 1, 1, out)
	for i := range out {
		out[i] = (out[i] - g[i]) / float64(2*by)
	}
}

// columns calls take with each column of H, several at once.
func (h *hessian) columns(which []int, take func(i int, column []float64)) error {
	const part = 16
	d := len(h.x)
	h.calls += 2 * len(which)
	return h.f.each((len(which)+part-1)/part, func(k int) error {
		e := h.in.evaluator(1)
		v, out, x, g := make([]float64, d), make([]float64, d), make([]float64, d),
			make([]float64, d)
		for _, i := range which[k*part : min((k+1)*part, len(which))] {
			if err := h.f.ctx.Err(); err != nil {
				return err
			}
			v[i] = h.sd[i]
			h.times(e, v, out, x, g)
			v[i] = 0
			for j := range out {
				out[j] /= h.sd[i]
			}
			take(i, out)
		}
		return nil
	})
}

// settle finds the diagonal, and scales that are those of it.
func (h *hessian) settle(take func(i int, column []float64)) ([]float64, error) {
	d := len(h.x)
	diagonal, which := make([]float64, d), make([]int, d)
	for i := range which {
		which[i] = i
	}
	for range 3 {
		err := h.columns(which, func(i int, column []float64) {
			diagonal[i] = column[i]
			take(i, column)
		})
		if err != nil {
			return nil, err
		}
		var again []int
		for _, i := range which {
			sd := 1 / math.Sqrt(diagonal[i])
			if !(sd > 0) || math.IsInf(sd, 0) {
				continue
			}
			if r := sd / h.sd[i]; r > 10 || r < 0.1 {
				again = append(again, i)
			}
			h.sd[i] = sd
		}
		if which = again; len(which) == 0 {
			break
		}
	}
	return diagonal, h.bends(diagonal)
}

// bends refuses a diagonal that is not above zero.
func (h *hessian) bends(diagonal []float64) error {
	for i, v := range diagonal {
		if v > 0 && v <= math.MaxFloat64 {
			continue
		}
		unit := make([]float64, len(diagonal))
		unit[i] = 1
		return h.flat(unit)
	}
	return nil
}

// flat is the refusal of a direction along which the density does not bend down.
func (h *hessian) flat(direction []float64) error {
	return refusal("where a climb ended the log density does not bend down along %s: it is flat "+
		"there, or still rises, so there is no maximum with a curvature. Does each unknown have a "+
		"prior, and are they told apart by the data?", h.in.largest(direction))
}

// dense is the law of the whole matrix.
func (h *hessian) dense() (*Normal, error) {
	d := len(h.x)
	a := matrix.New(d)
	diagonal, err := h.settle(func(i int, column []float64) { copy(a.A[i*d:], column) })
	if err != nil {
		return nil, err
	}
	a.Symmetrise()
	scale := make([]float64, d)
	for i, v := range diagonal {
		scale[i] = 1 / math.Sqrt(v)
	}
	for i := range d {
		for j := range d {
			a.A[i*d+j] *= float64(scale[i] * scale[j])
		}
	}
	if at, v := flatDirection(a.A, d); at >= 0 {
		for i := range v {
			v[i] *= scale[i]
		}
		norm := math.Sqrt(kernel.Dot(v, v))
		for i := range v {
			v[i] /= norm
		}
		return nil, h.flat(v)
	}
	chol, ok := whitening.InverseFactor(a.A, d)
	if !ok {
		return nil, h.flat(slices.Clone(scale))
	}
	for i := range d {
		for j := range i + 1 {
			chol[i*d+j] *= scale[i]
		}
	}
	return newDense(slices.Clone(h.x), chol), nil
}

// flatDirection factors a symmetric matrix whose diagonal is one. At a pivot that is no more than
// rounding it returns its number, and the direction in which the matrix is flat; −1 without one.
func flatDirection(a []float64, d int) (int, []float64) {
	l := make([]float64, d*d)
	for i := range d {
		row := l[i*d : (i+1)*d]
		copy(row[:i+1], a[i*d:i*d+i+1])
		for j := range i {
			row[j] = (row[j] - kernel.Dot(row[:j], l[j*d:j*d+j])) / l[j*d+j]
		}
		pivot := row[i] - kernel.Dot(row[:i], row[:i])
		if pivot > flattest {
			row[i] = math.Sqrt(pivot)
			continue
		}
		v := make([]float64, d)
		v[i] = 1
		copy(v[:i], row[:i])
		for j := i - 1; j >= 0; j-- { // L⁻ᵀ of the row
			v[j] /= l[j*d+j]
			for k := range j {
				v[k] -= float64(l[j*d+k] * v[j])
			}
		}
		for j := range i {
			v[j] = -v[j]
		}
		return i, v
	}
	return -1, nil
}

// diagonal is the law of the diagonal: variances given all other unknowns.
func (h *hessian) diagonal() (*Normal, error) {
	diagonal, err := h.only()
	if err != nil {
		return nil, err
	}
	for i, v := range diagonal {
		diagonal[i] = 1 / math.Sqrt(v)
	}
	return newLow(slices.Clone(h.x), diagonal, nil, nil), nil
}

// only is the diagonal, of very many unknowns an estimate of it by random signs (Bekas,
// Kokiopoulou and Saad 2007, "An estimator for the diagonal of a matrix").
func (h *hessian) only() ([]float64, error) {
	d := len(h.x)
	if d <= mostDense {
		return h.settle(func(int, []float64) {})
	}
	parts := make([][]float64, probes)
	stream := rng.New(h.f.c.Seed, 0, purposeProbe)
	h.calls += 2 * probes
	err := h.f.each(probes, func(k int) error {
		e := h.in.evaluator(1)
		v, out := make([]float64, d), make([]float64, d)
		src := stream.At(uint64(k))
		for i := range v {
			v[i] = h.sd[i]
			if src.Float64() < 0.5 {
				v[i] = -v[i]
			}
		}
		h.times(e, v, out, make([]float64, d), make([]float64, d))
		for i := range out {
			out[i] *= v[i]
		}
		parts[k] = out
		return h.f.ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	diagonal := make([]float64, d)
	for _, p := range parts {
		for i, v := range p {
			diagonal[i] += v / float64(probes)
		}
	}
	for i := range diagonal {
		sd := h.sd[i]
		if diagonal[i] /= sd * sd; diagonal[i] > 0 {
			h.sd[i] = 1 / math.Sqrt(diagonal[i])
			continue
		}
		diagonal[i] = 1 / float64(sd*sd) // the estimate is all noise there
	}
	return diagonal, h.bends(diagonal)
}

// low is the law of the diagonal and of the directions in which the matrix differs most from it,
// by the method of Lanczos on the matrix whose diagonal is scaled to one.
func (h *hessian) low(rank int, stream rng.Stream) (*Normal, error) {
	diagonal, err := h.only()
	if err != nil {
		return nil, err
	}
	d := len(h.x)
	scale := make([]float64, d)
	for i, v := range diagonal {
		scale[i] = 1 / math.Sqrt(v)
	}
	steps := min(d, 3*rank+20)
	basis, t, err := h.lanczos(scale, steps, stream)
	if err != nil {
		return nil, err
	}
	vectors := matrix.New(t.N)
	t.Eigen(vectors)
	order := make([]int, t.N)
	for i := range order {
		order[i] = i
	}
	size := func(i int) float64 { return math.Abs(special.Log(math.Abs(t.At(i, i)))) }
	slices.SortStableFunc(order, func(i, j int) int {
		switch a, b := size(i), size(j); {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	rank = min(rank, t.N)
	var q []float64
	l := make([]float64, rank*rank)
	for k, at := range order[:rank] {
		row := make([]float64, d)
		for j := range t.N {
			kernel.Axpy(vectors.At(j, at), basis[j], row)
		}
		if v := t.At(at, at); !(v > flattest) {
			for i := range row {
				row[i] *= scale[i]
			}
			norm := math.Sqrt(kernel.Dot(row, row))
			for i := range row {
				row[i] /= norm
			}
			return nil, h.flat(row)
		}
		q, l[k*rank+k] = append(q, row...), 1/math.Sqrt(t.At(at, at))
	}
	return newLow(slices.Clone(h.x), scale, q, l), nil
}

// lanczos returns orthonormal rows and the symmetric matrix of H, scaled, in these (Golub and Van
// Loan, Matrix Computations, section 10.1), with full orthogonalisation.
func (h *hessian) lanczos(
	scale []float64, steps int, stream rng.Stream,
) ([][]float64, matrix.Square, error) {
	d := len(h.x)
	e := h.in.evaluator(1)
	v, w, x, g, sv := make([]float64, d), make([]float64, d), make([]float64, d),
		make([]float64, d), make([]float64, d)
	stream.Normals(0, v)
	var basis [][]float64
	var diag, off []float64
	for len(basis) < steps {
		if err := h.f.ctx.Err(); err != nil {
			return nil, matrix.Square{}, err
		}
		norm := math.Sqrt(kernel.Dot(v, v))
		if norm < 1e-8 { // the space is exhausted
			break
		}
		if len(basis) > 0 {
			off = append(off, norm)
		}
		b := make([]float64, d)
		for i := range b {
			b[i] = v[i] / norm
		}
		basis = append(basis, b)
		for i := range sv {
			sv[i] = float64(scale[i] * b[i])
		}
		h.times(e, sv, w, x, g)
		h.calls += 2
		for i := range w {
			v[i] = float64(w[i] * scale[i])
		}
		diag = append(diag, kernel.Dot(v, b))
		for range 2 {
			for _, o := range basis {
				kernel.Axpy(-kernel.Dot(o, v), o, v)
			}
		}
	}
	t := matrix.New(len(basis))
	for i, a := range diag {
		t.Set(i, i, a)
		if i < len(off) {
			t.Set(i, i+1, off[i])
			t.Set(i+1, i, off[i])
		}
	}
	return basis, t, nil
}
