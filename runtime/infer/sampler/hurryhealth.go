package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
)

// appendPasses appends the row "passes" for each block of a run that is too short: the passes that
// the run makes over the rows and, as Expected, the least number that it needs to reach the
// posterior, averaged over the chains. The verdict is "off", since such draws are hotter than the
// posterior. If the step is given, or the run is long enough, there is no row.
func appendPasses(out []health.Row, chains []*Chain) []health.Row {
	if chains[0].tuner == nil {
		return out
	}
	for k := range chains[0].tuner.parts {
		hurried, needed := 0, 0.0
		for _, c := range chains {
			if p := &c.tuner.parts[k]; p.on && p.hurries() {
				hurried++
				needed += p.needed()
			}
		}
		if 2*hurried <= len(chains) {
			continue
		}
		p := &chains[0].tuner.parts[k]
		for _, i := range p.blocks {
			out = append(out, health.Row{Block: chains[0].state.Factors[i].Name,
				Statistic: "passes", Value: p.passes, Expected: needed / float64(hurried),
				MCSE: math.NaN(), Verdict: "off"})
		}
	}
	return out
}
