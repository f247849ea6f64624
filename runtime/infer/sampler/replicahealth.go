package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
)

// Bounds of verdicts on replica exchange.
const (
	tripsSure, tripsLeast = 25, 5 // journeys of a chain
	swapSure, swapLeast   = 0.1, 0.01
	spreadSure, spreadOff = 0.3, 1.0 // standard deviation of the log evidence between chains
)

// appendReplicas appends the rows of replica exchange.
func appendReplicas(out []health.Row, chains []*Chain) []health.Row {
	if len(chains) == 0 || chains[0].replicas == nil {
		return out
	}
	n, nan := float64(len(chains)), math.NaN()
	trips, fewest, least, barrier := 0.0, math.Inf(1), 1.0, 0.0
	evidence := make([]float64, 0, len(chains))
	for _, c := range chains {
		r := c.replicas
		if c.step <= c.cfg.Warmup || r.ladder.Seen() == 0 {
			return out
		}
		trips += float64(r.trips)
		fewest = min(fewest, float64(r.trips))
		least = min(least, r.ladder.Least())
		barrier += r.ladder.Barrier() / n
		evidence = append(evidence, r.ladder.LogEvidence())
	}
	out = append(out,
		health.Row{Block: "all", Statistic: "round_trips", Value: trips, Expected: nan, MCSE: nan,
			Verdict: graded(fewest, tripsSure, tripsLeast)},
		health.Row{Block: "all", Statistic: "swap_rate", Value: least, Expected: nan, MCSE: nan,
			Verdict: graded(least, swapSure, swapLeast)},
		health.Row{Block: "all", Statistic: "barrier", Value: barrier, Expected: nan, MCSE: nan,
			Verdict: ""})
	if chains[0].replicas.q.Normed() && chains[0].replicas.noisy.variance == nil {
		out = append(out, evidenceRow(evidence))
	}
	return out
}

// appendCycles appends the row of a run in cycles, which is never ok: nothing sees whether modes
// have their masses.
func appendCycles(out []health.Row, chains []*Chain) []health.Row {
	if len(chains) == 0 || !chains[0].cycles() {
		return out
	}
	n := 0.0
	for _, c := range chains {
		n += float64(c.Draws())
	}
	if n == 0 {
		return out
	}
	return append(out, health.Row{Block: "all", Statistic: "cycles", Value: n, Expected: math.NaN(),
		MCSE: math.NaN(), Verdict: "unsure"})
}

// graded is the verdict on a value that should be large.
func graded(value, sure, least float64) string {
	switch {
	case value >= sure:
		return "ok"
	case value >= least:
		return "unsure"
	}
	return "off"
}

// evidenceRow is the row of the mean of the chains' log evidence. A single chain has no error of
// it.
func evidenceRow(of []float64) health.Row {
	row := health.Row{Block: "all", Statistic: "log_evidence", Value: 0, Expected: math.NaN(),
		MCSE: math.Inf(1), Verdict: "unsure"}
	n, square := float64(len(of)), 0.0
	for _, v := range of {
		row.Value += v / n
	}
	for _, v := range of {
		square += float64((v - row.Value) * (v - row.Value))
	}
	if len(of) < 2 {
		return row
	}
	spread := math.Sqrt(square / (n - 1))
	row.MCSE = spread / math.Sqrt(n)
	switch {
	case spread <= spreadSure:
		row.Verdict = "ok"
	case !(spread <= spreadOff):
		row.Verdict = "off"
	}
	return row
}
