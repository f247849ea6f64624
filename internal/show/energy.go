package show

import (
	"fmt"
	"math"
	"slices"

	"github.com/sgppl/sgppl/internal/show/chart"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// lowBFMI is the E-BFMI below which the momenta, drawn afresh, change the energy by too
// little of its spread.
const lowBFMI = 0.3

// dynamics are the sections of what the sampler did: pairs of numbers, and energies.
func (x *Report) dynamics(list []Number) ([]Section, error) {
	diverging, err := statistic(x.Store, "diverging")
	if err != nil {
		return nil, err
	}
	var out []Section
	pairs, err := x.pairs(list, diverging)
	if err != nil {
		return nil, err
	}
	if pairs != nil {
		out = append(out, *pairs)
	}
	energy, err := statistic(x.Store, "energy")
	if err != nil || energy == nil {
		return out, err
	}
	return append(out, energySection(energy, x.Record)), nil
}

// statistic reads an array of sample_stats with one number per draw, as a slice per chain; nil if
// the store has no such array.
func statistic(store *trace.Store, name string) ([][]float64, error) {
	v, ok := store.Lookup("sample_stats", name)
	if !ok || v.Static || v.Len() != 1 {
		return nil, nil
	}
	chains, err := ElementDraws(store, v, 0)
	if err != nil || len(chains) == 0 || len(chains[0]) == 0 {
		return nil, err
	}
	return chains, nil
}

// energySection returns the section with the picture of the energies. If the run did not store
// every draw, it has only a text that says so.
func energySection(energy [][]float64, r *run.Record) Section {
	s := Section{Heading: "Energy"}
	if r.Settings.Thin > 1 || r.Reservoir > 0 {
		s.Text = []string{"The run did not store every draw, so the energies of neighbouring draws " +
			"are those of several transitions, and no picture can be held against them: e_bfmi in " +
			"the health table is of all transitions."}
		return s
	}
	s.Text = []string{"The energies of all draws, from their mean, and their changes from draw to " +
		"draw. Both should be about as wide (E-BFMI near 1). Changes that are much narrower " +
		"cannot reach the tails of the energy in a few steps: below 0.3, a longer warm-up or " +
		"another parametrization of scales is needed."}
	s.Charts = []chart.Chart{Energy(energy)}
	return s
}

// Energy is the marginal distribution of the energies of all chains, each from its mean, and
// that of their transitions (Betancourt 2016).
func Energy(energy [][]float64) chart.Chart {
	var marginal, change []float64
	least, worst := math.Inf(1), -1
	for k, e := range energy {
		mean, n := 0.0, 0.0
		for _, v := range e {
			mean, n = mean+v, n+1
		}
		mean /= n
		for i, v := range e {
			marginal = append(marginal, v-mean)
			if i > 0 {
				change = append(change, v-e[i-1])
			}
		}
		if b := EBFMI(e); b < least {
			least, worst = b, k
		}
	}
	c := chart.Chart{Title: "Energy", X: chart.Axis{Name: "energy, from its mean"},
		Y: chart.Axis{Name: "density"}, Key: true}
	all := finite([][]float64{marginal, change})
	if worst < 0 || len(all) == 0 {
		c.Says = "The energies do not vary, or are not finite."
		return c
	}
	c.Says = fmt.Sprintf("The least E-BFMI is %.2f, of chain %d: ", least, worst)
	if least < lowBFMI {
		c.Says += "low."
	} else {
		c.Says += "as it should be."
	}
	at := edges(all[0], all[len(all)-1], 2*histBins)
	m, d := binned(finite([][]float64{marginal}), at), binned(finite([][]float64{change}), at)
	c.Y.Hi = 1.05 * max(slices.Max(m), slices.Max(d))
	c.Series = []chart.Series{
		{Mark: chart.Area, Name: "energies", Class: chart.Plain, X: at, Y: m},
		{Mark: chart.Area, Name: "changes", Class: chart.Other + " d1", X: at, Y: d},
	}
	return c
}

// EBFMI is the energy's Bayesian fraction of missing information of one chain,
// Σ(E_n − E_{n−1})² / Σ(E_n − mean)² (Betancourt 2016); NaN of fewer than three draws, and of
// energies that do not vary.
func EBFMI(energy []float64) float64 {
	mean, jumps, spread := 0.0, 0.0, 0.0
	for _, e := range energy {
		mean += e
	}
	mean /= float64(len(energy))
	for i, e := range energy {
		spread += float64((e - mean) * (e - mean))
		if i > 0 {
			jumps += float64((e - energy[i-1]) * (e - energy[i-1]))
		}
	}
	if len(energy) < 3 || spread == 0 {
		return math.NaN()
	}
	return jumps / spread
}
