package derived

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/predict"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// Effects are average marginal effects of inputs on an expected response.
type Effects struct {
	Dir     string   // of the run
	Inputs  []string // whose effects are computed; none: all with a number for each row
	At      []string // INPUT=V,V: values that an input has in all rows
	Of      string   // the response, of a model that observes several names
	Draws   int      // how many are used; 0: all
	Threads int      // 0: as many as there are processors
	JSON    bool     // print one JSON object
}

// Run computes the effects.
func (c *Effects) Run(e *session.Session) error {
	if c.Draws < 0 {
		return session.Usagef("--draws %d: at least 1", c.Draws)
	}
	x, err := c.open(e)
	if err != nil {
		return err
	}
	if err := x.choose(c); err != nil {
		return err
	}
	stop, release := e.Stopper()
	defer release()
	x.draws.Stop = stop
	if err := x.compute(c.Threads); err != nil {
		return err
	}
	vars, err := x.summaries()
	if err != nil {
		return err
	}
	if c.JSON {
		err = json.NewEncoder(e.Stdout).Encode(derivedJSON{x.record.Model, x.draws.Chains,
			x.draws.Each, vars})
	} else if err = e.Print("%s: effects on the expected %s, averaged over %d rows; %d draws\n\n",
		x.record.Model, x.site.Name, x.rows, x.draws.Total()); err == nil {
		err = show.TableOf(vars).Write(e.Stdout)
	}
	if err != nil {
		return session.Failf(session.ExitFiles, "cannot write: %v", err)
	}
	return nil
}

// responses evaluates the expected response of changed rows.
type responses struct {
	record *run.Record
	post   *driver.Posterior
	b      *session.Binding
	draws  *session.RunDraws
	site   driver.Predicted
	rows   int
	dim    string
	out    []effect
	values []float64 // [draw][effect]
}

// An effect is the mean over the rows of (to − from) / by, where both are the expected
// responses of rows with an input changed; from may be nil.
type effect struct {
	name     string
	to, from *data.Bound
	by       float64
}

// open compiles the model of a run for its expected responses.
func (c *Effects) open(e *session.Session) (*responses, error) {
	r, src, err := session.OpenRun(c.Dir)
	if err != nil {
		return nil, err
	}
	if r.Stream {
		return nil, session.Usagef("%s reads its rows from files as they are needed, and effects "+
			"need them in memory", c.Dir)
	}
	p, diags := driver.Predict(src,
		driver.Options{Set: session.Numbers(r.Set), RowDim: r.RowDim, Sampled: r.Sampled ||
			predict.Drawn(e, src, r)})
	e.Diagnose(diags)
	if p == nil {
		return nil, &session.ExitError{Code: session.ExitModel}
	}
	b := &session.Binding{Given: session.Given{Data: r.Inputs, Set: r.Set, NA: r.NA,
		Levels: r.Levels}, Src: src, Compiled: &p.Compiled, Absent: p.Absent()}
	if b.Labels, err = session.NamesOf(e, c.Dir, r, nil); err != nil {
		return nil, err
	}
	if b.Constants, err = predict.FittedValues(e, c.Dir, p, r); err != nil {
		return nil, err
	}
	if err := b.Bind(e); err != nil {
		return nil, err
	}
	if err := session.SameData(r.Data, b.Bound.Files); err != nil {
		return nil, err
	}
	e.NoteExactness(r)
	draws, err := session.OpenDraws(c.Dir, r, b.Target, session.Choice{Limit: c.Draws}, "effects")
	if err != nil {
		return nil, err
	}
	draws.Note(e, r)
	g, err := p.Predictor(b.Target, b.Bound)
	if err != nil {
		return nil, session.Failf(session.ExitData, "%v", err)
	}
	x := &responses{record: r, post: p, b: b, draws: draws}
	var names []string
	for _, s := range g.Sites {
		if s.Expected && len(s.Shape) > 0 && (c.Of == "" || c.Of == s.Name) {
			x.site, names = s, append(names, s.Name)
		}
	}
	switch {
	case len(names) == 0 && c.Of != "":
		return nil, session.Usagef("--of %s: the model observes no such name whose expected "+
			"value is known at a draw", c.Of)
	case len(names) == 0:
		return nil, session.Failf(session.ExitModel,
			"nothing that the model observes has an expected value that is known at a draw: "+
				"classes have none, and distributions without a line mean")
	case len(names) > 1:
		return nil, session.Usagef("the model observes %s: --of names one",
			strings.Join(names, ", "))
	}
	x.rows, x.dim = x.site.Shape[0], x.site.Dims[0]
	return x, nil
}

// compute evaluates the effects at every draw.
func (x *responses) compute(threads int) error {
	type worker struct {
		to, from []*driver.Predictor
		sites    []float64
	}
	make1 := func(bound *data.Bound) (*driver.Predictor, error) {
		if bound == nil {
			return nil, nil
		}
		m, err := x.post.VM(bound, x.b.Constants)
		if err != nil {
			return nil, session.Failf(session.ExitData, "%v", err)
		}
		return x.post.Predictor(m, bound)
	}
	workers := make([]worker, session.ThreadsOf(threads, x.draws.Total()))
	for i := range workers {
		for _, f := range x.out {
			to, err := make1(f.to)
			if err != nil {
				return err
			}
			from, err := make1(f.from)
			if err != nil {
				return err
			}
			workers[i].to, workers[i].from = append(workers[i].to, to),
				append(workers[i].from, from)
			workers[i].sites = make([]float64, to.Len())
		}
	}
	mean := func(g *driver.Predictor, at, out []float64) float64 {
		if g == nil {
			return 0
		}
		g.Expect(at, out)
		sum, n := 0.0, 0
		for _, v := range out[x.site.Offset : x.site.Offset+x.site.Len] {
			if x.site.Missing && math.IsNaN(v) { // no statement observes the entry
				continue
			}
			sum, n = sum+v, n+1
		}
		return sum / float64(n)
	}
	return x.draws.ForEach(threads, len(x.out), func(k int, p session.Drawn, out []float64) error {
		w := &workers[k]
		for i, f := range x.out {
			out[i] = (mean(w.to[i], p.X, w.sites) - mean(w.from[i], p.X, w.sites)) / f.by
		}
		return nil
	}, func(_ session.Drawn, out []float64) error {
		x.values = append(x.values, out...)
		return nil
	})
}

// summaries summarises the effects.
func (x *responses) summaries() ([]show.SummaryVar, error) {
	var names []string
	for _, f := range x.out {
		names = append(names, f.name)
	}
	n := len(names)
	all, err := diagnose.SummarizeMany(n, x.draws.Chains, x.draws.Each, 0,
		func(i int, dst [][]float64) error {
			for k := range x.draws.Total() {
				dst[k/x.draws.Each][k%x.draws.Each] = x.values[k*n+i]
			}
			return nil
		})
	return namedSummaries(names, nil, all), err
}
