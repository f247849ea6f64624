package typed

import (
	"context"
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/results/sketch"
)

// A Keep says what Summarize keeps of the draws. The zero value is for moments and quantiles, and
// no draws.
type Keep struct {
	// Entries of the quantile sketch of every number, sketch.MinEntries or more; 0 chooses by their
	// number, as sketch.Entries. A number takes sketch.BytesPer of it in each chain.
	Entries int
	// MomentsOnly leaves quantiles and what goes with them out: 16 bytes a number.
	MomentsOnly bool
	// Reservoir is how many draws of each chain are kept, evenly spread over it.
	Reservoir int
}

// Summaries are the summaries of a run that did not keep all draws, with the draws that it kept.
type Summaries struct {
	outputs []target.Output
	width   int
	chains  []*sketch.Sketch
	thin    []*sketch.Reservoir // nil without
	kept    [][]Draw
	health  []sampler.HealthRow
}

// Summarize runs the chains side by side and summarises their draws as they come, in memory that
// does not grow with them. The draws are those of Collect.
func Summarize(ctx context.Context, t target.Target, c Settings, k Keep) (*Summaries, error) {
	c.SaveWarmup = false
	plans := c.planned(t)
	if !plans {
		var err error
		if c.Config, err = c.Resolve(t); err != nil {
			return nil, err
		}
	}
	entries := k.Entries
	if k.MomentsOnly {
		entries = 0
	} else if entries <= 0 {
		entries = sketch.Entries(t.OutputLen())
	}
	if plans {
		return summarizePlanned(ctx, t, c, k.Reservoir, entries)
	}
	s := newSummaries(t, c.Chains, entries, c.Draws)
	for i := range c.Chains {
		if k.Reservoir > 0 {
			s.thin = append(s.thin, sketch.NewReservoir(int64(k.Reservoir), c.Draws, c.Seed, i))
		}
	}
	ctx, heard := c.listen(ctx)
	chains, err := sampler.Run(ctx, t, c.Config, heard(s.sink()), c.run())
	if err != nil {
		return nil, err
	}
	s.health = sampler.Health(chains...)
	return s, nil
}

func newSummaries(t target.Target, chains, entries int, draws int64) *Summaries {
	s := &Summaries{outputs: t.Outputs(), width: t.OutputLen(), kept: make([][]Draw, chains)}
	for range chains {
		s.chains = append(s.chains, sketch.New([]sketch.Span{{From: 0, Len: s.width}}, entries, draws))
	}
	return s
}

// summing is the sink of Summaries. Chains touch nothing of one another.
type summing Summaries

func (s *Summaries) sink() *summing { return (*summing)(s) }

func (s *summing) Draw(chain int, index int64, out []float64, _ *sampler.Stats) error {
	s.chains[chain].Add(out)
	if s.thin != nil && s.thin[chain].Takes(index) {
		s.kept[chain] = append(s.kept[chain],
			Draw{Chain: chain, Index: int(index), Values: slices.Clone(out)})
	}
	return nil
}
func (*summing) Progress(sampler.Progress)    {}
func (*summing) Checkpoint(int, []byte) error { return nil }

// Chains is the number of chains.
func (s *Summaries) Chains() int { return len(s.chains) }

// Len is the number of draws of a chain that were summarised.
func (s *Summaries) Len() int { return int(s.chains[0].Count()) }

// Kept is how many of them were kept.
func (s *Summaries) Kept() int { return len(s.kept[0]) }

// Draw returns draw i of those that were kept of a chain. Its Index is its number among all
// draws; its values are part of s. The error is that there is none.
func (s *Summaries) Draw(chain, i int) (Draw, error) {
	if err := inside(chain, s.Chains(), i, s.Kept()); err != nil {
		return Draw{}, err
	}
	return s.kept[chain][i], nil
}

// Mean returns the mean of every number over all draws.
func (s *Summaries) Mean() []float64 {
	out := make([]float64, s.width)
	chains := make([]sketch.Chain, len(s.chains))
	for i := range out {
		n := 0.0
		for k, c := range s.chains {
			c.Chain(i, &chains[k])
			n += chains[k].Count
			out[i] += (chains[k].Mean - out[i]) * chains[k].Count / n
		}
	}
	return out
}

// Health judges the chains as samplers, and by the worst R-hat and effective sample
// size of all numbers, where batches of the draws were kept.
func (s *Summaries) Health() []sampler.HealthRow {
	var list []health.Quantity
	for _, l := range s.Summary() {
		list = append(list, health.Quantity{Name: l.Name, Rhat: l.Rhat, ESSBulk: math.NaN(),
			ESSTail: math.NaN(), ESSMean: l.ESSMean})
	}
	return append(slices.Clone(s.health), health.Convergence(list, s.Chains(), s.Len(), nil)...)
}

// A Line summarises the draws of one number that were not kept; see sketch.Summary for the methods.
// Quantile are those of sketch.Targets.
type Line struct {
	Name string // such as w[0,1]
	sketch.Summary
}

// Summary has a line for every number of a draw.
func (s *Summaries) Summary() []Line {
	lines := make([]Line, 0, s.width)
	chains := make([]sketch.Chain, len(s.chains))
	eachNumber(s.outputs, func(name string, at int) {
		for k, c := range s.chains {
			c.Chain(at, &chains[k])
		}
		lines = append(lines, Line{name, sketch.Join(chains)})
	})
	return lines
}

// eachNumber calls f for every number of a draw with its name and place.
func eachNumber(outputs []target.Output, f func(name string, at int)) {
	for _, o := range outputs {
		at := make([]int, len(o.Shape))
		for k := range o.Len {
			f(o.Name+subscript(at), o.Offset+k)
			for i := len(at) - 1; i >= 0; i-- {
				if at[i]++; at[i] < o.Shape[i] {
					break
				}
				at[i] = 0
			}
		}
	}
}
