//go:build slow

package examples_test

import (
	"os"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/calibrate"
	"github.com/sgppl/sgppl/internal/native"
)

// TestCalibrationStudies: ranks of 500 replications stay inside simultaneous 99 % bands, for a
// model of each kind, except for those of which it is known why they do not: that is a finding, and
// held to as well. The rows it logs are those of docs/calibration.md.
func TestCalibrationStudies(t *testing.T) {
	build := &native.Builder{Cache: t.TempDir(), Env: os.Environ()}
	for i := range studies {
		s := &studies[i]
		t.Run(s.name(), func(t *testing.T) {
			start := time.Now()
			r := s.run(t, 500, build)
			t.Logf("%v\n%s", time.Since(start), s.row(r))
			if (r.Verdict == calibrate.Passed) != (s.stuck == "") {
				t.Error(calibrate.Text(r))
			}
		})
	}
}
