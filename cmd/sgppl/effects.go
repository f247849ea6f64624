package main

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
	"github.com/sgppl/sgppl/runtime/results/run"
)

type effectsCmd struct {
	Dir     string   `arg:"" name:"run" help:"A run directory."`
	Inputs  []string `arg:"" optional:"" name:"input" help:"Inputs whose effects are computed (default: all with a number for each row)."`
	At      []string `sep:"none" placeholder:"INPUT=V,V" help:"The mean of the expected response over the rows, all of which have this value. May be repeated."`
	Of      string   `placeholder:"NAME" help:"The response, where the model observes several names."`
	Draws   int      `placeholder:"K" help:"Use at most K draws, as many of every chain, evenly spread (default: all)."`
	Threads int      `help:"Draws at once; 0 is as many as there are processors."`
	JSON    bool     `name:"json" help:"Print one JSON object."`
}

func (c *effectsCmd) Help() string {
	return `Average marginal effects, on the scale of the response: by how much its expected value changes with an input, averaged over
the rows of the run, with the uncertainty of the draws. Of a real input that is the derivative, of a count the change from one
more, of a bool that from 0 to 1, of an index that from its first level to each other. Everything else of a row stays as it is, its group too.

  sgppl effects runs/model-1
  sgppl effects runs/model-1 age --at age=20,40,60`
}

