package predict

import (
	"slices"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// knownRows draw the latent values of rows given the entries that are known. nil
// does nothing.
type knownRows struct {
	c       *Options
	r       *driver.RowLatents
	all     *model.RowLatents
	tuned   []float64
	workers []*driver.Predictor
	chains  []*rowChains
}

// A rowChains works in one goroutine.
type rowChains struct {
	e      *model.RowLatentsEvaluator
	values [][]float64
}

func (c *Options) localOptions() target.LocalOptions {
	o := target.LocalOptions{BurnIn: c.LocalBurnIn, Kept: 1, Leapfrog: c.LocalLeapfrog}
	if o.BurnIn == 0 {
		o.BurnIn = -1
	}
	return o
}

// known binds --observed, which has the rows of b.
func (c *Options) known(
	e *session.Session, r *run.Record, b *session.Binding, draws *session.RunDraws,
) (*knownRows, error) {
	k := &knownRows{c: c}
	diags := k.compile(b.Src, r, nil)
	if k.r == nil {
		e.Diagnose(diags)
		return nil, &session.ExitError{Code: session.ExitModel}
	}
	rows := &session.Binding{
		Src: b.Src, Compiled: &k.r.Compiled, Fixed: session.SharedDims(&k.r.Compiled, r.Dims),
		Given: session.Given{Data: c.Observed, Set: b.Set, Levels: r.Levels},
	}
	if err := rows.RunLabels(c.Dir, r); err != nil {
		return nil, err
	}
	if err := rows.Read(e); err != nil {
		return nil, err
	}
	m, all, err := k.r.Bind(rows.Bound, session.Recorded(r))
	if err != nil {
		return nil, session.Failf(session.ExitData, "%v", err)
	}
	if n := b.Bound.Dims[k.r.Spec.RowDim]; n != m.Rows() {
		return nil, session.Failf(session.ExitData,
			"--observed has %d rows of %s and the rows to predict are %d; they are to be the same rows",
			m.Rows(), k.r.Spec.RowDim, n)
	}
	if m.Dim() != draws.Model.Dim() {
		return nil, session.Usagef("the unknowns of the run are not those of rows that are drawn " +
			"one by one: it was made without --batch, and has latent values of its own rows")
	}
	k.all = all
	return k, k.tune(draws)
}

// compile compiles the model for the latent values of those names.
func (k *knownRows) compile(src *source.File, r *run.Record, names []string) (diags diag.List) {
	k.r, diags = driver.Latents(src,
		driver.Options{Set: session.Numbers(r.Set), RowDim: r.RowDim, Sampled: r.Sampled}, names)
	return diags
}

// tune finds the steps of trajectories at the first draw.
func (k *knownRows) tune(draws *session.RunDraws) error {
	first, err := draws.Read(0)
	if err != nil {
		return err
	}
	k.all.Stop = draws.Stop.Asked
	k.tuned = k.all.Tuned(first.X, k.c.localOptions(), k.c.Seed)
	return draws.Stop.Err()
}

// hire makes what works in n goroutines.
func (k *knownRows) hire(n int) {
	for range n {
		w := &rowChains{e: k.all.Evaluator(k.c.localOptions(), k.c.Seed)}
		for i := range k.r.Values {
			w.values = append(w.values, make([]float64, k.all.Len(i)))
		}
		k.chains = append(k.chains, w)
	}
}

// start has predictors take the values.
func (k *knownRows) start(workers []*driver.Predictor) error {
	if k == nil {
		return nil
	}
	k.workers = workers
	k.hire(len(workers))
	read := false
	for i, v := range k.r.Values {
		read = workers[0].Give(v.Name, k.chains[0].values[i]) || read
	}
	if !read {
		return session.Usagef("--observed: nothing that is predicted depends on a latent value " +
			"that the entries of a row share")
	}
	return nil
}

// give draws the values for a draw of the run.
func (k *knownRows) give(worker int, p session.Drawn) {
	if k == nil {
		return
	}
	w := k.chains[worker]
	w.e.Eval(p.X, visitOf(p), k.tuned, w.values)
	for i, v := range k.r.Values {
		k.workers[worker].Give(v.Name, w.values[i])
	}
}

// visitOf numbers the draws of a run.
func visitOf(p session.Drawn) uint64 { return uint64(p.Chain)<<32 + uint64(p.Draw) }

// latents writes the latent values of rows.
func (c *Options) latents(
	e *session.Session, r *run.Record, src *source.File, format string,
) error {
	if len(c.Observed) > 0 {
		return session.Usagef("--latent: the rows, with all that is known of them, are those of " +
			"--data; --observed is for predictions of their other entries")
	}
	k := &knownRows{c: c}
	if diags := k.compile(src, r, c.Latent); k.r == nil {
		e.Diagnose(diags)
		return &session.ExitError{Code: session.ExitModel}
	}
	if err := session.ConstsStay(k.r.Check, c.Set); err != nil {
		return err
	}
	b := &session.Binding{
		Src: src, Compiled: &k.r.Compiled, Fixed: session.SharedDims(&k.r.Compiled, r.Dims),
		Given: session.Given{Data: c.Data, Set: c.Set, Levels: r.Levels},
	}
	own := len(c.Data) == 0 && len(c.Set) == 0
	names, err := session.NamesOf(e, c.Dir, r, c.Names)
	if err != nil {
		return err
	}
	if b.Labels = names; !own {
		b.Labels = b.SharedLabels(names)
	}
	if own {
		if err := session.NamesData(c.Dir, r); err != nil {
			return err
		}
		e.Note("no --data and no --set: latent values of the rows of the run")
		b.Data, b.Set, b.NA, b.Fixed = r.Inputs, r.Set, r.NA, nil
	}
	if err := b.Read(e); err != nil {
		return err
	}
	if own {
		if err := session.SameData(r.Data, b.Bound.Files); err != nil {
			return err
		}
	}
	if b.Target, k.all, err = k.r.Bind(b.Bound, session.Recorded(r)); err != nil {
		return session.Failf(session.ExitData, "%v", err)
	}
	draws, err := session.OpenDraws(c.Dir, r, b.Target,
		session.Choice{Limit: c.Draws, Point: c.Point, AllChains: c.AllChains},
		"drawing latent values")
	if err != nil {
		return err
	}
	draws.Note(e, r)
	stop, release := e.Stopper()
	defer release()
	draws.Stop = stop
	if err := k.tune(draws); err != nil {
		return err
	}
	return c.writeLatents(e, r, k, b, draws, format)
}

// writeLatents draws and writes them, in the formats of predictions.
func (c *Options) writeLatents(
	e *session.Session, r *run.Record, k *knownRows, b *session.Binding, draws *session.RunDraws,
	format string,
) error {
	k.hire(session.ThreadsOf(c.Threads, draws.Total()))
	sites, width := k.r.Sites(b.Target), 0
	for i := range sites {
		width += sites[i].Len
	}
	work := func(worker int, p session.Drawn, out []float64) error {
		w := k.chains[worker]
		w.e.Eval(p.X, visitOf(p), k.tuned, w.values)
		for i := range sites {
			to := out[sites[i].Offset:]
			copy(to, w.values[i])
			for j := range w.values[i] {
				to[j] += float64(sites[i].From)
			}
		}
		return nil
	}
	for i := range sites { // of rows of one length nothing is missing
		sites[i].Missing = sites[i].Missing &&
			slices.ContainsFunc(b.Compiled.Spec.Schema.Dims,
				func(d data.Dim) bool { return d.Of != "" })
	}
	if c.Mean {
		s, err := newMeans(sites, width, draws)
		if err != nil {
			return err
		}
		s.name(b)
		take := func(p session.Drawn, out []float64) error { s.take(nil, p.X, out); return nil }
		if err := draws.ForEach(c.Threads, width, work, take); err != nil {
			return err
		}
		return s.write(e, c.Out, format)
	}
	w := &Draws{Sites: sites, Chains: draws.Chains, Numbers: draws.Numbers(),
		Each: draws.Each, Record: r, Bound: b.Bound}
	return w.Write(e, c.Out, format, func(take func(p session.Drawn, out []float64) error) error {
		return draws.ForEach(c.Threads, width, work, take)
	})
}
