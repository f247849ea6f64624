package run

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/approximate"
)

// TestUndefinedExactness: what is undefined is recorded as the worst, not as the best.
func TestUndefinedExactness(t *testing.T) {
	r := &approximate.Result{}
	r.Exactness.K, r.Exactness.ELBO, r.Exactness.LogMass = math.NaN(), math.NaN(), math.NaN()
	x, _ := ExactnessOf(r)
	if x.K != 1e300 || x.ELBO != -1e300 || x.LogMass != -1e300 {
		t.Errorf("k %g, elbo %g, log mass %g", x.K, x.ELBO, x.LogMass)
	}
	r.Exactness.K, r.Exactness.ELBO, r.Exactness.LogMass = math.Inf(1), math.Inf(-1), -2.5
	if x, _ = ExactnessOf(r); x.K != 1e300 || x.ELBO != -1e300 || x.LogMass != -2.5 {
		t.Errorf("k %g, elbo %g, log mass %g", x.K, x.ELBO, x.LogMass)
	}
}
