package typed

import (
	"context"
	"iter"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/diagnose"
	"github.com/sgppl/sgppl/runtime/sampler"
	"github.com/sgppl/sgppl/runtime/target"
)

// A Draw is one draw of a chain, as Constrain writes it.
type Draw struct {
	Chain, Index int
	Values       []float64
}

// Each runs the chains in turn, one draw of each at a time, and yields the
// draws. Values is good until the next one. The last pair has the error, if
// there is one.
func Each(ctx context.Context, t target.Target, c sampler.Config) iter.Seq2[Draw, error] {
	return func(yield func(Draw, error) bool) {
		c, err := c.Resolve(t)
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
		values := make([]float64, t.OutputLen())
		for index := range c.Draws {
			for i, chain := range chains {
				if err := advance(ctx, chain, c.Warmup+(index+1)*c.Thin); err != nil {
					yield(Draw{}, err)
					return
				}
				chain.Constrain(values)
				if !yield(Draw{Chain: i, Index: int(index), Values: values}, nil) {
					return
				}
			}
		}
	}
}

// advance steps a chain until it has taken so many steps.
func advance(ctx context.Context, chain *sampler.Chain, steps int64) error {
	for chain.Steps() < steps {
		if chain.Steps()%64 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if err := chain.Step(); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// A Set holds all draws of a run in memory.
type Set struct {
	outputs []target.Output
	width   int
	chains  [][]float64 // draws one after another
	draws   int
}

// Collect runs the chains side by side and keeps their draws.
func Collect(ctx context.Context, t target.Target, c sampler.Config) (*Set, error) {
	c, err := c.Resolve(t)
	if err != nil {
		return nil, err
	}
	c.SaveWarmup = false
	s := &Set{outputs: t.Outputs(), width: t.OutputLen(), draws: int(c.Draws)}
	for range c.Chains {
		s.chains = append(s.chains, make([]float64, s.draws*s.width))
	}
	_, err = sampler.Run(ctx, t, c, (*sink)(s), sampler.RunOptions{})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// A sink writes draws into a set: each chain into its own array.
type sink Set

func (s *sink) Draw(chain int, index int64, out []float64, _ *sampler.Stats) error {
	copy(s.chains[chain][int(index)*s.width:], out)
	return nil
}

func (s *sink) Progress(sampler.Progress) {}

func (s *sink) Checkpoint(int, []byte) error { return nil }

// Chains is the number of chains.
func (s *Set) Chains() int { return len(s.chains) }

// Len is the number of draws of a chain.
func (s *Set) Len() int { return s.draws }

// Draw returns a draw; its values are part of the set.
func (s *Set) Draw(chain, index int) Draw {
	return Draw{Chain: chain, Index: index, Values: s.chains[chain][index*s.width:][:s.width]}
}

// Mean returns the mean of every number over all draws.
func (s *Set) Mean() []float64 {
	out := make([]float64, s.width)
	for _, c := range s.chains {
		for i, v := range c {
			out[i%s.width] += v
		}
	}
	for i := range out {
		out[i] /= float64(len(s.chains) * s.draws)
	}
	return out
}

// A Row summarises the draws of one number.
type Row struct {
	Name string // such as w[0,1]
	diagnose.Summary
}

// Summary has a row for every number of a draw.
func (s *Set) Summary() []Row {
	rows := make([]Row, 0, s.width)
	chains := make([][]float64, len(s.chains))
	for _, o := range s.outputs {
		at := make([]int, len(o.Shape))
		for k := range o.Len {
			for c := range chains {
				chains[c] = chains[c][:0]
				for i := range s.draws {
					chains[c] = append(chains[c], s.chains[c][i*s.width+o.Offset+k])
				}
			}
			rows = append(rows, Row{o.Name + subscript(at), diagnose.Summarize(chains)})
			for i := len(at) - 1; i >= 0; i-- {
				if at[i]++; at[i] < o.Shape[i] {
					break
				}
				at[i] = 0
			}
		}
	}
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
