package predict

import (
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// bind compiles the model of a run to predict rows, and binds it to them. Missing entries of
// new rows that the model describes are drawn from their laws, if there are any.
func (c *Options) bind(
	e *session.Session, r *run.Record, src *source.File,
) (*driver.Posterior, *session.Binding, error) {
	given, own := len(c.Observed) > 0, c.own()
	o := driver.Options{Set: session.Numbers(r.Set), RowDim: r.RowDim, Sampled: r.Sampled ||
		Drawn(e, src, r), Given: given}
	p, diags := driver.Predict(src, o)
	e.Diagnose(diags)
	if p == nil {
		return nil, nil, &session.ExitError{Code: session.ExitModel}
	}
	if err := session.ConstsStay(p.Check, c.Set); err != nil {
		return nil, nil, err
	}
	imputed := p.Imputed()
	q := p
	if o.Redrawn = len(imputed) > 0 && !own && !given; o.Redrawn {
		if q, diags = driver.Predict(src, o); q == nil {
			e.Diagnose(diags)
			return nil, nil, &session.ExitError{Code: session.ExitModel}
		}
	}
	b, err := c.read(e, r, q, src)
	if err != nil {
		return nil, nil, err
	}
	if o.Redrawn && !tellMissing(e, b.Bound, imputed) {
		// Without missing entries more expected values are known.
		q, b.Compiled = p, &p.Compiled
		for _, name := range imputed {
			b.Bound.Dims[data.MissingDim(name)] = r.Dims[data.MissingDim(name)]
		}
	}
	if b.Constants, err = FittedValues(e, c.Dir, q, r); err != nil {
		return nil, nil, err
	}
	if b.Target, err = q.VM(b.Bound, b.Constants); err != nil {
		return nil, nil, session.Failf(session.ExitData, "%v", err)
	}
	return q, b, nil
}

// own reports whether the rows of the run are predicted, and not others.
func (c *Options) own() bool { return len(c.Data) == 0 && len(c.Set) == 0 }

// tellMissing tells how many entries are missing, and reports whether any are.
func tellMissing(e *session.Session, bound *data.Bound, names []string) (some bool) {
	for _, name := range names {
		if n := driver.Missing(bound, name); n > 0 {
			some = true
			e.Note("missing entries of %s, which are drawn from their law: %d", name, n)
		}
	}
	return some
}

// read reads the rows that are predicted.
func (c *Options) read(
	e *session.Session, r *run.Record, p *driver.Posterior, src *source.File,
) (*session.Binding, error) {
	b := &session.Binding{
		Src: src, Compiled: &p.Compiled, Fixed: session.SharedDims(&p.Compiled, r.Dims),
		Absent: p.Absent(),
		Given:  session.Given{Data: c.Data, Set: c.Set, Levels: r.Levels},
	}
	names, err := session.NamesOf(e, c.Dir, r, c.Names)
	if err != nil {
		return nil, err
	}
	b.Labels = names
	if !c.own() { // other rows are not called as the run's
		b.Labels, b.NewLevels = b.SharedLabels(names), c.NewLevels
		return b, b.Read(e)
	}
	if err := session.NamesData(c.Dir, r); err != nil {
		return nil, err
	}
	e.Note("no --data and no --set: predictions for the data of the run")
	// The sizes come out the same; missing entries are the run's unknowns.
	b.Data, b.Set, b.NA, b.Fixed = r.Inputs, r.Set, r.NA, nil
	if err := b.Read(e); err != nil {
		return nil, err
	}
	return b, session.SameData(r.Data, b.Bound.Files)
}
