package model

import (
	"math"
	"slices"
	"sync"

	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// locals draws the latent values of the rows of an evaluator's minibatch.
type locals struct {
	e       *Evaluator
	options target.LocalOptions
	seed    uint64
	chain   int
	stream  rng.Stream
	visit   uint64
	adapt   bool
	workers []*localWorker
	localPlaces
	localTuning
	localDraws
}

// localPlaces are places in Spec.Data: of the steps of links that have them, of the acceptance
// of these, and of all that a chain gives out.
type localPlaces struct {
	steps, accepted, results []int
	random                   []randomLaw
}

// localTuning is what the chains of rows know of their steps.
type localTuning struct {
	// state is what a checkpoint holds. It begins by the number of the visit whose
	// gradient was wanted last, from 1; its parts are, of each step, its log and how
	// often it was tuned, now and when that visit began, and the point of the params then:
	// all evaluations of a visit take the draws at that point.
	state             []float64
	tuned, before, at []float64
	fresh             bool      // no gradient was wanted at this visit yet
	tuning            bool      // this one tunes
	current           []float64 // the steps that workers take
}

// localDraws are the draws of the rows of a minibatch.
type localDraws struct {
	rows  []int // of the block that was drawn last
	batch []int // of the minibatch whose blocks were drawn
	// all of it was, for this visit: its draws lie in the frame where it is one block, else in
	// store
	drawn bool
	store [][]float64 // by result, the draws of the minibatch, block after block
	taken []int       // likewise, how much of them the blocks before have taken
}

// A localWorker draws for one row, or a few rows of one shape, at a time.
type localWorker struct {
	of   *locals
	e    *Evaluator // for the data of its rows
	f    Func
	one  [1]int
	room [2][]float64 // by law
}

// chainDims adds the dims that a run chooses to those of the data.
func chainDims(dims map[string]int, o target.LocalOptions) map[string]int {
	out := map[string]int{}
	for name, n := range dims {
		out[name] = n
	}
	out[BurnDim], out[KeptDim], out[ThinDim], out[LeapsDim] = o.BurnIn, o.Kept, o.Thin, o.Leapfrog
	return out
}

// Locals implements target.LocalEvaluator.
func (e *Evaluator) Locals(o target.LocalOptions, seed uint64, chain int) {
	if e.m.Spec.Chain == nil {
		return
	}
	o = o.Filled()
	e.dims = chainDims(e.m.Dims, o)
	e.funcs, e.gradient, e.density = map[fn.ID]Func{}, nil, nil
	e.makeRoom()
	l := &locals{e: e, options: o, seed: seed, chain: chain,
		stream: rng.New(seed, chain, rng.Local)}
	for _, k := range e.m.Spec.Chain.Links {
		l.results = append(l.results, e.m.filled(k.Value))
		if k.Step != "" {
			for _, name := range [][2]string{{k.Step, k.Accepted}, {k.FirstStep, k.FirstAccepted}} {
				l.steps, l.accepted = append(l.steps, e.m.filled(name[0])),
					append(l.accepted, e.m.filled(name[1]))
				l.results = append(l.results, e.m.filled(name[1]))
			}
		}
	}
	n := 2 * len(l.steps)
	l.state, l.fresh = make([]float64, 1+2*n+e.m.dim), true
	l.tuned, l.before, l.at = l.state[1:1+n], l.state[1+n:1+2*n], l.state[1+2*n:]
	for i := range l.steps {
		l.tuned[2*i] = math.Log(0.1)
	}
	l.current = l.tuned
	l.randomLaws()
	l.hire(o.Threads, e.dims)
	e.locals = l
}

// hire makes the workers.
func (l *locals) hire(n int, dims map[string]int) {
	for range max(n, 1) {
		w := &localWorker{of: l, e: l.e.m.rowEvaluator(dims)}
		w.f = w.e.fn(fn.Locals.ID())
		l.workers = append(l.workers, w)
	}
}

// Visit implements target.LocalEvaluator.
func (e *Evaluator) Visit(v uint64, adapt bool) {
	if l := e.locals; l != nil {
		l.drawn = l.drawn && l.visit == v
		l.visit, l.adapt = v, adapt
		l.fresh = l.state[0] != float64(v+1)
	}
}

// LocalState implements target.LocalEvaluator.
func (e *Evaluator) LocalState() []float64 {
	if e.locals == nil {
		return nil
	}
	return e.locals.state
}

// begin and end are around the evaluation of a gradient at x.
func (l *locals) begin(x []float64) {
	if l.fresh {
		l.state[0] = float64(l.visit + 1)
		copy(l.before, l.tuned)
		copy(l.at, x)
		l.tuning, l.drawn = l.adapt, false
	}
}

func (l *locals) end() { l.fresh, l.tuning = false, false }

// filled are the places in Spec.Data of what chains read and write by row.
func (m *Model) filled(name string) int {
	return slices.IndexFunc(m.Spec.Data, func(d Datum) bool { return d.Filled && d.Name == name })
}

// draw runs the chains of rows start to start+count of a call, at x. The draws of
// a minibatch are kept for its next evaluations.
func (l *locals) draw(x []float64, rows []int, start, count int) {
	if rows != nil && l.drawn && slices.Equal(l.batch, rows) {
		l.recall(start, count)
		return
	}
	if start == 0 {
		l.drawn, l.batch = false, append(l.batch[:0], rows...)
	}
	steps, keep := l.tuned, rows != nil && l.state[0] == float64(l.visit+1)
	if keep {
		x, steps = l.at, l.before
	}
	l.current = steps
	l.rows = l.rows[:0]
	for k := start; k < start+count; k++ {
		if rows == nil {
			l.rows = append(l.rows, k)
		} else {
			l.rows = append(l.rows, rows[k])
		}
	}
	if n := min(len(l.workers), count); n > 1 {
		l.share(x, n)
	} else {
		l.workers[0].draw(x, 0, count)
	}
	for i, at := range l.accepted {
		sum := 0.0
		for _, a := range l.e.frame.Dense[at][:count] {
			sum += a
		}
		if burnIn := i%2 == 1; l.tuning && !(burnIn && l.options.BurnIn == 0) {
			l.tune(i, sum/float64(count))
		}
	}
	if keep {
		l.keep(start, count)
		l.drawn = start+count == len(rows)
	}
}

// keep stores the draws of a block that is not the whole minibatch. Blocks may have
// rows of other lengths.
func (l *locals) keep(start, count int) {
	if count == len(l.batch) {
		return
	}
	if l.store == nil {
		l.store, l.taken = make([][]float64, len(l.e.m.Spec.Data)),
			make([]int, len(l.e.m.Spec.Data))
	}
	for _, i := range l.results {
		if start == 0 {
			l.store[i] = l.store[i][:0]
		}
		l.store[i] = append(l.store[i], l.e.frame.Dense[i][:count*l.e.buffers[i].Width]...)
	}
}

// recall puts the draws of a block into the frame; blocks come in their order.
func (l *locals) recall(start, count int) {
	if count == len(l.batch) {
		return
	}
	for _, i := range l.results {
		if start == 0 {
			l.taken[i] = 0
		}
		n := count * l.e.buffers[i].Width
		copy(l.e.frame.Dense[i], l.store[i][l.taken[i]:][:n])
		l.taken[i] += n
	}
}

// share has n workers draw at the same time.
func (l *locals) share(x []float64, n int) {
	var wait sync.WaitGroup
	for w := range n {
		wait.Go(func() { l.workers[w].draw(x, len(l.rows)*w/n, len(l.rows)*(w+1)/n) })
	}
	wait.Wait()
}

// tune moves the step of a link towards the acceptance that is wanted, by
// stochastic approximation (Robbins and Monro 1951).
func (l *locals) tune(i int, accept float64) {
	log, n := &l.tuned[2*i], &l.tuned[2*i+1]
	*log += 2 / math.Pow(*n+3, 0.6) * (accept - TargetAccept)
	*n++
}

// draw draws for the rows of the batch from one to another.
func (w *localWorker) draw(x []float64, from, to int) {
	w.begin(x)
	for k := from; k < to; k++ {
		w.row(w.of.rows[k], k)
	}
}

// begin prepares the chains of all rows at x.
func (w *localWorker) begin(x []float64) {
	e, l := w.e, w.of
	for i, at := range l.steps {
		e.frame.Dense[at][0] = math.Exp(l.current[2*i])
	}
	e.frame.X, e.frame.Out = x, nil
	e.prepare(w.f)
}

// row draws for a row, the k-th of the batch, and puts the draws there.
func (w *localWorker) row(row, k int) {
	w.run(row)
	e, l := w.e, w.of
	for _, i := range l.results {
		to := l.e.frame.Dense[i][k*l.e.buffers[i].Width : (k+1)*l.e.buffers[i].Width]
		n := copy(to, e.frame.Dense[i][:e.buffers[i].Width])
		clear(to[n:])
	}
}

// run draws for a row; the draws lie in the worker's frame.
func (w *localWorker) run(row int) {
	e, l := w.e, w.of
	w.one[0] = row
	if e.trim != nil {
		e.trimTo(w.f, w.one[:])
	}
	e.block(w.one[:], 0, 1)
	for i := range l.random {
		l.random[i].fill(w, l.visit*e.m.visits()+uint64(l.e.number(row)))
	}
	w.f.Rows(&e.frame)
}

// A randomLaw is what has one law of the random numbers of a row.
type randomLaw struct {
	at   []int // places in Spec.Data
	fill func(w *localWorker, moment uint64)
}

// randomLaws gathers the random numbers of a chain by law. Those of one law are
// one sequence for a row.
func (l *locals) randomLaws() {
	for law, draw := range []func(rng.Stream, uint64, []float64){rng.Stream.Uniforms,
		rng.Stream.Normals} {
		var at []int
		for _, r := range l.e.m.Spec.Chain.Random {
			if r.Law == [...]string{"uniform", "normal"}[law] {
				at = append(at, l.e.m.filled(r.Name))
			}
		}
		l.random = append(l.random, randomLaw{at, func(w *localWorker, moment uint64) {
			n := 0
			for _, i := range at {
				n += w.e.buffers[i].Width
			}
			room := slices.Grow(w.room[law][:0], n)[:n]
			w.room[law] = room
			draw(l.stream, moment, room)
			for _, i := range at {
				w.e.frame.Dense[i], room = room[:w.e.buffers[i].Width], room[w.e.buffers[i].Width:]
			}
		}})
	}
}