// Run computes the effects.
func (c *effectsCmd) Run(e *session.Session) error {
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

// effects evaluates the expected response of changed rows.
type effects struct {
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
func (c *effectsCmd) open(e *session.Session) (*effects, error) {
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
			drawn(e, src, r)})
	e.Diagnose(diags)
	if p == nil {
		return nil, &session.ExitError{Code: session.ExitModel}
	}
	b := &session.Binding{Given: session.Given{Data: r.Inputs, Set: r.Set, NA: r.NA,
		Levels: r.Levels}, Src: src, Compiled: &p.Compiled, Absent: p.Absent()}
	if b.Labels, err = session.NamesOf(e, c.Dir, r, nil); err != nil {
		return nil, err
	}
	if b.Constants, err = fittedValues(e, c.Dir, p, r); err != nil {
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
	x := &effects{record: r, post: p, b: b, draws: draws}
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

// choose lists the effects that are asked for.
func (x *effects) choose(c *effectsCmd) error {
	names := c.Inputs
	if len(names) == 0 && len(c.At) == 0 {
		for i := range x.b.Compiled.Spec.Schema.Inputs {
			if in := &x.b.Compiled.Spec.Schema.Inputs[i]; in.Name != x.site.Name &&
				x.column(in) != nil {
				names = append(names, in.Name)
			}
		}
	}
	for _, name := range names {
		in, col, err := x.input(name, name)
		if err != nil {
			return err
		}
		x.change(in, col)
	}
	for _, spec := range c.At {
		name, list, ok := strings.Cut(spec, "=")
		if !ok {
			return session.Usagef("--at %s: INPUT=VALUE,VALUE is expected", spec)
		}
		in, col, err := x.input(name, "--at "+spec)
		if err != nil {
			return err
		}
		for _, text := range strings.Split(list, ",") {
			v, err := x.level(in, strings.TrimSpace(text))
			if err != nil {
				return session.Usagef("--at %s: %v", spec, err)
			}
			x.out = append(x.out,
				effect{name: fmt.Sprintf("%s at %s = %s", x.site.Name, name,
					strings.TrimSpace(text)),
					to: x.with(in, col, func(float64) float64 { return v }), by: 1})
		}
	}
	if len(x.out) == 0 {
		return session.Failf(session.ExitModel,
			"the model has no input with a number for each row, but what it observes")
	}
	return nil
}

// column is the values of an input that has one for each row; nil of others.
func (x *effects) column(in *data.Input) []float64 {
	v := x.b.Bound.Values[in.Name]
	if v == nil || v.CSR != nil || len(in.Shape) != 1 || len(v.Shape) != 1 || v.Shape[0] != x.rows {
		return nil
	}
	if dim, one := in.Shape[0].Name(); !one || dim != x.dim {
		return nil
	}
	return v.Floats()
}

func (x *effects) input(name, flag string) (*data.Input, []float64, error) {
	in := x.b.Compiled.Spec.Schema.Input(name)
	switch {
	case in == nil:
		return nil, nil, session.Usagef("%s: the model has no input %s", flag, name)
	case name == x.site.Name:
		return nil, nil, session.Usagef("%s: %s is the response", flag, name)
	}
	col := x.column(in)
	if col == nil {
		return nil, nil, session.Usagef("%s: %s has not one number for each row of %s",
			flag, name, x.dim)
	}
	return in, col, nil
}

// level reads a value of an input: a number, or the name of a level.
func (x *effects) level(in *data.Input, text string) (float64, error) {
	if in.Kind == data.Index {
		dim, _ := in.Below.Name()
		if k := slices.Index(x.b.Bound.Labels[dim], text); k >= 0 {
			return float64(k), nil
		}
		if names := x.b.Bound.Labels[dim]; len(names) > 0 {
			return 0, fmt.Errorf("%s is no level of %s, which has %s", text, in.Name,
				strings.Join(names[:min(5, len(names))], ", "))
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v-v != 0 {
		return 0, fmt.Errorf("%q is no number", text)
	}
	if in.Kind == data.Index {
		n, _ := in.Below.Eval(x.b.Bound.Dims)
		if v -= float64(in.First()); v < 0 || v >= float64(n) || v != math.Trunc(v) {
			return 0, fmt.Errorf("%s is no value of %s", text, in.Name)
		}
	}
	if in.Kind == data.Bool && v != 0 && v != 1 {
		return 0, fmt.Errorf("%s is no value of %s, which is 0 or 1", text, in.Name)
	}
	return v, nil
}

// change adds the effects of an input.
func (x *effects) change(in *data.Input, col []float64) {
	add := func(name string, to, from func(v float64) float64, by float64) {
		x.out = append(x.out, effect{name, x.with(in, col, to), x.with(in, col, from), by})
	}
	fixed := func(v float64) func(float64) float64 { return func(float64) float64 { return v } }
	same := func(v float64) float64 { return v }
	switch in.Kind {
	case data.Bool:
		add(in.Name, fixed(1), fixed(0), 1)
	case data.Index:
		dim, _ := in.Below.Name()
		n, _ := in.Below.Eval(x.b.Bound.Dims)
		names := x.b.Bound.Labels[dim]
		for k := 1; k < n; k++ {
			level := func(k int) string {
				if k < len(names) {
					return names[k]
				}
				return strconv.Itoa(k + in.First())
			}
			add(fmt.Sprintf("%s %s - %s", in.Name, level(k), level(0)), fixed(float64(k)),
				fixed(0), 1)
		}
	case data.Int, data.Count:
		add(in.Name, func(v float64) float64 { return v + 1 }, same, 1)
	default:
		mean, square := 0.0, 0.0
		for _, v := range col {
			mean += v / float64(len(col))
		}
		for _, v := range col {
			square += (v - mean) * (v - mean) / float64(len(col))
		}
		h := 1e-4 * math.Sqrt(square)
		if !(h > 0) {
			h = 1e-4 * math.Max(1, math.Abs(mean))
		}
		add(in.Name, func(v float64) float64 { return v + h },
			func(v float64) float64 { return v - h }, 2*h)
	}
}

// with is the data of the run with other values of an input.
func (x *effects) with(in *data.Input, col []float64, f func(v float64) float64) *data.Bound {
	out := *x.b.Bound
	out.Values = map[string]*data.Value{}
	for name, v := range x.b.Bound.Values {
		out.Values[name] = v
	}
	v := *x.b.Bound.Values[in.Name]
	v.Bytes, v.Packed, v.F64 = nil, nil, make([]float64, len(col))
	for i, old := range col {
		v.F64[i] = f(old)
	}
	out.Values[in.Name] = &v
	return &out
}

// compute evaluates the effects at every draw.
func (x *effects) compute(threads int) error {
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
func (x *effects) summaries() ([]show.SummaryVar, error) {
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
