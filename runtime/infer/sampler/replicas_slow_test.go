//go:build slow

package sampler

import "testing"

// TestReplicasWidths: peaks of different widths in four dimensions, whose weights change along the
// ladder, have their weights.
func TestReplicasWidths(t *testing.T) {
	c := exchangeConfig(12)
	c.Draws = 100000
	holdsPeaks(t, 4, c, peak{0.3, -4, 0.3}, peak{0.7, 4, 0.6})
}
