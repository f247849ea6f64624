package irtest

import (
	"math"
	"testing"
)

// Near fails a test where a number differs from the wanted w by more than 1e-10·(1 + |w|).
func Near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= 1e-10*(1+math.Abs(want[i]))) {
			t.Errorf("%s, %d: %v, not %v", what, i, got[i], want[i])
			return
		}
	}
}
