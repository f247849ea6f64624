package batch

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestCut: batches follow one another, in sizes that differ by one at most, and
// every position is in the batch that Of names.
func TestCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 500).Draw(t, "rows")
		size := rapid.IntRange(1, n).Draw(t, "size")
		c := NewCut(n, size)
		end, inverse := 0, 0.0
		for j := range c.Batches {
			lo, hi := c.Span(j)
			if lo != end || hi-lo < n/c.Batches || hi-lo > c.Largest() || c.Largest() > size {
				t.Fatalf("%v: batch %d is from %d until %d", c, j, lo, hi)
			}
			for at := lo; at < hi; at++ {
				if c.Of(at) != j {
					t.Fatalf("%v: position %d is in batch %d, not %d", c, at, c.Of(at), j)
				}
			}
			end, inverse = hi, inverse+1/float64(hi-lo)/float64(c.Batches)
		}
		if end != n || math.Abs(c.Inverse()-inverse) > 1e-12 {
			t.Fatalf("%v: ends at %d; mean of 1/|S| is %g, want %g", c, end, c.Inverse(), inverse)
		}
	})
}

// TestLeftover: the sum of a pass's noise, over many orders of the rows.
func TestLeftover(t *testing.T) {
	for _, c := range []Cut{NewCut(12, 4), NewCut(10, 8), NewCut(10, 4), NewCut(7, 2), NewCut(3, 2),
		NewCut(11, 3)} {
		rows := make([]float64, c.Rows)
		mean := 0.0
		for i := range rows {
			rows[i] = float64(i * i)
			mean += rows[i] / float64(c.Rows)
		}
		b := New(c.Rows, c.Largest(), Shuffle, stream())
		total, single := 0.0, 0.0
		for pass := range int64(40000) {
			sum := 0.0
			for j := range b.PerPass() {
				batch, scale := b.At(pass*b.PerPass() + j)
				x := 0.0
				for _, i := range batch {
					x += (rows[i] - mean) * scale
				}
				sum += x
				single += x * x
			}
			total += sum * sum
		}
		if got, want := c.Leftover(), total/single; math.Abs(got-want) > 0.005+0.02*want {
			t.Errorf("%v: %g, want %g", c, got, want)
		}
	}
	if x := NewCut(1001, 100).Leftover(); x != 0 {
		t.Errorf("11 batches of 91 rows leave %g of their noise", x)
	}
}
