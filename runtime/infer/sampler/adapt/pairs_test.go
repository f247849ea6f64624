package adapt

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/rng"
)

// The largest eigenvalue comes within a tenth of that of the law, and narrow rows have the one of
// the same rows with columns of zeros, which are too wide for products of columns.
func TestLargest(t *testing.T) {
	for _, c := range []struct{ rows, n int }{{400, 1}, {400, 4}, {400, narrow}, {3, 6}, {1, 2}} {
		a, wide := make([]float64, c.rows*c.n), make([]float64, c.rows*(narrow+c.n))
		rng.New(3, c.n, 1).Normals(0, a)
		for i := range c.rows {
			a[i*c.n] *= 5
			copy(wide[i*(narrow+c.n):], a[i*c.n:(i+1)*c.n])
		}
		got, same := largest(a, c.rows, c.n), largest(wide, c.rows, narrow+c.n)
		if math.Abs(got-same) > 1e-9*same && c.rows > 1 {
			t.Errorf("%d rows of %d: %g, and with zeros %g", c.rows, c.n, got, same)
		}
		if c.rows > 100 && math.Abs(got-25) > 4 {
			t.Errorf("%d rows of %d: %g, want about 25", c.rows, c.n, got)
		}
	}
	if v := largest(make([]float64, 12), 3, 4); v != 0 {
		t.Errorf("of zeros: %g", v)
	}
}
