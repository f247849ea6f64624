//go:build slow

package sampler

import "testing"

// TestMetricFoundLarge is TestMetricFound in 300 dimensions.
func TestMetricFoundLarge(t *testing.T) {
	checkFound(t, 300, false, []string{metricDiag, metricLowRank})
	checkFound(t, 300, true, []string{metricDense, metricLowRank})
}
