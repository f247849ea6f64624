package cputime

import (
	"math"
	"testing"
	"time"
)

// TestNow: a process that computes gets older, by no more than all processors give it.
func TestNow(t *testing.T) {
	begin, sum := Now(), 0.0
	for i := 0; Now()-begin < 20*time.Millisecond; i++ {
		for j := range 1000 {
			sum += math.Sqrt(float64(i + j))
		}
	}
	if spent := Now() - begin; spent > 10*time.Second || sum == 0 {
		t.Errorf("a sum of %v took %v", sum, spent)
	}
}
