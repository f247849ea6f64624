package typed

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// A Draw is one draw of a chain, as Constrain writes it.
type Draw struct {
	Chain, Index int
	Values       []float64
}

// Each runs the chains in turn, one draw of each at a time, and yields the
// draws. Values is good until the next one. The last pair has the error, if
// there is one. Of a run that finds by itself how it is sampled all draws are made first.
func Each(ctx context.Context, t target.Target, s Settings) iter.Seq2[Draw, error] {
	return func(yield func(Draw, error) bool) {
		plans := s.planned(t)
		if plans {
			eachPlanned(ctx, t, s, yield)
			return
		}
		c, err := s.Resolve(t)
		if err != nil {
			yield(Draw{}, err)
			return
		}
		chains := make([]*sampler.Chain, c.Chains)
		for i := range chains {
			if chains[i], err = sampler.NewChain(t, c, i); err != nil {
				yield(Draw{}, err)
				return
			}
		}
		next := make([]func() ([]float64, error, bool), len(chains))
		for i, chain := range chains {
			var stop func()
			next[i], stop = iter.Pull2(chain.All(ctx))
			defer stop()
		}
		for index := range int(c.Draws) {
			for i := range chains {
				values, err, _ := next[i]()
				if err != nil {
					yield(Draw{}, err)
					return
				}
				if !yield(Draw{Chain: i, Index: index, Values: values}, nil) {
					return
				}
			}
		}
	}
}

// A Set holds all draws of a run in memory.
type Set struct {
	draws *sampler.Draws
	how   *made
	lock  sync.Mutex
	inner [][]float64 // the draws as states, once they were asked for
	rows  []Row       // the summary, once it was asked for
}

// Collect runs the chains side by side and keeps their draws.
func Collect(ctx context.Context, t target.Target, s Settings) (*Set, error) {
	if s.planned(t) {
		return collectPlanned(ctx, t, s)
	}
	s.SaveWarmup = false
	c, err := s.Resolve(t)
	if err != nil {
		return nil, err
	}
	g := gather(t, c)
	ctx, heard := s.listen(ctx)
	chains, err := sampler.Run(ctx, t, c, heard(g), s.run())
	if err != nil {
		return nil, err
	}
	return g.set(chains, sampler.Health(chains...)), nil
}

// Chains is the number of chains.
func (s *Set) Chains() int { return len(s.draws.Chains) }

// Len is the number of draws of a chain.
func (s *Set) Len() int { return s.draws.Len(0) }

// Draw returns a draw; its values are part of the set. The error is that there is none.
func (s *Set) Draw(chain, index int) (Draw, error) {
	if err := inside(chain, s.Chains(), index, s.Len()); err != nil {
		return Draw{}, err
	}
	return Draw{Chain: chain, Index: index, Values: s.draws.Draw(chain, index)}, nil
}

// inside refuses a draw that is not there.
func inside(chain, chains, index, draws int) error {
	switch {
	case chain < 0 || chain >= chains:
		return fmt.Errorf("there is no chain %d: the %d chains count from 0", chain, chains)
	case index < 0 || index >= draws:
		return fmt.Errorf("there is no draw %d: the %d draws of a chain count from 0", index, draws)
	}
	return nil
}

// Mean returns the mean of every number over all draws.
func (s *Set) Mean() []float64 {
	width := s.draws.Width
	out := make([]float64, width)
	for _, c := range s.draws.Chains {
		for i, v := range c {
			out[i%width] += v
		}
	}
	for i := range out {
		out[i] /= float64(s.Chains() * s.Len())
	}
	return out
}

// Health judges the chains as samplers: kinetic temperature, excess friction
// and their kin, and the worst R-hat and effective sample sizes of all numbers.
func (s *Set) Health() []sampler.HealthRow {
	rows := s.summary()
	list := make([]health.Quantity, len(rows))
	for i, r := range rows {
		list[i] = health.Quantity{Name: r.Name, Rhat: r.Rhat, ESSBulk: r.ESSBulk,
			ESSTail: r.ESSTail, ESSMean: math.NaN()}
	}
	var at []int // places in a draw
	eachNumber(s.draws.Outputs, func(_ string, k int) { at = append(at, k) })
	within := func(i int) float64 { return new(diagnose.Workspace).ESSWithin(s.series(at[i], nil)) }
	found := health.Convergence(list, s.Chains(), s.Len(), within)
	own := slices.DeleteFunc(slices.Clone(s.draws.Health), func(h sampler.HealthRow) bool {
		// of a run that was read
		return slices.ContainsFunc(found,
			func(f sampler.HealthRow) bool { return f.Statistic == h.Statistic })
	})
	return append(own, found...)
}

// series has the draws of the number at a place of a draw, by chain, in the memory
// of chains where there is some.
func (s *Set) series(at int, chains [][]float64) [][]float64 {
	if chains == nil {
		chains = make([][]float64, s.Chains())
	}
	for c := range chains {
		chains[c] = chains[c][:0]
		for i := range s.Len() {
			chains[c] = append(chains[c], s.draws.Draw(c, i)[at])
		}
	}
	return chains
}

// A Row summarises the draws of one number.
type Row struct {
	Name string // such as w[0,1]
	diagnose.Summary
}

// Summary has a row for every number of a draw.
func (s *Set) Summary() []Row { return slices.Clone(s.summary()) }

// summary is computed once. The rows are part of the set.
func (s *Set) summary() []Row {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.rows != nil {
		return s.rows
	}
	rows := make([]Row, 0, s.draws.Width)
	chains := make([][]float64, s.Chains())
	var space diagnose.Workspace
	eachNumber(s.draws.Outputs, func(name string, at int) {
		rows = append(rows, Row{name, space.Summarize(s.series(at, chains))})
	})
	s.rows = rows
	return rows
}

func subscript(at []int) string {
	if len(at) == 0 {
		return ""
	}
	parts := make([]string, len(at))
	for i, k := range at {
		parts[i] = strconv.Itoa(k)
	}
	return "[" + strings.Join(parts, ",") + "]"
}
