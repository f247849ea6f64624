package calibrate

import (
	"strconv"

	"github.com/sgppl/sgppl/runtime/results/run"
)

// Float is a number whose JSON is null where it is not finite.
type Float = run.Float

// Verdicts of a check.
const (
	Passed  = "ok"
	Failed  = "off"
	Skipped = "skipped"
)

func verdict(good bool) string {
	if good {
		return Passed
	}
	return Failed
}

// A Report is the result of a test, and the JSON of `test --json`.
type Report struct {
	Model       string         `json:"model"`
	Seed        uint64         `json:"seed"`
	Dims        map[string]int `json:"dims"`
	Notes       []string       `json:"notes"`
	Gradient    GradientReport `json:"gradient"`
	Finite      FiniteReport   `json:"finite"`
	Calibration *Calibration   `json:"calibration,omitempty"`
	Skipped     []Skip         `json:"skipped"`
	Verdict     string         `json:"verdict"`
}

// A Skip is a check that was left out.
type Skip struct {
	Check   string `json:"check"`
	Reason  string `json:"reason"`
	Instead string `json:"instead,omitempty"`
}

// A Calibration is the result of simulation-based calibration.
type Calibration struct {
	Sampler      string `json:"sampler"`
	Warmup       int64  `json:"warmup"`
	FromTruth    bool   `json:"from_truth"`
	Asked        int    `json:"replications_asked"`
	Replications int    `json:"replications"` // that went well
	Draws        int    `json:"draws"`        // L: a rank is one of 0 … L
	Coverage     Float  `json:"coverage"`     // of the bands of all quantities together
	Each         Float  `json:"coverage_each"`
	ESS          Float  `json:"ess"` // the least of any quantity and replication
	// replications whose effective sample size stayed too small
	Short       int        `json:"short"`
	Divergences int        `json:"divergences"`
	Iterations  int64      `json:"iterations"` // after the warm-ups, of all replications
	Quantities  []Quantity `json:"quantities"`
	Constant    []string   `json:"constant"` // quantities that never change
	Failures    []Failure  `json:"failures"`
	Verdict     string     `json:"verdict"`
}

// A Quantity is one whose ranks were tested.
type Quantity struct {
	Name      string `json:"name"`
	P         Float  `json:"p"` // of the graphical test, by itself
	Inside    bool   `json:"inside"`
	Shape     string `json:"shape,omitempty"` // what ranks outside the band look like
	Histogram []int  `json:"histogram"`
	Ranks     []int  `json:"ranks"`
}

// A Failure is a replication that could not be done.
type Failure struct {
	Replication int    `json:"replication"`
	Error       string `json:"error"`
}

// judge is the verdict of all checks.
func (r *Report) judge() {
	good := r.Gradient.Verdict != Failed && r.Finite.Verdict != Failed &&
		(r.Calibration == nil || r.Calibration.Verdict != Failed)
	r.Verdict = verdict(good)
}

func text64(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
