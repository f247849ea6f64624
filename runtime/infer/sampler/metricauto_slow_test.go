//go:build slow

package sampler

import (
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
)

// TestMetricFoundLarge is TestMetricFound in 300 dimensions.
func TestMetricFoundLarge(t *testing.T) {
	checkFound(t, 300, false, []string{adapt.MetricDiag, adapt.MetricLowRank})
	checkFound(t, 300, true, []string{adapt.MetricDense, adapt.MetricLowRank})
}
