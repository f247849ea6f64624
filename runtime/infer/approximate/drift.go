package approximate

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// verdict says whether the runs agree, and what speaks against the draws.
func (p *Particles) verdict() (verdict, why string) {
	switch {
	case !(p.Spread <= spreadOff):
		return Off, sprintf("the log evidence differs between runs by %.2g, as a standard deviation: "+
			"{candidates} takes more particles", p.Spread)
	case p.LeastESS < leastEffective:
		return Off, sprintf("only %.0f of %d particles count on the way: {candidates} takes more",
			p.LeastESS, p.Particles)
	case p.Accepted < acceptedOff:
		return Off, sprintf("only %.0f %% of the moves were accepted at a temperature",
			100*p.Accepted)
	case p.Drift > driftOff:
		return Off, sprintf("moves at the posterior still change %s, by %.2g sd: the particles have "+
			"not come to the posterior, and the log evidence is wrong too", p.DriftOf, p.Drift)
	case p.Drift > driftUnsure:
		return Unsure, sprintf("moves at the posterior still change %s, by %.2g sd", p.DriftOf,
			p.Drift)
	case p.Kept > unmixed && p.Roots < leastEffective:
		return Off, sprintf("moves do not mix %s, so draws rest on the weights of the particles that "+
			"smc begins with, of which only %.0f count", p.KeptOf, p.Roots)
	case p.Kept > unmixed && p.Roots < leastShare*float64(p.Runs*p.Particles):
		return Unsure, sprintf("moves do not mix %s, so draws rest on the weights of the particles "+
			"that smc begins with, of which %.0f of %d count", p.KeptOf, p.Roots,
			p.Runs*p.Particles)
	case p.Spread > spreadUnsure:
		return Unsure, sprintf("the log evidence differs between runs by %.2g, as a standard "+
			"deviation: {candidates} takes more particles", p.Spread)
	case p.Accepted < acceptedUnsure:
		return Unsure, sprintf("%.0f %% of the moves were accepted at a temperature", 100*p.Accepted)
	}
	return OK, ""
}

// Bounds of verdicts.
const (
	spreadUnsure, spreadOff     = 0.3, 1.0
	acceptedUnsure, acceptedOff = 0.4, 0.1
	driftUnsure, driftOff       = 0.02, 0.05
	unmixed                     = 0.5 // correlation
	sureDrift                   = 4   // errors of a drift, at which it is not noise
)

// says is what the runs found, in a sentence.
func (p *Particles) says() string {
	return fmt.Sprintf("%d runs of %d particles through at most %d temperatures: log evidence %.4g, "+
		"error %.2g", p.Runs, p.Particles, p.Temperatures, p.LogEvidence, p.Error)
}

// exactness is what a record has of the runs.
func (p *Particles) exactness() Exactness {
	return Exactness{Particles: p, Draws: p.Runs * p.Particles, Resampled: true,
		Effective: p.Roots, LogMass: p.LogEvidence, Gradients: p.calls, Says: []string{p.says()}}
}

// drifts compares the particles before and after the moves of goOn, which leave the posterior as
// it is: particles that are of it have the same means after them, within noise. Runs whose
// estimates agree because all of them miss the same part of the posterior are found by it.
func (p *Particles) drifts() {
	in := p.clouds[0].in
	for j := range p.clouds[0].d {
		mean, square, n := 0.0, 0.0, 0.0
		for _, c := range p.clouds {
			for i := range c.n {
				n++
				before := c.z[i*c.d+j] - mean
				mean += before / n
				square += float64(before * (c.z[i*c.d+j] - mean))
			}
		}
		sd := math.Sqrt(square / n)
		kept := 0.0
		var sums [2][2]float64 // of changes of a value and of a distance from the mean
		for _, c := range p.clouds {
			for at := j; at < len(c.z); at += c.d {
				a, b := (c.before[at]-mean)/sd, (c.z[at]-mean)/sd
				kept += float64(a*b) / n
				for k, v := range [2]float64{b - a, math.Abs(b) - math.Abs(a)} {
					sums[k][0] += v / n
					sums[k][1] += float64(v*v) / n
				}
			}
		}
		if kept > p.Kept {
			p.Kept, p.KeptOf = kept, in.nameOf(j)
		}
		for _, s := range sums {
			size := math.Abs(s[0])
			if noise := math.Sqrt(s[1] / n); size > sureDrift*noise && size > p.Drift {
				p.Drift, p.DriftOf = size, in.nameOf(j)
			}
		}
	}
	for _, c := range p.clouds {
		c.before = nil
		count := make([]float64, c.n)
		for _, r := range c.root {
			count[r]++
		}
		p.Roots += float64(c.n) * float64(c.n) / kernel.Dot(count, count)
	}
}
