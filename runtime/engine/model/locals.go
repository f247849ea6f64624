package model

import (
	"slices"
	"sync"

	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A locals draws the latent values of the rows of an evaluator's minibatch.
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

// A localPlaces holds indices in Spec.Data: of the step sizes of links that have one, of the
// acceptance rates of these links, and of all outputs of a chain.
type localPlaces struct {
	steps, accepted, results []int
	random                   []randomLaw
}

// A localTuning holds the step sizes of the chains of rows and the state of their tuning.
type localTuning struct {
	// state is saved in checkpoints. Its first number is 1 plus the number of the last visit in which
	// a gradient was computed. Then come, for each step size, its logarithm and the number of its
	// updates, first the current values (tuned), then the values at the beginning of that visit
	// (before). The last part is the state of the params at that beginning (at). All evaluations of a
	// visit use the draws at that state.
	state             []float64
	tuned, before, at []float64
	fresh             bool      // no gradient has been computed yet in this visit
	tuning            bool      // the current gradient tunes the step sizes
	current           []float64 // log step sizes that workers use, in the layout of tuned
}

// A localDraws holds the draws of the rows of a minibatch.
type localDraws struct {
	rows  []int // the rows of the block that was drawn last
	batch []int // the rows of the minibatch whose blocks were drawn
	// drawn reports that the whole minibatch was drawn in this visit. The draws are in the frame if
	// the minibatch has one block, otherwise in store.
	drawn bool
	store [][]float64 // by index of Spec.Data: the draws of the minibatch, block after block
	taken []int       // by index of Spec.Data: how many numbers of store the previous blocks have read
}

// A localWorker draws for a few rows at a time, or for one where rows have lengths of their own.
// The draws for a row do not depend on those that are drawn with it.
type localWorker struct {
	of  *locals
	e   *Evaluator // for the data of its rows
	f   Func
	one [1]int
	// moments are where the random numbers of the rows are in the stream.
	moments []uint64
	// ready reports that the chains are prepared at the state of the call.
	ready bool
	room  [2][]float64 // random numbers by law: uniform, normal
}

// chainDims returns the dims of the data together with the dims that the options of a run set.
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
		l.tuned[2*i] = special.Log(0.1)
	}
	l.current = l.tuned
	l.randomLaws()
	l.hire(o.Threads, e.dims)
	e.locals = l
}

// hire makes n workers, at least one.
func (l *locals) hire(n int, dims map[string]int) {
	for range max(n, 1) {
		w := &localWorker{of: l, e: l.e.m.rowEvaluator(dims, 1)}
		if n := w.together(); n > 1 {
			w.e = l.e.m.rowEvaluator(dims, n)
		}
		w.f = w.e.fn(fn.Locals.ID())
		l.workers = append(l.workers, w)
	}
}

// rowsTogether is the most rows that a worker draws for at a time: enough that a kernel is called
// for many numbers, few enough that these stay in the near caches.
const rowsTogether = 32

// togetherNumbers is about how many numbers the data have that are filled in for rows drawn
// together.
const togetherNumbers = 1 << 16

