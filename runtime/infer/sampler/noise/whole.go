package noise

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/matrix"
)

// wholeNoise holds the full covariance matrix, on curved blocks in the coordinates of the embedding
// space. It is projected to the tangent space at the current state when it is used: as the state
// moves, the gradients of rows hardly change, but their tangent parts do.
type wholeNoise struct {
	cov     matrix.Square
	vectors matrix.Square // eigenvectors of its tangent part at the last estimate, in columns
	values  []float64
	work    matrix.Square
	scratch []float64
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

func (w *wholeNoise) Begin(keep float64) {
	for i := range w.cov.A {
		w.cov.A[i] = float64(keep * w.cov.A[i])
	}
}

func (w *wholeNoise) Row(_ *flow.State, d []float64, weight float64) {
	n := w.cov.N
	for i, x := range d {
		x = float64(weight * x)
		for j, y := range d[:i+1] {
			w.cov.A[i*n+j] += float64(x * y)
		}
	}
}

func (w *wholeNoise) End(s *flow.State, _ []float64) {
	n := w.cov.N
	for i := range n {
		for j := range i + 1 {
			w.work.Set(i, j, w.cov.At(i, j))
			w.work.Set(j, i, w.cov.At(i, j))
		}
	}
	if projectRows(s, w.work.A) {
		for i := range n {
			for j := range i {
				x, y := w.work.At(i, j), w.work.At(j, i)
				w.work.Set(i, j, y)
				w.work.Set(j, i, x)
			}
		}
		projectRows(s, w.work.A)
		w.work.Symmetrise()
	}
	w.work.Eigen(w.vectors)
	for i := range w.values {
		w.values[i] = w.work.At(i, i)
	}
}

func (w *wholeNoise) Largest() (float64, int) {
	k := 0
	for i, x := range w.values {
		if x > w.values[k] {
			k = i
		}
	}
	at := 0
	for i := range w.values {
		if math.Abs(w.vectors.At(i, k)) > math.Abs(w.vectors.At(at, k)) {
			at = i
		}
	}
	return w.values[k], at
}

func (w *wholeNoise) Kick(_ *flow.State, z []float64, have, scale, t float64) {
	n := len(z)
	for k := range n {
		sum := 0.0
		for i, x := range z {
			sum += float64(w.vectors.A[i*n+k] * x)
		}
		v := max(w.values[k], 0)
		w.scratch[k] = float64(sum * math.Sqrt(max(float64(have*t)-
			float64(float64(v*scale)*float64(t*t)), 0)))
	}
	for i := range n {
		sum := 0.0
		for k, x := range w.scratch {
			sum += float64(w.vectors.A[i*n+k] * x)
		}
		z[i] = sum
	}
}

func (w *wholeNoise) Times(a, out []float64) {
	for i := range out {
		sum := 0.0
		for j, x := range a {
			sum += float64(w.cov.At(max(i, j), min(i, j)) * x)
		}
		out[i] = sum
	}
}

func (w *wholeNoise) Walk(d *loop.Codec) {
	d.Floats(w.cov.A)
	d.Floats(w.vectors.A)
	d.Floats(w.values)
}
