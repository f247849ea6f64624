package hmc

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// Energies has the sums for the health statistics of nuts trajectories after the warm-up.
type Energies struct {
	Diverging   float64 // number of trajectories that diverged
	deepest     float64 // number of trajectories that reached the greatest depth
	n, mean, m2 float64 // count, mean and sum of squared deviations of the energy
	last, jumps float64 // last energy, and Σ(E_n − E_{n−1})²
}

// Walk reads or writes the sums, for a checkpoint.
func (h *Energies) Walk(d *loop.Codec) {
	for _, p := range []*float64{&h.Diverging, &h.deepest, &h.n, &h.mean, &h.m2, &h.last,
		&h.jumps} {
		d.Float(p)
	}
}

func (h *Energies) add(t *Tree) {
	h.Diverging += special.Bool(t.last.diverging)
	h.deepest += special.Bool(t.last.depth == t.maxDepth)
	e := t.last.energy
	if h.n > 0 {
		d := e - h.last
		h.jumps += float64(d * d)
	}
	h.last = e
	h.n++
	d := e - h.mean
	h.mean += d / h.n
	h.m2 += float64(d * (e - h.mean))
}

// bfmi returns the energy's Bayesian fraction of missing information (Betancourt 2016): E[(E_n −
// E_{n−1})²]/Var E. It is 2 for independent draws, and small where fresh momenta change the energy
// by only a small part of its spread.
func (h *Energies) bfmi() float64 {
	if h.n < 3 || h.m2 == 0 {
		return math.NaN()
	}
	return h.jumps / h.m2
}

// fewDivergences is the share of divergent draws up to which the verdict is unsure. More show that
// the draws avoid a part of the space.
const fewDivergences = 1e-3

// leastBFMI is the value below which heavy tails are explored too slowly.
const leastBFMI = 0.3

// AppendRows appends the rows of divergences, of trajectories of the greatest depth, and of the
// smallest E-BFMI of the chains.
func AppendRows(out []health.Row, chains []*Energies) []health.Row {
	n, diverging, deepest, least := 0.0, 0.0, 0.0, math.Inf(1)
	for _, h := range chains {
		n += h.n
		diverging += h.Diverging
		deepest += h.deepest
		if b := h.bfmi(); !(b >= least) {
			least = b
		}
	}
	if n == 0 {
		return out
	}
	verdict := func(ok bool, otherwise string) string {
		if ok {
			return "ok"
		}
		return otherwise
	}
	nan, many := math.NaN(), "unsure"
	if diverging > fewDivergences*n {
		many = "off"
	}
	out = append(out,
		health.Row{Block: "all", Statistic: "divergences", Value: diverging, Expected: 0, MCSE: nan,
			Verdict: verdict(diverging == 0, many)},
		health.Row{Block: "all", Statistic: "max_tree_depth_hits", Value: deepest, Expected: 0,
			MCSE: nan, Verdict: verdict(deepest == 0, "unsure")})
	if !math.IsNaN(least) {
		out = append(out, health.Row{Block: "all", Statistic: "e_bfmi", Value: least, Expected: nan,
			MCSE: nan, Verdict: verdict(least >= leastBFMI, "off")})
	}
	return out
}
