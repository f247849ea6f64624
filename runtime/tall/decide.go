package tall

import (
	"fmt"
	"math"
)

const (
	// reportESS is the effective sample size that bounds the bias of means and of the
	// logarithms of standard deviations by half of a MaxBias of 0.1.
	reportESS = 3000
	// gathered is how much longer a row takes that is read alone than one in order.
	gathered = 2
	// stepOverhead is what a step costs besides its rows, in row gradients.
	stepOverhead = 20
	// usualGradients is what an iteration of nuts takes in a fitting metric, usualESS the
	// effective draws that it gives, and nutsWarmup how many it needs before.
	usualGradients, usualESS, nutsWarmup = 5.0, 0.7, 150
)

// decide chooses between minibatches and full passes by their forecast costs, in row
// gradients. They are counts, not measured times: the same command chooses the same on
// any machine.
func (s *Setup) decide(p *pilot, set Settings) error {
	pl := &s.Plan
	need := max(set.TargetESS, reportESS*math.Pow(0.1/set.MaxBias, 2))
	steps := need * 3 * pl.Friction / (pl.Step * min(max(pl.CurvatureMin, 0.05), 1))
	rows := 3 * float64(pl.Batch+pl.Always)
	pl.CostDraws = steps * (2*gathered*rows + 3*stepOverhead)
	per := usualGradients
	if p != nil {
		per = max(p.perStep, usualGradients)
	}
	pl.CostNUTS = (nutsWarmup*float64(set.Chains) + set.TargetESS/usualESS) * per * set.FullCost
	switch {
	case pl.Noise > pl.NoisePlain/2:
		return &Refusal{fmt.Sprintf("the anchor does not make the noise of minibatches smaller (%.3g of %.3g without it)", pl.Noise, pl.NoisePlain)}
	case float64(pl.Batch+pl.Always) > float64(pl.Rows)/4 && !set.Anyway:
		return &Refusal{fmt.Sprintf("%d of %d rows a step would be needed", pl.Batch+pl.Always, pl.Rows)}
	case pl.CostDraws > pl.CostNUTS && !set.Anyway:
		return &Refusal{fmt.Sprintf("full passes cost less: %.2g row gradients against %.2g", pl.CostNUTS, pl.CostDraws)}
	}
	pl.Minibatches = true
	return nil
}
