package typed

import (
	"context"
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/sketch"
)

// summarizePlanned is Summarize of a run that finds by itself how it samples, and how many
// draws there are.
func summarizePlanned(
	ctx context.Context, t target.Target, c Settings, reservoir, entries int,
) (*Summaries, error) {
	var last *spreading
	out, err := runPlanned(ctx, t, c, func(sampler.Config) sampler.Sink {
		// the draws of the last attempt count
		last = &spreading{Summaries: newSummaries(t, c.Chains, entries, math.MaxInt64), most: reservoir,
			each: make([]int64, c.Chains)}
		for i := range last.each {
			last.each[i] = 1
		}
		return last
	})
	if err != nil {
		return nil, err
	}
	s := last.Summaries
	s.health = out.health
	for i, kept := range s.kept {
		r := sketch.NewReservoir(int64(reservoir), int64(len(kept)), c.Seed, i)
		s.kept[i] = s.kept[i][:0]
		for k, d := range kept {
			if r.Takes(int64(k)) {
				s.kept[i] = append(s.kept[i], d)
			}
		}
	}
	return s, nil
}

// spreading is a sink of summaries for chains whose length is not known. It keeps every so
// many draws, and twice as few where there are too many: more than most, and at most twice
// as many.
type spreading struct {
	*Summaries
	most int
	each []int64 // of each chain: a draw of so many is kept
}

// Draw implements sampler.Sink.
func (s *spreading) Draw(chain int, index int64, out []float64, _ *sampler.Stats) error {
	s.chains[chain].Add(out)
	if s.most <= 0 || index%s.each[chain] != 0 {
		return nil
	}
	kept := append(s.kept[chain], Draw{Chain: chain, Index: int(index), Values: slices.Clone(out)})
	if len(kept) > 2*s.most {
		s.each[chain] *= 2
		kept = slices.DeleteFunc(kept,
			func(d Draw) bool { return int64(d.Index)%s.each[chain] != 0 })
	}
	s.kept[chain] = kept
	return nil
}
func (*spreading) Progress(sampler.Progress)    {}
func (*spreading) Checkpoint(int, []byte) error { return nil }
