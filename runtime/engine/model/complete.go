package model

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// A Completion predicts entries of rows from other, known entries. It draws the latent values that
// the entries of a row share, given the known entries. The probability of each other entry is
// averaged over the draws. A Completion is immutable.
type Completion struct {
	observed, scored *Model
	// for each number that evaluators write: how many entries it represents; 0 for padding
	weight []float64
	sites  []int // for each number: its index in Spec.Entries of scored
	at     []int // the offset of each row, followed by the total
}

// Tuning of the step sizes of trajectories before anything is scored: how often it updates them,
// and on how many rows.
const (
	tuneVisits = 60
	tuneRows   = 16
)

// NewCompletion joins two bindings of the same rows. The model observed has the known entries and
// the function locals. The model scored has the other entries and the functions "completion I" and
// "entries I" of Spec.Entries. It returns an error if the rows or their latent values differ in
// size.
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

// Width returns how many numbers an evaluator writes, for entries and for padding.
func (c *Completion) Width() int { return len(c.weight) }

// Rows returns the number of rows.
func (c *Completion) Rows() int { return c.scored.rows }

// Entry returns the index in Spec.Entries of the i-th number and how many entries the number
// represents: 0 for padding, and the number of occurrences for a word of a bag of words.
func (c *Completion) Entry(i int) (site int, weight float64) { return c.sites[i], c.weight[i] }

// Spec describes the model of the entries to be scored.
func (c *Completion) Spec() *Spec { return c.scored.Spec }

// Tuned returns the tuning of the step sizes of trajectories at a state, computed once for all
// evaluators and passed to Eval. It is empty if no local uses trajectories.
func (c *Completion) Tuned(x []float64, o target.LocalOptions, seed uint64) []float64 {
	return c.observed.tunedSteps(x, o, seed, func() bool { return false })
}

// A CompletionEvaluator scores entries in one goroutine.
type CompletionEvaluator struct {
	c          *Completion
	chain      *localWorker
	scored     *Evaluator
	funcs      []Func
	here       []Func
	from, fill []int // indices of the latent values in Spec.Data of observed and of scored
	one        [1]int
}

// Evaluator returns a new evaluator. Its draws are a function of the seed, the row and the visit
// number.
func (c *Completion) Evaluator(o target.LocalOptions, seed uint64) *CompletionEvaluator {
	o.Threads = 1
	parent := c.observed.Evaluator(1)
	parent.Locals(o, seed, 0)
	e := &CompletionEvaluator{c: c, chain: parent.locals.workers[0]}
	e.scored = c.scored.rowEvaluator(chainDims(c.scored.Dims, o.Filled()), 1)
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

// prepare sets the evaluator to a row and returns how many numbers the i-th of Spec.Entries has
// there.
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

// Eval writes the log probability of every entry at a state. The argument tuned is the result of
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
