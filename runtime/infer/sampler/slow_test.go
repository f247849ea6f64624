//go:build slow

package sampler

import "testing"

// TestBiasOrderWide is TestBiasOrder with the smallest step as well.
func TestBiasOrderWide(t *testing.T) { checkBiasOrder(t, []float64{0.1, 0.2, 0.4, 0.8}, 250000) }
