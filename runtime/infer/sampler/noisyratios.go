package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// exchangeEvery is the number of steps between exchanges of replicas on stochastic gradients, whose
// steps are short.
const exchangeEvery = 10

// A noisyRatios has the ratios log p − log q of replicas as estimated from rows, the same for all
// replicas, so that their noise cancels in differences. Without minibatches there are no rows, and
// the ratios are exact.
type noisyRatios struct {
	rows     []int
	lik      [][]float64 // log likelihood of each row, by slot
	variance []float64   // of the difference of the ratios of neighbours; nil without rows
	stream   rng.Stream
}

func newNoisyRatios(replicas, batch int, stream rng.Stream) noisyRatios {
	if batch == 0 {
		return noisyRatios{}
	}
	n := noisyRatios{rows: make([]int, batch), lik: make([][]float64, replicas),
		variance: make([]float64, replicas-1), stream: stream}
	for i := range n.lik {
		n.lik[i] = make([]float64, batch)
	}
	return n
}

// advance moves the hotter replicas of a chain on stochastic gradients.
func (r *replicas) advance(c *Chain) error {
	for _, h := range r.hot {
		if err := h.move(false); err != nil {
			return err
		}
	}
	return nil
}

// estimate draws the state of slot 0, and estimates the ratios of all slots and the variances of
// their differences from rows that are drawn independently.
func (r *replicas) estimate(c *Chain) {
	n := &r.noisy
	src := n.stream.At(uint64(c.step))
	total := c.target.Rows()
	for k := range n.rows {
		n.rows[k] = int(src.Float64() * float64(total))
	}
	r.source = r.draw.At(uint64(c.step))
	r.q.Draw(&r.source, r.x)
	for i := range r.ratios {
		x := r.state(c, i)
		if n.variance == nil {
			r.ratios[i] = c.eval.LogDensity(x, nil, 1, 1) - r.q.Log(x)
		} else {
			c.eval.LogLik(x, n.rows, n.lik[i])
			sum := 0.0
			for _, v := range n.lik[i] {
				sum += v
			}
			r.ratios[i] = c.eval.LogDensity(x, c.nothing[:0], 0, 1) - r.q.Log(x) +
				float64(float64(total)*(sum/float64(len(n.rows))))
		}
		if !special.Finite(r.ratios[i]) {
			r.ratios[i] = math.Inf(-1)
		}
	}
	for i := range n.variance {
		n.variance[i] = spreadOf(n.lik[i], n.lik[i+1]) * float64(total) * float64(total) /
			float64(len(n.rows))
	}
}

// spreadOf is the variance of the differences of two lists.
func spreadOf(a, b []float64) float64 {
	mean, square := 0.0, 0.0
	for k := range a {
		d := a[k] - b[k]
		before := d - mean
		mean += before / float64(k+1)
		square += float64(before * (d - mean))
	}
	return square / float64(max(len(a)-1, 1))
}
