//go:build slow

package examples_test

import "testing"

// TestReplicasLong: with more draws means are within 0.02 standard deviations.
func TestReplicasLong(t *testing.T) {
	t.Run("tied", func(t *testing.T) { replicasTied(t, 4000, 0.02) })
	t.Run("regimes", func(t *testing.T) { replicasRegimes(t, 8000, 0.02) })
}
