package derived

import (
	"errors"
	"path/filepath"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/predict"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// values has the values of quantities at the draws of a run.
type values struct {
	record *run.Record
	bound  *data.Bound
	draws  *session.RunDraws
	sites  []driver.Predicted // the quantities
	x      []float64          // [draw][entry of all quantities]
	width  int

	posterior *driver.Posterior
	from      []int // where each quantity begins in what Constrain writes
}

// openValues compiles quantities over the model of a run, and binds it to other data where
// there are specs, to the run's where a quantity reads data, else to its sizes alone.
func openValues(
	e *session.Session, dir string, quantities []driver.Quantity, specs, set []string,
	choice session.Choice,
) (*values, error) {
	r, src, err := session.OpenRun(dir)
	if err != nil {
		return nil, err
	}
	if r.Optimize != nil {
		return nil, session.Usagef("%s is a run of optimize: it has a point, and quantities have "+
			"a distribution by draws", dir)
	}
	p, diags := driver.Derive(src, quantities,
		driver.Options{Set: session.Numbers(r.Set), RowDim: r.RowDim, Sampled: r.Sampled ||
			predict.Drawn(e, src, r), Charts: r.Charts})
	e.Diagnose(diags)
	if p == nil {
		return nil, &session.ExitError{Code: session.ExitModel}
	}
	if err := session.ConstsStay(p.Check, set); err != nil {
		return nil, err
	}
	b := &session.Binding{
		Src: src, Compiled: &p.Compiled,
		Given: session.Given{Data: specs, Set: set, Levels: r.Levels},
	}
	names, err := session.NamesOf(e, dir, r, nil)
	if err != nil {
		return nil, err
	}
	b.Absent = unread(&p.Compiled)
	own := len(specs) == 0 && len(set) == 0
	switch {
	case own && len(p.Spec.Data) == 0:
		b.Fixed, b.Labels = r.Dims, names
	case own:
		b.Data, b.Set, b.NA, b.Labels = r.Inputs, r.Set, r.NA, names
	default:
		b.Fixed = session.SharedDims(&p.Compiled, r.Dims)
		b.Labels = b.SharedLabels(names)
	}
	if b.Constants, err = predict.FittedValues(e, dir, p, r); err != nil {
		return nil, err
	}
	if err := b.Bind(e); err != nil {
		return nil, err
	}
	if len(b.Data) > 0 && own {
		if err := session.SameData(r.Data, b.Bound.Files); err != nil {
			return nil, err
		}
	}
	draws, err := session.OpenDraws(dir, r, b.Target, choice, "derive")
	if err != nil {
		return nil, err
	}
	draws.Note(e, r)
	d := &values{record: r, bound: b.Bound, draws: draws, posterior: p}
	for _, o := range b.Target.Outputs() {
		if o.Track {
			d.sites = append(d.sites,
				driver.Predicted{Name: o.Name, Dims: o.Dims, Shape: o.Shape, Offset: d.width,
					Len: o.Len, Latent: true})
			d.from = append(d.from, o.Offset)
			d.width += o.Len
		}
	}
	return d, nil
}

// unread are the inputs of a model that no function reads.
func unread(c *driver.Compiled) []string {
	read := map[string]bool{}
	for _, d := range c.Spec.Data {
		read[d.Name] = true
	}
	var out []string
	for _, in := range c.Spec.Schema.Inputs {
		if !read[in.Name] {
			out = append(out, in.Name)
		}
	}
	return out
}

// compute evaluates the quantities at every draw.
func (d *values) compute(threads int) error {
	m := d.draws.Model
	type worker struct {
		eval interface{ Constrain(x, out []float64) }
		out  []float64
	}
	workers := make([]worker, session.ThreadsOf(threads, d.draws.Total()))
	for i := range workers {
		workers[i] = worker{m.NewEvaluator(1), make([]float64, m.OutputLen())}
	}
	d.x = make([]float64, 0, d.width*d.draws.Total())
	return d.draws.ForEach(threads, d.width, func(k int, p session.Drawn, out []float64) error {
		w := &workers[k]
		w.eval.Constrain(p.X, w.out)
		for i, s := range d.sites {
			copy(out[s.Offset:s.Offset+s.Len], w.out[d.from[i]:])
		}
		return nil
	}, func(_ session.Drawn, out []float64) error {
		d.x = append(d.x, out...)
		return nil
	})
}

// each gives the values of every draw.
func (d *values) each(take func(p session.Drawn, x []float64) error) error {
	for i := range d.draws.Total() {
		p, err := d.draws.Read(i)
		if err != nil {
			return err
		}
		if err := take(p, d.x[i*d.width:(i+1)*d.width]); err != nil {
			return err
		}
	}
	return nil
}

// group is the group of a run's store that --save writes.
const group = "derived"

// save puts the values into the store of the run, in one step.
func (d *values) save(e *session.Session, dir string, force bool) error {
	if d.record.Status != run.Done {
		return session.Failf(session.ExitData,
			"--save: the run in %s is not complete (%s); go on with it first: sgppl sample "+
				"--resume %s", dir, d.record.Status, dir)
	}
	unlock, err := run.Lock(dir)
	if err != nil {
		return session.OwnStatus(err)
	}
	defer unlock()
	on := disk.Or(e.Disk)
	store, err := trace.OpenOn(on, run.Draws(dir))
	if err != nil {
		return session.FilesError(err)
	}
	if store.Chains() != d.draws.Chains || store.Draws() != d.draws.Each {
		return session.Failf(session.ExitData, "the chains of %s have different numbers of draws",
			dir)
	}
	var vars []trace.Variable
	for _, v := range store.Variables() {
		if v.Group == group && !force {
			return session.Usagef("--save: %s holds derived quantities already, such as %s; "+
				"--force replaces them all", dir, v.Name)
		}
	}
	for i := range d.sites {
		v := session.VariableOf(&d.sites[i])
		v.Group = group
		v.Label(d.bound.Labels)
		vars = append(vars, v)
	}
	temp := filepath.Join(dir, group+".part")
	if err := disk.RemoveAll(on, temp); err != nil {
		return session.Failf(session.ExitFiles, "%v", err)
	}
	defer disk.RemoveAll(on, temp)
	part, err := trace.CreateOn(on, temp, vars, d.draws.Chains, d.draws.Each, d.record.Chunk,
		session.StoreAttrs(d.record))
	if err != nil {
		return session.FilesError(err)
	}
	for c := range d.draws.Chains {
		a, err := part.Appender(c, 0)
		if err != nil {
			return session.FilesError(err)
		}
		for k := range d.draws.Each {
			x := d.x[(c*d.draws.Each+k)*d.width:]
			for i, s := range d.sites {
				a.Put(i, x[s.Offset:s.Offset+s.Len])
			}
			if err := a.Next(); err != nil {
				return session.FilesError(errors.Join(err, a.Close()))
			}
		}
		if err := a.Close(); err != nil {
			return session.FilesError(err)
		}
	}
	if err := part.Close(); err != nil {
		return session.FilesError(err)
	}
	return session.FilesError(store.Adopt(part, group))
}
