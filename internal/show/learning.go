package show

import (
	"fmt"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show/chart"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// Found fills the page of a run of optimize: its points, its learning curves, and then where they
// come from.
func (p *Page) Found(
	e *session.Session, dir string, r *run.Record, see View, model string,
) error {
	p.heading("Points")
	if r.Status != run.Done {
		fmt.Fprintf(p, "The run is not complete (%s).\n", r.Status)
	}
	if err := found(e, p, dir, r, see); err != nil {
		return err
	}
	if err := p.learning(dir, r); err != nil {
		return err
	}
	for _, add := range []func() error{
		func() error { return p.facts(dir, r) }, func() error { return p.data(r) },
		func() error { return p.optimiser(r) },
	} {
		if err := add(); err != nil {
			return err
		}
	}
	p.heading("Model")
	p.pre(model)
	return nil
}

// learned has the learning curves of a run: the column of its store of checks, the title and the
// name of the axis.
var learned = []struct{ column, title, axis string }{
	{"lp", "Log density with all rows", "log density"},
	{"held_out", "Log likelihood of a held-out row", "mean log likelihood"},
	{"accuracy", "Accuracy of held-out rows", "accuracy"},
	{"rmse", "Error of held-out rows", "rmse"},
	{"temperature", "Temperature", "temperature"},
}

// learning adds the section with the learning curves of every chain: the results of its checks by
// step.
func (p *Page) learning(dir string, r *run.Record) error {
	s := Section{Heading: "Learning curves"}
	path, ok := run.Checks(dir, r)
	if !ok {
		s.Text = []string{"The run has none: `sgppl optimize --trace` stores what each look at the " +
			"criterion finds."}
		return p.Section(&s)
	}
	store, err := run.OpenStore(path, r)
	if err != nil {
		return session.OwnStatus(err)
	}
	s.Text = []string{"What each look at the criterion found, by the steps taken until then."}
	for _, l := range learned {
		c := chart.Chart{Title: l.title, X: chart.Axis{Name: "step"}, Y: chart.Axis{Name: l.axis}}
		for k := range r.Chains {
			x, y, err := looks(store, k, l.column)
			if err != nil {
				return session.Failf(session.ExitFiles, "%v", err)
			}
			if someFinite(y) {
				c.Series = append(c.Series, chart.Series{Mark: chart.Line, Name: chainName(k),
					Class: chart.Of(k), X: x, Y: y})
			}
		}
		if len(c.Series) > 0 {
			s.Charts = append(s.Charts, c)
		}
	}
	return p.Section(&s)
}

// looks returns the steps x of a chain's checks and the values y of a column of the store of
// checks. Both are nil if the store has no such column, or if all its values are 0, as the
// temperature of most algorithms is.
func looks(store *trace.Store, chain int, column string) (x, y []float64, err error) {
	n, err := store.Written(chain)
	if err != nil {
		return nil, nil, err
	}
	step, _ := store.Lookup("sample_stats", "step")
	v, ok := store.Lookup("sample_stats", column)
	if !ok {
		return nil, nil, nil
	}
	x, y = make([]float64, n), make([]float64, n)
	if err := store.ReadDraws(step, chain, 0, n, x); err != nil {
		return nil, nil, err
	}
	if err := store.ReadDraws(v, chain, 0, n, y); err != nil {
		return nil, nil, err
	}
	for _, a := range y {
		if a != 0 {
			return x, y, nil
		}
	}
	return nil, nil, nil
}

func someFinite(y []float64) bool {
	for _, a := range y {
		if a-a == 0 {
			return true
		}
	}
	return false
}

// optimiser adds the settings of an optimiser.
func (p *Page) optimiser(r *run.Record) error {
	p.heading("Settings")
	t, err := listed(*r.Optimize)
	if err != nil {
		return err
	}
	return t.Write(p)
}
