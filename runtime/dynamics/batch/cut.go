package batch

// A Cut divides a pass over the rows of an axis into batches whose sizes differ
// by one at most: batch j has the positions [j·n/p, (j+1)·n/p) of the pass.
//
// A batch is scaled by N/|S|, so a batch of few rows counts as much as one of
// many. Were the last batch of a pass to have only what the others leave, its
// rows would weigh more than all others: 1 row of 1,001 as much as 100 of them.
type Cut struct {
	Rows    int // of the pass
	Batches int // of the pass
}

// NewCut returns the cut of n rows into the fewest batches of size rows at most,
// 1 ≤ size.
func NewCut(n, size int) Cut { return Cut{n, (n + size - 1) / size} }

// Span returns the positions of batch j, from lo until hi.
func (c Cut) Span(j int) (lo, hi int) { return c.Begin(j), c.Begin(j + 1) }

// Begin returns the first position of batch j.
func (c Cut) Begin(j int) int { return j * c.Rows / c.Batches }

// Of returns the batch that takes a position of the pass.
func (c Cut) Of(position int) int { return ((position+1)*c.Batches - 1) / c.Rows }

// Largest returns the number of rows of the largest batch.
func (c Cut) Largest() int { return (c.Rows + c.Batches - 1) / c.Batches }

// Inverse returns the mean of 1/|S| over the batches of the pass. The variance
// of a minibatch's gradient is in proportion to it.
func (c Cut) Inverse() float64 {
	small := c.Rows / c.Batches
	more := float64(c.Rows % c.Batches) // batches of one row more
	p := float64(c.Batches)
	return (more/float64(small+1) + (p-more)/float64(small)) / p
}

// Leftover returns the part of the variance of its batches' noise that a pass
// keeps, when each batch is scaled by its own N/|S| and the order of the rows is
// random. The noise of a pass would add up to 0 if all batches had the same
// size. With a_j = N/|S_j| and rows of variance σ² it is Var Σ_j a_j Σ_{S_j} =
// σ² (N² Σ 1/|S_j| − N p²), and the batches' own variances add up to
// σ² (N² Σ 1/|S_j| − N p).
func (c Cut) Leftover() float64 {
	if c.Batches <= 1 {
		return 0
	}
	p, small := float64(c.Batches), float64(c.Rows/c.Batches)
	more := float64(c.Rows % c.Batches)
	kept := more * (p - more) / (small * (small + 1)) // N Σ 1/|S_j| − p², without cancellation
	all := float64(float64(c.Rows)*p*c.Inverse()) - p
	if all <= 0 {
		return 0
	}
	return kept / all
}

// Size returns the mean number of rows of a batch.
func (c Cut) Size() float64 { return float64(c.Rows) / float64(c.Batches) }
