//go:build slow

package main

import "testing"

// TestClustersLarge is TestClusters with 200,000 rows in minibatches of 1,000.
func TestClustersLarge(t *testing.T) {
	clusterStudy{rows: 200_000, batch: 1000, step: 0.0001, friction: 100, warmup: 2000}.run(t)
}
