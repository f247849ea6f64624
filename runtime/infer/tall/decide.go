package tall

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
)

const (
	// reportESS is the effective sample size that suffices to bound the bias of means and of log
	// standard deviations by half of a MaxBias of 0.1.
	reportESS = 3000
	// noNoise is the noise of a row below which it is negligible compared with the friction. If all
	// rows are equal, noise with and without an anchor is rounding error, and the former may be
	// larger.
	noNoise = 1e-3
	// gathered is the cost of reading a row alone relative to reading it in order.
	gathered = 2
	// stepOverhead is the cost of a step other than that of its rows, in row gradients.
	stepOverhead = 20
	// usualGradients is the number of gradients of an iteration of nuts in a metric that fits. A run
	// has nutsWarmup iterations and nutsDraws draws in each chain. With many rows, only the last
	// nutsAll iterations of the warm-up use all rows.
	usualGradients                 = 7.0
	nutsWarmup, nutsDraws, nutsAll = 1000.0, 1000.0, 150.0
	// leastSetup is fewer passes over all rows than any set-up takes: the runs of
	// bench/tall-acceptance.md have 13 and more.
	leastSetup = 10.0
	// curvedGradients is the number of gradients of an iteration of gmc, whose warm-up uses all rows.
	curvedGradients = 10.0
)

// decide chooses between minibatches and full passes by forecasts of their costs, in row gradients.
// The costs are counts instead of measured times, so that a command makes the same choice on any
// machine.
func (s *Setup) decide(p *pilot, set Settings) error {
	pl := &s.Plan
	need := max(set.TargetESS, reportESS*math.Pow(0.1/set.MaxBias, 2))
	steps := need * pl.stepsPerDraw()
	rows := 3 * float64(pl.Batch+pl.Always)
	pl.CostDraws = steps * (float64(2*gathered*rows) + 3*stepOverhead)
	pl.FullPasses = "nuts"
	per, some := usualGradients, min(1, float64(PilotSize(pl.Rows, pl.Dim))/float64(pl.Rows))
	if p != nil {
		per = max(p.perStep, usualGradients)
	}
	if set.Curved {
		pl.FullPasses, per, some = "gmc", curvedGradients, 1
	}
	chains := float64(set.Chains)
	pl.CostNUTS = (float64(chains*(float64((nutsWarmup-nutsAll)*some)+nutsAll)) +
		max(float64(chains*nutsDraws), set.TargetESS)) * per * set.FullCost
	switch {
	case pl.Noise > max(pl.NoisePlain/2, noNoise):
		return &Refusal{fmt.Sprintf("the anchor does not make the noise of minibatches smaller "+
			"(%.3g of %.3g without it)", pl.Noise, pl.NoisePlain)}
	case s.white != nil && lost(s.white):
		return &Refusal{"a number is known better than a float64 can tell: by the curvature near " +
			"the mode it does not move"}
	case float64(pl.Batch+pl.Always) > float64(pl.Rows)/4 && !set.Anyway:
		return &Refusal{fmt.Sprintf("%d of %d rows a step would be needed", pl.Batch+pl.Always,
			pl.Rows)}
	case pl.CostDraws > pl.CostNUTS && !set.Anyway:
		return &Refusal{fmt.Sprintf("full passes cost less: %.2g row gradients against %.2g",
			pl.CostNUTS, pl.CostDraws)}
	}
	pl.Minibatches = true
	return nil
}

// stepsPerDraw returns how many steps, over all chains, an effective draw of the slowest coordinate
// takes: 2D/(hλ) for a Gaussian with the precision λ in that coordinate, which is near 1 after the
// set-up, and half as much again for the worst of many coordinates.
func (pl *Plan) stepsPerDraw() float64 {
	const leastPrecision = 0.6
	return 3 * pl.Friction / (pl.Step * min(max(pl.CurvatureMin, leastPrecision), 1))
}

// lost reports whether rounding hides the standard deviation of a coordinate of the state, so that
// all of its draws would be equal.
func lost(w *whitening.Map) bool {
	const digits = 1e-13
	for i, m := range w.Mean {
		row := []float64{0}
		if w.Chol == nil {
			row[0] = w.Diag[i]
		} else {
			row = w.Chol[i*len(w.Mean) : i*len(w.Mean)+i+1]
		}
		if sd := math.Sqrt(dot(row, row)); !(sd > digits*math.Abs(m)) {
			return true
		}
	}
	return false
}

// CheapPasses reports whether full passes cost less than minibatches could for any posterior, as
// for models whose rows are in sums that are computed once, or where few rows are different. Then
// no set-up is needed.
func CheapPasses(rows int, s Settings) bool {
	if s.Anyway {
		return false
	}
	s = s.filled(rows)
	least := &Setup{Plan: Plan{Rows: rows, Friction: s.Friction, Step: longestStep, CurvatureMin: 1,
		Batch: leastBatch, NoisePlain: 1}}
	least.decide(nil, s)
	return least.Plan.CostDraws+float64(leastSetup*float64(rows)) > least.Plan.CostNUTS
}
