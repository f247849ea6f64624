package adapt

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A DualAverage is Nesterov's dual averaging of log h so that the mean
// acceptance meets its target: Hoffman and Gelman 2014, equation 6, with their
// constants.
type DualAverage struct {
	Target      float64
	centre      float64 // μ
	n, sum, bar float64 // iterations, H̄, log h̄
}

const (
	averageGamma = 0.05
	averageDelay = 10 // t₀
	averageKappa = 0.75
)

// Walk reads or writes the average, for a checkpoint.
func (a *DualAverage) Walk(d *loop.Codec) {
	for _, p := range []*float64{&a.centre, &a.n, &a.sum, &a.bar} {
		d.Float(p)
	}
}

// Restart restarts the average from about ten times the step, since large steps are cheap to try.
func (a *DualAverage) Restart(step float64) {
	a.centre = special.Log(10 * step)
	a.n, a.sum, a.bar = 0, 0, special.Log(step)
}

// Learn updates the average with the acceptance of an iteration and returns the next step.
func (a *DualAverage) Learn(accept float64) float64 {
	a.n++
	eta := 1 / (a.n + averageDelay)
	a.sum = float64((1-eta)*a.sum) + float64(eta*(a.Target-accept))
	log := a.centre - float64(a.sum*math.Sqrt(a.n))/averageGamma
	weight := special.Exp(-averageKappa * special.Log(a.n))
	a.bar = float64((1-weight)*a.bar) + float64(weight*log)
	return special.Exp(log)
}

// Final returns the averaged step, which is used after the warm-up.
func (a *DualAverage) Final() float64 { return special.Exp(a.bar) }