// together returns how many rows the worker, which has room for one, may draw for at a time.
func (w *localWorker) together() int {
	if w.e.trim != nil {
		return 1
	}
	width := 1
	for i, d := range w.e.m.Spec.Data {
		if d.Filled && d.Rows {
			width += w.e.buffers[i].Width
		}
	}
	return max(1, min(rowsTogether, togetherNumbers/width, w.e.m.rows))
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

// begin is called before the evaluation of a gradient at x, and end after it.
func (l *locals) begin(x []float64) {
	if l.fresh {
		l.state[0] = float64(l.visit + 1)
		copy(l.before, l.tuned)
		copy(l.at, x)
		l.tuning, l.drawn = l.adapt, false
	}
}

func (l *locals) end() { l.fresh, l.tuning = false, false }

// filled returns the index in Spec.Data of a datum that evaluators fill; −1 if there is none.
func (m *Model) filled(name string) int {
	return slices.IndexFunc(m.Spec.Data, func(d Datum) bool { return d.Filled && d.Name == name })
}

// draw runs the chains of rows start to start+count of a call, at x. It keeps the draws of a
// minibatch for its next evaluations.
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
	if start == 0 || !keep && len(l.steps) > 0 { // the blocks of a call have one state
		for _, w := range l.workers {
			w.ready = false
		}
	}
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

// keep stores the draws of a block, unless the block is the whole minibatch. The rows of different
// blocks may have different lengths.
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

// recall copies the stored draws of a block into the frame. Blocks must be recalled in order.
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

// share divides the rows among n workers that draw in parallel.
func (l *locals) share(x []float64, n int) {
	var wait sync.WaitGroup
	for w := range n {
		wait.Go(func() { l.workers[w].draw(x, len(l.rows)*w/n, len(l.rows)*(w+1)/n) })
	}
	wait.Wait()
}

// tune updates the step size of a link towards the target acceptance rate by stochastic
// approximation (Robbins and Monro 1951).
func (l *locals) tune(i int, accept float64) {
	log, n := &l.tuned[2*i], &l.tuned[2*i+1]
	*log += float64(2 / special.Pow(*n+3, 0.6) * (accept - TargetAccept))
	*n++
}

// draw draws for the rows of the batch with indices from, …, to − 1.
func (w *localWorker) draw(x []float64, from, to int) {
	if !w.ready {
		w.begin(x)
		w.ready = true
	}
	parts := (to - from + w.e.capacity - 1) / w.e.capacity // of nearly equal size
	for k := range parts {
		w.rows(from+(to-from)*k/parts, from+(to-from)*(k+1)/parts)
	}
}

// begin prepares the chains of all rows at x.
func (w *localWorker) begin(x []float64) {
	e, l := w.e, w.of
	for i, at := range l.steps {
		e.frame.Dense[at][0] = special.Exp(l.current[2*i])
	}
	e.frame.X, e.frame.Out = x, nil
	e.prepare(w.f)
}

// rows draws for the rows with indices from, …, to − 1 in the batch, and copies the draws to the
// frame of the evaluator.
func (w *localWorker) rows(from, to int) {
	w.runAll(w.of.rows[from:to])
	e, l := w.e, w.of
	for k := from; k < to; k++ {
		for _, i := range l.results {
			to := l.e.frame.Dense[i][k*l.e.buffers[i].Width : (k+1)*l.e.buffers[i].Width]
			own := e.buffers[i].Width
			n := copy(to, e.frame.Dense[i][(k-from)*own:][:own])
			clear(to[n:])
		}
	}
}

// run draws for one row and leaves the draws in the frame of the worker.
func (w *localWorker) run(row int) {
	w.one[0] = row
	w.runAll(w.one[:])
}

// runAll draws for rows, of which there are no more than the worker has room for, and leaves the
// draws in the frame of the worker.
func (w *localWorker) runAll(rows []int) {
	e, l := w.e, w.of
	if e.trim != nil {
		e.trimTo(w.f, rows)
	}
	e.block(rows, 0, len(rows))
	w.moments = w.moments[:0]
	for _, row := range rows {
		w.moments = append(w.moments, l.visit*e.m.visits()+uint64(l.e.number(row)))
	}
	for i := range l.random {
		l.random[i].fill(w)
	}
	w.f.Rows(&e.frame)
}

// A randomLaw fills the random numbers of rows that have the same distribution.
type randomLaw struct {
	at   []int // indices in Spec.Data
	fill func(w *localWorker)
}

// randomLaws groups the random numbers of a chain by their distribution. For each row, the numbers
// of one distribution form one sequence.
func (l *locals) randomLaws() {
	for law, draw := range []func(rng.Stream, uint64, []float64){rng.Stream.Uniforms,
		rng.Stream.Normals} {
		var at []int
		for _, r := range l.e.m.Spec.Chain.Random {
			if r.Law == [...]string{"uniform", "normal"}[law] {
				at = append(at, l.e.m.filled(r.Name))
			}
		}
		l.random = append(l.random, randomLaw{at, func(w *localWorker) {
			n := 0
			for _, i := range at {
				n += w.e.buffers[i].Width
			}
			rows := len(w.moments)
			all := slices.Grow(w.room[law][:0], (rows+1)*n)[:(rows+1)*n]
			w.room[law] = all
			room := all[:rows*n]
			for _, i := range at {
				width := rows * w.e.buffers[i].Width
				w.e.frame.Dense[i], room = room[:width], room[width:]
			}
			if rows == 1 { // the numbers of a row are in the order of the data
				draw(l.stream, w.moments[0], all[:n])
				return
			}
			for k, moment := range w.moments {
				row := all[rows*n:]
				draw(l.stream, moment, row)
				for _, i := range at {
					width := w.e.buffers[i].Width
					copy(w.e.frame.Dense[i][k*width:][:width], row)
					row = row[width:]
				}
			}
		}})
	}
}
