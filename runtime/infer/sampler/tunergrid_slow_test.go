//go:build slow

package sampler

import "testing"

// TestTunedBesideGrid is besideGrid over a factor of 16 in the step and 64 in the friction.
func TestTunedBesideGrid(t *testing.T) {
	besideGrid(t, gridCases(), []float64{0.25, 0.5, 1, 2, 4}, []float64{1.0 / 16, 0.25, 1, 4}, 3000,
		50000)
}
