package surrogate

import (
	"context"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// Passes are what a surrogate asks of all rows. Each call reads them once.
type Passes interface {
	// Expand is the second order of the log likelihood at a; see Expand.
	Expand(ctx context.Context, a, sds []float64) (*Expansion, error)
	// Take draws about size rows by their leverage; see Leverages and Draw. It returns a
	// target that has them in memory, which of its rows they are, and their weights.
	Take(ctx context.Context, a []float64, white *whitening.Map, size int) (
		of target.Target, rows []int, weights []float64, err error)
	// LogLik writes the log likelihood of all rows at each of the states.
	LogLik(ctx context.Context, states [][]float64, out []float64) error
}

// A Remote is a target whose rows are on other machines. It evaluates no rows itself.
type Remote interface {
	target.Target
	Passes() Passes
	// Pilot has some of the rows in memory, each in place of several: see target.Scaled.
	Pilot() target.Target
}

// local does passes over the rows of a target on this machine.
type local struct {
	t    target.Target
	sums *tall.Sums
	seed uint64
}

func newLocal(t target.Target, seed uint64, o loop.Options) (*local, error) {
	sums, err := tall.NewSums(t, o)
	if err != nil {
		return nil, &Refusal{err.Error()}
	}
	return &local{t, sums, seed}, nil
}

func (p *local) Expand(ctx context.Context, a, sds []float64) (*Expansion, error) {
	return Expand(ctx, p.sums, p.t.Rows(), a, sds)
}

func (p *local) LogLik(ctx context.Context, states [][]float64, out []float64) error {
	return LogLik(ctx, p.sums, states, out)
}

func (p *local) Take(
	ctx context.Context, a []float64, white *whitening.Map, size int,
) (target.Target, []int, []float64, error) {
	h := make([]float64, p.t.Rows())
	if err := Leverages(ctx, p.sums, a, white, p.seed, h); err != nil {
		return nil, nil, nil, err
	}
	rows, weights := Draw(h, Rate(h, size), p.seed, 0)
	if pick.AtOnce(p.t) == 0 || len(rows) == 0 {
		return p.t, rows, weights, nil
	}
	of, err := pick.Part(p.t, rows)
	return of, pick.Places(rows, rows), weights, err
}

// RateOf returns the c with which min(1, c·h) adds up to about size, over rows of which total
// is the sum of h: large has at least those with c·h > 1, and most is the largest c for which
// that is so.
func RateOf(total float64, large []float64, size int, most float64) float64 {
	c := float64(size) / total
	for range 20 {
		c = min(c, most)
		c *= float64(size) / Expected(total, large, c)
	}
	return min(c, most)
}

// Expected is the sum of min(1, c·h) over rows; see RateOf.
func Expected(total float64, large []float64, c float64) float64 {
	expected := c * total
	for _, x := range large {
		expected -= max(float64(c*x)-1, 0)
	}
	return expected
}

// Thin keeps of rows that Draw took with a larger rate those that it takes with rate c: number
// has their numbers among all rows, h their leverages. It returns their places.
func Thin(number []int64, h []float64, c float64, seed uint64) (keep []int, weights []float64) {
	stream := rng.New(seed, 0, purposeRows)
	for i, x := range h {
		p := min(1, c*x)
		if math.IsInf(c, 1) {
			p = 1
		}
		src := stream.At(uint64(number[i]))
		if u := src.Float64(); p == 1 || u < p {
			keep, weights = append(keep, i), append(weights, 1/p)
		}
	}
	return keep, weights
}
