package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// runDraws are the draws of a run that a command uses: as many of every chain,
// evenly spread.
type runDraws struct {
	Chains, Each int // used; Each of every chain

	dir    string
	store  *trace.Store
	common int
	chosen *run.Chosen
	model  *model.Model
	eval   interface{ Unconstrain(out, x []float64) error }
	vars   []trace.Variable
	at     []int // where the variables stand in a draw's values
	buf    [][]float64
	stop   *stopper
	loaded [3]int // chain, first and last + 1 of the draws in buf
	chain  int    // of the store, the first one used
	first  int    // draw of the store
}

// A choice says which draws of a run a command uses.
type choice struct {
	Limit int // at most so many; 0: all
	// Of a run of optimize: which point, "" is the best; and of all chains, not
	// only of the one with the best of them.
	Point     string
	AllChains bool
}

// A drawn is a draw of a run as a state.
type drawn struct {
	Chain, Draw int // as the run counts them, of one point alone the chain as 0
	X           []float64
}

// openDraws opens draws of a run for a model that has its parameters. what
// says what needs them.
func openDraws(dir string, r *run.Record, m *model.Model, c choice, what string) (*runDraws, error) {
	d := &runDraws{dir: dir, model: m, eval: m.NewEvaluator(1)}
	if err := d.open(r, c); err != nil {
		return nil, err
	}
	store, limit := d.store, c.Limit
	if limit > 0 && limit < d.Chains*d.Each {
		d.Chains = min(d.Chains, limit)
		d.Each = min(limit/d.Chains, d.common-d.first)
	}
	for _, o := range m.Outputs() {
		if o.Track {
			continue
		}
		v, ok := store.Lookup("posterior", o.Name)
		if _, moments := store.Lookup(run.MomentsGroup, "count"); !ok && moments && len(storedDraws(store)) == 0 {
			return nil, fail(exitData, "%s holds means and variances instead of draws (--keep moments), and %s needs draws: --reservoir R or --keep last=K beside it stores some, and --held-out SPEC averages predictions while a run goes on", dir, what)
		}
		if !ok || v.Len() != o.Len {
			return nil, fail(exitData, "%s does not hold %s, which %s needs: the run stored only what --keep named", dir, o.Name, what)
		}
		d.vars, d.at = append(d.vars, v), append(d.at, o.Offset)
	}
	return d, nil
}

// open opens the store that has the draws, and finds which of its chains and
// draws they are.
func (d *runDraws) open(r *run.Record, c choice) error {
	path, first, end := run.Draws(d.dir), 0, -1
	switch {
	case r.Optimize == nil && (c.Point != "" || c.AllChains):
		return usage("--point and --all-chains are of runs of `sgppl optimize`, and %s is one of sample: all its draws are used", d.dir)
	case c.Point != "":
		var ok bool
		if path, first, end, ok = run.PointStore(d.dir, r, c.Point); !ok && slices.Contains(run.PointNames(), c.Point) {
			return fail(exitData, "%s has no %s: `sgppl optimize --iterates K` stores some", d.dir, c.Point)
		} else if !ok {
			return usage("--point %s: one of %s", c.Point, strings.Join(run.PointNames(), ", "))
		}
	}
	var err error
	if path == run.Draws(d.dir) {
		d.store, err = run.OpenDraws(d.dir, r)
	} else {
		d.store, err = run.OpenStore(path, r)
	}
	if err != nil {
		return notOpened(d.dir, r, err)
	}
	if d.chosen, err = run.Choose(d.store, r, false); err != nil {
		return ownStatus(err)
	}
	if d.common, err = d.store.Common(); err != nil {
		return fail(exitFiles, "%v", err)
	}
	if end >= 0 {
		d.common = min(d.common, end)
	}
	if d.chosen.Each == 0 && r.Optimize == nil || d.common <= first || d.store.Chains() == 0 {
		return noDraws(d.dir)
	}
	d.first, d.Chains, d.Each = first, d.store.Chains(), d.common-first
	if r.Optimize != nil && !c.AllChains {
		d.chain, d.Chains = max(r.BestChain(), 0), 1
	}
	return nil
}

// storedDraws are the arrays of draws of a run.
func storedDraws(store *trace.Store) []trace.Variable {
	var out []trace.Variable
	for _, v := range store.Variables() {
		if v.Group == "posterior" && !v.Static {
			out = append(out, v)
		}
	}
	return out
}

// Total is the number of draws.
func (d *runDraws) Total() int { return d.Chains * d.Each }

// numbers are those by which the run knows the chains that are used; nil where they
// count 0, 1, ….
func (d *runDraws) numbers() []int {
	if len(d.chosen.Used) == len(d.chosen.Draws) {
		return nil
	}
	return d.store.Numbers()[d.chain : d.chain+d.Chains]
}

