package predictive

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A Running is the predictive of one chain while it runs: the average over its
// draws so far, and how that came about. It is not safe for concurrent use.
type Running struct {
	Points  []Point
	Skipped int64 // draws that could not be evaluated, such as one at the edge of its support

	rows   *Rows
	every  int64
	eval   *model.Evaluator
	x, out []float64
	mean   *Average
	sites  []SiteScore
}

// A Point is the score of the average after a draw, and that of the draw alone.
type Point struct {
	Draw int64 // counted from 0
	Mean Score // without Sites
	Last Score // likewise
}

// Running starts a chain, of whose draws every so many are evaluated.
func (r *Rows) Running(every int64) *Running {
	return &Running{rows: r, every: max(every, 1), eval: r.Model.Evaluator(0),
		x:   make([]float64, r.Model.Dim()),
		out: make([]float64, r.Width()), mean: r.Average(),
		sites: make([]SiteScore, 0, len(r.Sites))}
}

// Average is over the draws evaluated so far.
func (c *Running) Average() *Average { return c.mean }

// Add evaluates draw index, laid out as the model's outputs: of every so many
// the last. The state comes from the draw, as it does for stored draws.
func (c *Running) Add(index int64, draw []float64) {
	if (index+1)%c.every != 0 {
		return
	}
	if err := c.eval.Unconstrain(draw, c.x); err != nil {
		c.Skipped++
		return
	}
	c.rows.Predict(c.eval, c.x, c.out)
	c.mean.Add(c.out)
	p := Point{Draw: index, Mean: c.mean.Score(c.sites), Last: c.rows.One(c.out, c.sites)}
	p.Mean.Sites, p.Last.Sites = nil, nil
	c.Points = append(c.Points, p)
}

// numbers visits everything that the future depends on, in the order of a
// checkpoint.
func (c *Running) numbers(word func(x uint64) uint64) {
	integer := func(x *int64) { *x = int64(word(uint64(*x))) }
	float := func(x *float64) { *x = math.Float64frombits(word(math.Float64bits(*x))) }
	integer(&c.Skipped)
	integer(&c.mean.n)
	for _, list := range [][]float64{c.mean.top, c.mean.sum, c.mean.site} {
		for i := range list {
			float(&list[i])
		}
	}
	n := int64(len(c.Points))
	integer(&n)
	for i := int64(0); i < n; i++ {
		if i == int64(len(c.Points)) {
			c.Points = append(c.Points, Point{})
		}
		p := &c.Points[i]
		integer(&p.Draw)
		for _, s := range []*Score{&p.Mean, &p.Last} {
			integer(&s.Draws)
			for _, x := range []*float64{&s.LPD, &s.Accuracy, &s.Calibration, &s.RMSE,
				&s.Perplexity} {
				float(x)
			}
		}
	}
}

// AppendBinary appends the state to a checkpoint.
func (c *Running) AppendBinary(b []byte) []byte {
	c.numbers(func(x uint64) uint64 {
		b = binary.LittleEndian.AppendUint64(b, x)
		return x
	})
	return b
}

// errLength is of a state of other rows, or cut off.
var errLength = errors.New("the running predictive of the checkpoint does not fit the held-out " +
	"rows")

// UnmarshalBinary takes back what AppendBinary wrote, into a fresh Running of
// the same rows.
func (c *Running) UnmarshalBinary(b []byte) error {
	fixed := 8 * (3 + len(c.mean.top) + len(c.mean.sum) + len(c.mean.site))
	if len(b) < fixed || (len(b)-fixed)%pointBytes != 0 ||
		binary.LittleEndian.Uint64(b[fixed-8:]) != uint64((len(b)-fixed)/pointBytes) {
		return errLength
	}
	c.numbers(func(uint64) uint64 {
		x := binary.LittleEndian.Uint64(b)
		b = b[8:]
		return x
	})
	return nil
}

// pointBytes is what a Point takes in a checkpoint.
const pointBytes = 8 * (1 + 2*6)
