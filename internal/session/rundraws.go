package session

import (
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// RunDraws reads the draws of a run that a command uses: the same number from every chain, evenly
// spread.
type RunDraws struct {
	Chains, Each int // numbers of chains used, and of draws used of each

	dir    string
	Store  *trace.Store
	common int
	chosen *run.Chosen
	Model  *model.Model
	eval   interface{ Unconstrain(out, x []float64) error }
	vars   []trace.Variable
	at     []int // where the variables stand in a draw's values
	buf    [][]float64
	Stop   *Stopper
	choice Choice
	place  map[string]int // where params stand in a draw's values
	loaded [3]int         // chain, first and last + 1 of the draws in buf
	Chain  int            // of the store, the first one used
	first  int            // draw of the store
}

// A Choice says which draws of a run a command uses.
type Choice struct {
	Limit int // at most so many; 0: all
	// For a run of optimize: Point is the kind of point, "" for the best. AllChains uses the points of
	// all chains, not only of the chain with the best one.
	Point     string
	AllChains bool
	// New draws the unknowns of levels that the run does not have, by Seed; nil: there are none.
	New  *driver.NewLevels
	Seed uint64
}

// A Drawn is a draw of a run as a state in unconstrained coordinates.
type Drawn struct {
	Chain, Draw int // as the run counts them, of one point alone the chain as 0
	X           []float64
}

// OpenDraws opens the draws of a run for a model with its parameters. what names the command that
// needs them, for errors.
func OpenDraws(
	dir string, r *run.Record, m *model.Model, c Choice, what string,
) (*RunDraws, error) {
	d := &RunDraws{dir: dir, Model: m, eval: m.NewEvaluator(1), choice: c, place: map[string]int{}}
	if err := d.open(r, c); err != nil {
		return nil, err
	}
	store, limit := d.Store, c.Limit
	if limit > 0 && limit < d.Chains*d.Each {
		d.Chains = min(d.Chains, limit)
		d.Each = min(limit/d.Chains, d.common-d.first)
	}
	for _, o := range m.Outputs() {
		if o.Track {
			continue
		}
		v, ok := store.Lookup("posterior", o.Name)
		if _, moments := store.Lookup(run.MomentsGroup, "count"); !ok && moments &&
			len(StoredDraws(store)) == 0 {
			return nil, Failf(ExitData,
				"%s holds means and variances instead of draws (--keep moments), and %s needs "+
					"draws: --reservoir R or --keep last=K beside it stores some, and --held-out "+
					"SPEC averages predictions while a run goes on", dir, what)
		}
		want := o.Len
		if fitted, grown := c.New.Fitted(o.Name); grown {
			want = product(fitted)
		}
		d.place[o.Name] = o.Offset
		if !ok || v.Len() != want {
			return nil, Failf(ExitData,
				"%s does not hold %s, which %s needs: the run stored only what --keep named", dir,
				o.Name, what)
		}
		d.vars, d.at = append(d.vars, v), append(d.at, o.Offset)
	}
	return d, nil
}

// open opens the store with the draws and chooses the chains and draws to use.
func (d *RunDraws) open(r *run.Record, c Choice) error {
	path, first, end := run.Draws(d.dir), 0, -1
	switch {
	case r.Optimize == nil && (c.Point != "" || c.AllChains):
		return Usagef("--point and --all-chains are of runs of `sgppl optimize`, and %s is one "+
			"of sample: all its draws are used", d.dir)
	case c.Point != "":
		var ok bool
		if path, first, end, ok = run.PointStore(d.dir, r, c.Point); !ok &&
			slices.Contains(run.PointNames(), c.Point) {
			return Failf(ExitData, "%s has no %s: `sgppl optimize --iterates K` stores some",
				d.dir, c.Point)
		} else if !ok {
			return Usagef("--point %s: one of %s", c.Point, strings.Join(run.PointNames(), ", "))
		}
	}
	var err error
	if path == run.Draws(d.dir) {
		d.Store, err = run.OpenDraws(d.dir, r)
	} else {
		d.Store, err = run.OpenStore(path, r)
	}
	if err != nil {
		return notOpened(d.dir, r, err)
	}
	if d.chosen, err = run.Choose(d.Store, r, false); err != nil {
		return OwnStatus(err)
	}
	if d.common, err = d.Store.Common(); err != nil {
		return Failf(ExitFiles, "%v", err)
	}
	if end >= 0 {
		d.common = min(d.common, end)
	}
	if d.chosen.Each == 0 && r.Optimize == nil || d.common <= first || d.Store.Chains() == 0 {
		return NoDraws(d.dir)
	}
	d.first, d.Chains, d.Each = first, d.Store.Chains(), d.common-first
	if r.Optimize != nil && !r.Optimize.Ensemble && !c.AllChains {
		d.Chain, d.Chains = max(r.BestChain(), 0), 1
	}
	return nil
}

// StoredDraws are the arrays of draws of a run.
func StoredDraws(store *trace.Store) []trace.Variable {
	var out []trace.Variable
	for _, v := range store.Variables() {
		if v.Group == "posterior" && !v.Static {
			out = append(out, v)
		}
	}
	return out
}

// GeneratedDraws are the arrays that were generated for each draw of a run.
func GeneratedDraws(store *trace.Store) []trace.Variable {
	var out []trace.Variable
	for _, v := range store.Variables() {
		if v.Group == trace.GeneratedGroup {
			out = append(out, v)
		}
	}
	return out
}

// Total is the number of draws.
func (d *RunDraws) Total() int { return d.Chains * d.Each }

// Numbers returns the numbers in the run of the chains that are used; nil if run.Choose left out no
// chain.
func (d *RunDraws) Numbers() []int {
	if len(d.chosen.Used) == len(d.chosen.Draws) {
		return nil
	}
	return d.Store.Numbers()[d.Chain : d.Chain+d.Chains]
}

// Read returns draw i, counted chain by chain.
func (d *RunDraws) Read(i int) (Drawn, error) {
	chain, k := i/d.Each, i%d.Each
	if err := d.Stop.Err(); err != nil {
		return Drawn{}, err
	}
	p := Drawn{d.Store.Number(chain),
		d.first + int((2*int64(k)+1)*int64(d.common-d.first)/(2*int64(d.Each))),
		make([]float64, d.Model.Dim())}
	if err := d.load(chain, p.Draw); err != nil {
		return p, Failf(ExitFiles, "%v", err)
	}
	out := make([]float64, d.Model.OutputLen())
	for j, v := range d.vars {
		n := v.Len()
		from := d.buf[j][(p.Draw-d.loaded[1])*n:][:n]
		if _, grown := d.choice.New.Fitted(v.Name); grown {
			d.choice.New.Spread(v.Name, from, out[d.at[j]:])
			continue
		}
		copy(out[d.at[j]:d.at[j]+n], from)
	}
	if d.choice.New != nil {
		src := rng.New(d.choice.Seed, p.Chain, rng.Predict).At(newLevelsAt + uint64(p.Draw))
		if err := d.choice.New.Fill(out, d.place, src.Uint64()); err != nil {
			return p, Failf(ExitData, "draw %d of chain %d: new levels: %v", p.Draw, p.Chain, err)
		}
	}
	if err := d.eval.Unconstrain(out, p.X); err != nil {
		return p, Failf(ExitData, "draw %d of chain %d cannot be evaluated: %v",
			p.Draw, p.Chain, err)
	}
	return p, nil
}

// newLevelsAt is the offset of the random-number steps for new levels, which keeps them distinct
// from those of predictions.
const newLevelsAt = 1 << 62

func product(shape []int) int {
	n := 1
	for _, k := range shape {
		n *= k
	}
	return n
}

// load reads the draws around one: a file holds many.
func (d *RunDraws) load(chain, draw int) error {
	if d.buf != nil && chain == d.loaded[0] && draw >= d.loaded[1] && draw < d.loaded[2] {
		return nil
	}
	if d.buf == nil {
		d.buf = make([][]float64, len(d.vars))
	}
	block := max(1, min(512, (1<<20)/max(1, d.Model.OutputLen())))
	from := draw - draw%block
	to := min(from+block, d.common)
	for j, v := range d.vars {
		if n := (to - from) * v.Len(); cap(d.buf[j]) < n {
			d.buf[j] = make([]float64, n)
		}
		d.buf[j] = d.buf[j][:(to-from)*v.Len()]
		if err := d.Store.ReadDraws(v, d.Chain+chain, from, to, d.buf[j]); err != nil {
			d.buf = nil
			return err
		}
	}
	d.loaded = [3]int{chain, from, to}
	return nil
}

// Note says that a run is not complete, or has not stored all its draws.
func (d *RunDraws) Note(e *Session, r *run.Record) {
	if r.Version != sgppl.Version {
		e.Note("%s was made by sgppl %s; its model is read by this version, %s", d.dir, r.Version,
			sgppl.Version)
	}
	NoteStored(e, r, d.common)
	if r.Optimize != nil && r.Status != run.Done {
		e.Note("the run is not complete (%s): these are its points so far", r.Status)
	} else if r.Status != run.Done {
		e.Note("the run is not complete (%s): %s", r.Status, d.chosen)
	}
}

// NoteStored says which draws a run has, where these are not all.
func NoteStored(e *Session, r *run.Record, stored int) {
	switch {
	case r.Optimize != nil || int64(stored) >= r.Settings.Draws:
	case r.Reservoir > 0:
		e.Note("of the %d draws of each chain the run stored %d, evenly spread (--reservoir): by those",
			r.Settings.Draws, stored)
	case r.KeepLast > 0:
		e.Note("of the %d draws of each chain the run stored the last %d (--keep last): by those",
			r.Settings.Draws, stored)
	}
}

// ThreadsOf returns the number of workers for n pieces of work: threads, or the number of
// processors if threads is 0, but at most n.
func ThreadsOf(threads, n int) int {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	return max(1, min(threads, n))
}

// ForEach calls work for every draw, on several goroutines, and take with its output, in the order
// of the draws. out has width numbers. Calls of work with the same worker do not overlap.
func (d *RunDraws) ForEach(
	threads, width int, work func(worker int, p Drawn, out []float64) error,
	take func(p Drawn, out []float64) error,
) error {
	threads = ThreadsOf(threads, d.Total())
	points, outs, errs := make([]Drawn, threads), make([][]float64, threads), make([]error, threads)
	for i := range outs {
		outs[i] = make([]float64, width)
	}
	for from := 0; from < d.Total(); from += threads {
		n := min(threads, d.Total()-from)
		for i := range n {
			var err error
			if points[i], err = d.Read(from + i); err != nil {
				return err
			}
		}
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() { errs[i] = work(i, points[i], outs[i]) })
		}
		wg.Wait()
		if err := d.Stop.Err(); err != nil { // what was drawn may be cut short
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
		return NoDraws(dir)
	}
	return OwnStatus(err)
}

// NoDraws returns the error for a run without draws. It names the command that would give some.
func NoDraws(dir string) error {
	r, err := run.Read(dir)
	what := "draws"
	if err == nil && r.Optimize != nil {
		what = "points"
	}
	switch {
	case err != nil:
		return OwnStatus(err)
	case r.Status == run.Done:
		return Failf(ExitFiles, "%s has no %s", dir, what)
	case r.Status == run.Failed:
		if !r.Resumable() {
			return Failf(ExitFiles,
				"%s has no %s: it failed before the first of any chain: %s. --resume would fail "+
					"again at the same step: start a new run with other settings", dir,
				what, r.Error)
		}
		return Failf(ExitFiles,
			"%s has no %s: it failed before the first of any chain: %s. When that is mended, go "+
				"on with: %s", dir, what, r.Error, ResumeCommand(dir, r))
	}
	return Failf(ExitFiles, "%s has no %s yet (%s). If no process works on it, go on with: %s",
		dir, what, r.Status, ResumeCommand(dir, r))
}
