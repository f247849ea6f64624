package surrogate

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// Precisions add up, and means are weighted by them.
func TestConsensus(t *testing.T) {
	a := &Moments{Mean: []float64{1, 0}, Cov: []float64{1, 0, 0, 4}, Rhat: 1}
	b := &Moments{Mean: []float64{4, 2}, Cov: []float64{2, 1, 1, 1}, Rhat: 1}
	w, err := consensusOf([]*Moments{a, b})
	if err != nil {
		t.Fatal(err)
	}
	// b's precision is [[1, −1], [−1, 2]]: the sum is [[2, −1], [−1, 2.25]], of determinant 3.5.
	cov := []float64{2.25 / 3.5, 1 / 3.5, 1 / 3.5, 2 / 3.5}
	shift := []float64{1 + 4 - 2, -4 + 4}
	for i := range 2 {
		if want := cov[2*i]*shift[0] + cov[2*i+1]*shift[1]; math.Abs(w.Mean[i]-want) > 1e-12 {
			t.Errorf("mean %d is %g, want %g", i, w.Mean[i], want)
		}
		for j := range 2 {
			if got := dot(w.Chol[2*i:2*i+2], w.Chol[2*j:2*j+2]); math.Abs(got-cov[2*i+j]) > 1e-12 {
				t.Errorf("covariance %d, %d is %g, want %g", i, j, got, cov[2*i+j])
			}
		}
	}
	flat := []float64{1, 1, 1, 1}
	for want, wrong := range map[string]*Moments{
		"chains on the subposterior of shard 1 disagree": {Mean: a.Mean, Cov: a.Cov, Rhat: 1.3},
		"no covariance that can be inverted":             {Mean: a.Mean, Cov: flat, Rhat: 1},
	} {
		_, err := consensusOf([]*Moments{a, wrong})
		if no := (*Refusal)(nil); !errors.As(err, &no) || !strings.Contains(no.Why, want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