// read is draw i of all, counted through the chains.
func (d *runDraws) read(i int) (drawn, error) {
	chain, k := i/d.Each, i%d.Each
	if err := d.stop.err(); err != nil {
		return drawn{}, err
	}
	p := drawn{d.store.Number(chain), d.first + int((2*int64(k)+1)*int64(d.common-d.first)/(2*int64(d.Each))), make([]float64, d.model.Dim())}
	if err := d.load(chain, p.Draw); err != nil {
		return p, fail(exitFiles, "%v", err)
	}
	out := make([]float64, d.model.OutputLen())
	for j, v := range d.vars {
		n := v.Len()
		copy(out[d.at[j]:d.at[j]+n], d.buf[j][(p.Draw-d.loaded[1])*n:])
	}
	if err := d.eval.Unconstrain(out, p.X); err != nil {
		return p, fail(exitData, "draw %d of chain %d cannot be evaluated: %v", p.Draw, p.Chain, err)
	}
	return p, nil
}

// load reads the draws around one: a file holds many.
func (d *runDraws) load(chain, draw int) error {
	if d.buf != nil && chain == d.loaded[0] && draw >= d.loaded[1] && draw < d.loaded[2] {
		return nil
	}
	if d.buf == nil {
		d.buf = make([][]float64, len(d.vars))
	}
	block := max(1, min(512, (1<<20)/max(1, d.model.OutputLen())))
	from := draw - draw%block
	to := min(from+block, d.common)
	for j, v := range d.vars {
		if n := (to - from) * v.Len(); cap(d.buf[j]) < n {
			d.buf[j] = make([]float64, n)
		}
		d.buf[j] = d.buf[j][:(to-from)*v.Len()]
		if err := d.store.ReadDraws(v, d.chain+chain, from, to, d.buf[j]); err != nil {
			d.buf = nil
			return err
		}
	}
	d.loaded = [3]int{chain, from, to}
	return nil
}

// note says that a run is not complete, or has not stored all its draws.
func (d *runDraws) note(e *env, r *run.Record) {
	noteStored(e, r, d.common)
	if r.Optimize != nil && r.Status != run.Done {
		e.note("the run is not complete (%s): these are its points so far", r.Status)
	} else if r.Status != run.Done {
		e.note("the run is not complete (%s): %s", r.Status, d.chosen)
	}
}

// noteStored says which draws a run has, where these are not all.
func noteStored(e *env, r *run.Record, stored int) {
	switch {
	case r.Optimize != nil || int64(stored) >= r.Settings.Draws:
	case r.Reservoir > 0:
		e.note("of the %d draws of each chain the run stored %d, evenly spread (--reservoir): by those", r.Settings.Draws, stored)
	case r.KeepLast > 0:
		e.note("of the %d draws of each chain the run stored the last %d (--keep last): by those", r.Settings.Draws, stored)
	}
}

// threadsOf is how many workers n pieces of work get; 0 is as many as there
// are processors.
func threadsOf(threads, n int) int {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	return max(1, min(threads, n))
}

// each calls work for every draw, in several goroutines, worker by worker with
// room for width numbers, and take with what it wrote, in the order of the draws.
func (d *runDraws) each(threads, width int, work func(worker int, p drawn, out []float64) error, take func(p drawn, out []float64) error) error {
	threads = threadsOf(threads, d.Total())
	points, outs, errs := make([]drawn, threads), make([][]float64, threads), make([]error, threads)
	for i := range outs {
		outs[i] = make([]float64, width)
	}
	for from := 0; from < d.Total(); from += threads {
		n := min(threads, d.Total()-from)
		for i := range n {
			var err error
			if points[i], err = d.read(from + i); err != nil {
				return err
			}
		}
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() { errs[i] = work(i, points[i], outs[i]) })
		}
		wg.Wait()
		if err := d.stop.err(); err != nil { // what was drawn may be cut short
			return err
		}
		for i := range n {
			if errs[i] != nil {
				return errs[i]
			}
			if err := take(points[i], outs[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// notOpened is the error of a store that cannot be opened: that of a run without
// draws where the run stopped before its store was made.
func notOpened(dir string, r *run.Record, err error) error {
	points, _ := filepath.Glob(filepath.Join(dir, "chain-*.ckpt"))
	if r.Status != run.Done && len(points) == 0 && errors.Is(err, fs.ErrNotExist) {
		return noDraws(dir)
	}
	return ownStatus(err)
}

// noDraws refuses a run that has no draws to work on, with what would give some.
func noDraws(dir string) error {
	r, err := run.Read(dir)
	what := "draws"
	if err == nil && r.Optimize != nil {
		what = "points"
	}
	switch {
	case err != nil:
		return ownStatus(err)
	case r.Status == run.Done:
		return fail(exitFiles, "%s has no %s", dir, what)
	case r.Status == run.Failed:
		if !r.Resumable() {
			return fail(exitFiles, "%s has no %s: it failed before the first of any chain: %s. --resume would fail again at the same step: start a new run with other settings", dir, what, r.Error)
		}
		return fail(exitFiles, "%s has no %s: it failed before the first of any chain: %s. When that is mended, go on with: sgppl %s --resume %s", dir, what, r.Error, command(r), dir)
	}
	return fail(exitFiles, "%s has no %s yet (%s). If no process works on it, go on with: sgppl %s --resume %s", dir, what, r.Status, command(r), dir)
}
