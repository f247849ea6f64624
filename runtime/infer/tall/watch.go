package tall

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/tall/control"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// watchEvery is the number of draws between two observations of a chain.
const watchEvery = 20

// A watch tests, during a run, whether the findings of the set-up still hold: the ratio of the
// actual noise of minibatches to the subtracted noise, and the distance of the chain's mean from
// the anchor.
type watch struct {
	stream   rng.Stream
	batch    *control.Batch
	one, two []float64 // gradients of two minibatches at one state
	ratio    meanOf    // ratio of the noise to what is subtracted
	largest  float64
	sum      []float64 // sum of the states
	seen     float64
}

func newWatch(d int, s *pick.Sizes, n int, stream rng.Stream) *watch {
	return &watch{stream: stream, batch: control.NewBatch(n, s), one: make([]float64, d),
		two: make([]float64, d), sum: make([]float64, d)}
}

// rows appends the rows that look needs for a draw.
func (w *watch) rows(number int64, s *pick.Sizes, rows []int) []int {
	if number%watchEvery != 0 {
		return rows
	}
	src := w.stream.At(uint64(number))
	for range 2 {
		w.batch.Draw(s, &src)
		rows = append(rows, w.batch.Rows[:w.batch.Drawn]...)
	}
	return rows
}

// look adds the state z of a draw to the chain's mean and, for every watchEvery-th draw, measures
// the noise there.
func (w *watch) look(number int64, e *control.Estimator, s *pick.Sizes, v *Noise, z []float64) {
	for i, x := range z {
		w.sum[i] += x
	}
	w.seen++
	if number%watchEvery != 0 {
		return
	}
	src := w.stream.At(uint64(number))
	for _, g := range [][]float64{w.one, w.two} {
		w.batch.Draw(s, &src)
		e.Of(z, w.batch, g)
	}
	found := 0.0
	for i, g := range w.one {
		x := g - w.two[i]
		found += float64(float64(x*x) / 2)
	}
	if expected := v.trace(z); expected > 0 {
		w.ratio.add(found / expected)
		w.largest = max(w.largest, found/expected)
	}
}

// trace returns the sum of the variances of all coordinates at z.
func (v *Noise) trace(z []float64) float64 {
	sum, square := 0.0, dot(z, z)
	s := 1.0
	if v.Square > 0 {
		s = square / v.Square
	}
	if v.Matrix != nil {
		n := len(z)
		for i := range n {
			sum += v.Matrix[i*n+i]
		}
		return float64(s*sum) + float64(v.Radial*square)
	}
	d := float64(len(z))
	for i, x := range v.Diag {
		grow := s
		if v.Square > 0 {
			grow = float64((1-v.Own)*s) + v.Own*d*z[i]*z[i]/v.Square
		}
		sum += float64(grow * x)
	}
	return sum
}

func (w *watch) walk(d *loop.Codec) {
	for _, p := range []*float64{&w.ratio.n, &w.ratio.mean, &w.ratio.squares, &w.largest, &w.seen} {
		d.Float(p)
	}
	d.Floats(w.sum)
}

// NoiseGrowth returns the ratio of the noise of minibatches in the run to what is subtracted for
// it, which should be 1, and its Monte Carlo error.
func (r *Run) NoiseGrowth() (ratio, error float64) {
	n, sum, squares := 0.0, 0.0, 0.0
	for _, w := range r.watches {
		n += w.ratio.n
		sum += float64(w.ratio.n * w.ratio.mean)
	}
	ratio = sum / n
	for _, w := range r.watches {
		d := w.ratio.mean - ratio
		squares += w.ratio.squares + float64(w.ratio.n*d*d)
	}
	return ratio, math.Sqrt(squares / (n - 1) / n)
}

// AnchorDistance returns the squared distance of the mean of all draws from the anchor, per
// coordinate, in posterior variances.
func (r *Run) AnchorDistance() float64 {
	n, d := 0.0, len(r.watches[0].sum)
	for _, w := range r.watches {
		n += w.seen
	}
	square := 0.0
	for i := range d {
		sum := 0.0
		for _, w := range r.watches {
			sum += w.sum[i]
		}
		square += float64(sum / n * sum / n)
	}
	return square / float64(d)
}
