package sampling

import "testing"

// TestSlowPass: where minibatches are recommended, by sizes alone: not for a logistic regression on
// 32,561 rows of 123 columns, except for one on a million.
func TestSlowPass(t *testing.T) {
	for _, c := range []struct {
		rows, dim int
		slow      bool
	}{{0, 1 << 30, false}, {100, 3, false}, {32561, 124, false}, {1e6, 124, true}, {1e8, 2, true},
		{6e4, 500, true}} {
		if slowPass(float64(c.rows), c.dim) != c.slow {
			t.Errorf("%d rows, %d coordinates", c.rows, c.dim)
		}
	}
}
