package model

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// A Completion predicts entries of rows of which other entries are known: the
// latent values that the entries of a row share are drawn given those that are
// known, and the probability of each other entry is averaged over the draws.
// It is immutable.
type Completion struct {
	observed, scored *Model
	// of all numbers that evaluators write: how many entries each stands for, 0 of padding
	weight []float64
	sites  []int // likewise, the place in Scored's Spec.Entries
	at     []int // where rows begin
}

// tuning is how often the steps of trajectories are tuned before anything is
// scored, and over how many rows.
const (
	tuneVisits = 60
	tuneRows   = 16
)

// NewCompletion joins two bindings of the same rows: observed has the known
// entries and the function locals, scored the others and the functions
// "completion I" and "entries I" of Spec.Entries.
func NewCompletion(observed, scored *Model) (*Completion, error) {
	c := &Completion{observed: observed, scored: scored}
	if observed.rows != scored.rows {
		return nil, fmt.Errorf("there are %d rows with known entries and %d with entries to "+
			"score, and they are to be the same rows", observed.rows, scored.rows)
	}
	for _, d := range scored.Spec.Data {
		k := observed.filled(d.Name)
		if !d.Filled {
			continue
		}
		if k < 0 || product(d.Shape, scored.Dims)*observed.rows !=
			product(observed.Spec.Data[k].Shape, observed.Dims)*scored.rows {
			return nil, fmt.Errorf("a row has not the same latent values with its known entries "+
				"and with the others: %q", d.Name)
		}
	}
	e := c.Evaluator(target.LocalOptions{}, 0)
	x := make([]float64, scored.dim)
	for row := range scored.rows {
		c.at = append(c.at, len(c.weight))
		for i := range scored.Spec.Entries {
			n := e.prepare(e.here[i], row, i)
			out := make([]float64, n)
			e.scored.frame.X, e.scored.frame.Out = x, out
			e.here[i].Prepare(&e.scored.frame)
			e.here[i].Rows(&e.scored.frame)
			for _, v := range out {
				c.weight, c.sites = append(c.weight, v), append(c.sites, i)
			}
		}
	}
	c.at = append(c.at, len(c.weight))
	return c, nil
}

// Width is how many numbers an evaluator writes, of entries and of padding.
func (c *Completion) Width() int { return len(c.weight) }

// Rows is how many rows there are.
func (c *Completion) Rows() int { return c.scored.rows }

// Entry tells which of Spec.Entries the i-th number is of, and how many entries
// it stands for: 0 of padding, and of a bag of words how often the word occurs.
func (c *Completion) Entry(i int) (site int, weight float64) { return c.sites[i], c.weight[i] }

// Spec describes the model of the entries to be scored.
func (c *Completion) Spec() *Spec { return c.scored.Spec }

// Tuned are the logs of the steps of trajectories at a state, found once for
// all evaluators, which are given them; empty where none are needed.
func (c *Completion) Tuned(x []float64, o target.LocalOptions, seed uint64) []float64 {
	return c.observed.tunedSteps(x, o, seed, func() bool { return false })
}

// A CompletionEvaluator works in one goroutine.
type CompletionEvaluator struct {
	c          *Completion
	chain      *localWorker
	scored     *Evaluator
	funcs      []Func
	here       []Func
	from, fill []int // places of the latent values in the data of both
	one        [1]int
}

// Evaluator makes one. Its draws are a function of the seed, the row and the visit number.
func (c *Completion) Evaluator(o target.LocalOptions, seed uint64) *CompletionEvaluator {
	o.Threads = 1
	parent := c.observed.Evaluator(1)
	parent.Locals(o, seed, 0)
	e := &CompletionEvaluator{c: c, chain: parent.locals.workers[0]}
	e.scored = c.scored.rowEvaluator(chainDims(c.scored.Dims, o.Filled()))
	for i := range c.scored.Spec.Entries {
		e.funcs = append(e.funcs, e.scored.fn(fn.Completion.At(i)))
		e.here = append(e.here, e.scored.fn(fn.Entries.At(i)))
	}
	for i, d := range c.scored.Spec.Data {
		if d.Filled {
			e.from, e.fill = append(e.from, c.observed.filled(d.Name)), append(e.fill, i)
		}
	}
	return e
}

// prepare points the evaluator at a row and returns how many numbers the i-th
// of Spec.Entries has there.
func (e *CompletionEvaluator) prepare(f Func, row, i int) int {
	s := e.scored
	e.one[0] = row
	dims := s.dims
	if s.trim != nil {
		s.trimTo(f, e.one[:])
		dims = s.trim.now
	}
	s.block(e.one[:], 0, 1)
	return product(e.c.scored.Spec.Entries[i].Shape, dims)
}

// Eval writes the log probability of every entry at a state. tuned are those of
// Tuned.
func (e *CompletionEvaluator) Eval(x []float64, visit uint64, tuned, out []float64) {
	w, s := e.chain, e.scored
	w.of.visit = visit
	copy(w.of.tuned, tuned)
	w.of.current = w.of.tuned
	w.begin(x)
	s.frame.X = x
	for _, f := range e.funcs {
		s.prepare(f)
	}
	shared := e.c.observed.Spec.Chain.Shared
	for row := range e.c.scored.rows {
		if !shared || row == 0 {
			w.run(row)
		}
		for k, i := range e.fill {
			s.frame.Dense[i] = w.e.frame.Dense[e.from[k]][:w.e.buffers[e.from[k]].Width]
		}
		at := e.c.at[row]
		for i, f := range e.funcs {
			n := e.prepare(f, row, i)
			s.frame.Out = out[at : at+n]
			f.Rows(&s.frame)
			at += n
		}
	}
}
