package derived

import (
	"slices"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/predict"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// An opened is the model of a run, compiled for its draws and bound to data.
type opened struct {
	dir       string
	data, set []string // other data than the run's; none: those of the run
	choice    session.Choice
	what      string // the command that needs the draws

	record    *run.Record
	posterior *driver.Posterior
	target    *session.Binding
	draws     *session.RunDraws
}

// open compiles the model of the run, and binds it to other data where they are given, to the
// run's where a function reads data, else to its sizes alone.
func (o *opened) open(
	e *session.Session, compile func(*source.File, driver.Options) (*driver.Posterior, diag.List),
) error {
	r, src, err := session.OpenRun(o.dir)
	if err != nil {
		return err
	}
	if r.Optimize != nil {
		return session.Usagef("%s is a run of optimize: it has a point, and quantities have "+
			"a distribution by draws", o.dir)
	}
	p, diags := compile(src, driver.Options{Set: session.Numbers(r.Set), RowDim: r.RowDim,
		Sampled: r.Sampled || predict.Drawn(e, src, r), Charts: r.Charts})
	e.Diagnose(diags)
	if p == nil {
		return &session.ExitError{Code: session.ExitModel}
	}
	if err := session.ConstsStay(p.Check, o.set); err != nil {
		return err
	}
	b := &session.Binding{
		Src: src, Compiled: &p.Compiled,
		Given: session.Given{Data: o.data, Set: o.set, Levels: r.Levels},
	}
	names, err := session.NamesOf(e, o.dir, r, nil)
	if err != nil {
		return err
	}
	b.Absent = unread(&p.Compiled)
	own := len(o.data) == 0 && len(o.set) == 0
	reads := slices.ContainsFunc(p.Spec.Data, func(d model.Datum) bool { return !model.Drawn(d.Name) })
	switch {
	case own && !reads:
		b.Fixed, b.Labels = r.Dims, names
	case own:
		b.Data, b.Set, b.NA, b.Labels = r.Inputs, r.Set, r.NA, names
	default:
		b.Fixed = session.SharedDims(&p.Compiled, r.Dims)
		b.Labels = b.SharedLabels(names)
	}
	if b.Constants, err = predict.FittedValues(e, o.dir, p, r); err != nil {
		return err
	}
	if err := b.Bind(e); err != nil {
		return err
	}
	if len(b.Data) > 0 && own {
		if err := session.SameData(r.Data, b.Bound.Files); err != nil {
			return err
		}
	}
	draws, err := session.OpenDraws(o.dir, r, b.Target, o.choice, o.what)
	if err != nil {
		return err
	}
	draws.Note(e, r)
	o.record, o.posterior, o.target, o.draws = r, p, b, draws
	return nil
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
