package noisebench

import "testing"

// TestAuto: without settings every posterior of the bench is right within 5 %, by full
// passes, which are taken as its rows are few, and on minibatches with an anchor where these
// are not refused. By default the regression alone is sampled.
func TestAuto(t *testing.T) {
	taken := 0
	for _, c := range Cases() {
		if !allAuto && c.Name != "regression" {
			continue
		}
		for _, minibatches := range []bool{false, true} {
			r := c.Auto(t.Context(), minibatches)
			t.Log(r.String())
			switch {
			case r.Refused != nil && (minibatches || c.Name == "simplex by expanded_mean"):
				// which is for sgrld alone
				continue
			case r.Refused != nil || r.Wrong() || len(r.Off) > 0:
				t.Errorf("%s", r.String())
			case minibatches:
				taken++
			}
		}
	}
	if taken < 1 || allAuto && taken < 4 {
		t.Errorf("%d posteriors were sampled on minibatches", taken)
	}
}
