package checks

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/internal/show/chart"
	"github.com/sgppl/sgppl/ir/posterior"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/runtime/results/run"
)

const (
	priorDraws   = 1000
	priorCharts  = 24 // numbers that are pictured
	priorEntries = 12 // of an array that is pictured
	priorAt      = 161
)

// priors are the section of densities before and after the data.
func (c *checker) priors(stop *session.Stopper) ([]show.Section, error) {
	s := show.Section{Heading: "Prior and posterior"}
	give := func(format string, args ...any) ([]show.Section, error) {
		s.Text = append(s.Text, "There is no picture: "+fmt.Sprintf(format, args...))
		return []show.Section{s}, nil
	}
	without, why := c.improper()
	if why != "" {
		return give("%s", why)
	}
	sim, first, why := c.simulator(without)
	if why != "" {
		return give("%s", why)
	}
	store, err := run.OpenDraws(c.dir, c.r)
	if err == nil {
		_, err = run.Choose(store, c.r, false)
	}
	if err != nil {
		return nil, session.OwnStatus(err)
	}
	shown := c.shownParams(without)
	if len(shown) == 0 && len(without) == 0 {
		return nil, nil
	}
	prior := map[string][][]float64{}
	for d := range priorDraws {
		if err := stop.Err(); err != nil {
			return nil, err
		}
		set := first
		if d > 0 {
			var errs []*data.Error
			if set, errs, err = sim.Draw(driver.ReplicationSeed(c.o.Seed, d)); err != nil ||
				errs != nil {
				return give("the prior cannot be drawn from: %v", joined(err, errs))
			}
		}
		for _, p := range set.Params {
			if slices.Contains(shown, p.Name) && p.Value != nil {
				prior[p.Name] = append(prior[p.Name], slices.Clone(p.Value.Floats()))
			}
		}
	}
	s.Text = append(s.Text, fmt.Sprintf("What is known of params before the data and after: "+
		"densities of %d draws from the prior (seed %d), and of the draws of the run. Where both are "+
		"alike, the data say little of the number. A posterior at the edge of its prior: prior and "+
		"data disagree.",
		priorDraws, c.o.Seed))
	s.Text = append(s.Text, without.says()...)
	for _, v := range session.StoredDraws(store) {
		of := prior[v.Name]
		if of == nil || len(of[0]) != v.Len() {
			continue
		}
		labels := session.AxisNames(v, c.b.Bound.Labels)
		for i, name := range v.Elements() {
			if len(s.Charts) == priorCharts {
				break
			}
			after, err := show.ElementDraws(store, v, i)
			if err != nil {
				return nil, session.OwnStatus(err)
			}
			before := make([]float64, len(of))
			for d := range of {
				before[d] = of[d][i]
			}
			if label := session.EntryName(v.Shape, labels, i); label != "" {
				name += " " + label
			}
			lo, hi := support(c.r.Types[v.Name])
			if x := slices.Concat(after...); slices.Min(x) < slices.Max(x) {
				s.Charts = append(s.Charts, PriorPosterior(name, before, x, lo, hi))
			}
		}
	}
	if len(s.Charts) == 0 && len(s.Text) == 1 {
		return nil, nil
	}
	return []show.Section{s}, nil
}

func joined(err error, errs []*data.Error) string {
	if err != nil {
		return err.Error()
	}
	return errs[0].Error()
}

// support are the ends of a type.
func support(kind string) (lo, hi float64) {
	switch kind {
	case "positive", "nonnegative":
		return 0, math.Inf(1)
	case "unit", "simplex":
		return 0, 1
	}
	return math.Inf(-1), math.Inf(1)
}

// The unpriored are params that have no prior to draw from, with the reason: "" for one whose
// density is flat on its type, else the param with such a density that its prior depends on.
type unpriored map[string]string

// says names them.
func (u unpriored) says() []string {
	var flat, depend []string
	for name, on := range u {
		if strings.HasSuffix(name, ".missing") {
			continue
		}
		if on == "" {
			flat = append(flat, name)
		} else {
			depend = append(depend, name+" (on "+on+")")
		}
	}
	slices.Sort(flat)
	slices.Sort(depend)
	var out []string
	if len(flat) > 0 {
		out = append(out, "Flat on its type, so there is no prior to draw from: "+
			strings.Join(flat, ", ")+".")
	}
	if len(depend) > 0 {
		out = append(out, "Their prior depends on a flat one: "+strings.Join(depend, ", ")+".")
	}
	return out
}

// improper finds the params without a prior to draw from.
func (c *checker) improper() (out unpriored, why string) {
	parts, diags, err := driver.Break(c.b.Compiled.Check)
	if parts == nil || err != nil {
		c.e.Diagnose(diags)
		return nil, c.why(fmt.Errorf("the priors of the model cannot be told apart"))
	}
	out = unpriored{}
	has := map[string]bool{}
	for _, p := range parts.Parts {
		if p.Kind == posterior.PriorPart {
			has[p.Name] = true
		}
	}
	for _, p := range c.b.Compiled.Spec.Params {
		if !has[p.Name] {
			out[p.Name] = ""
		}
	}
	for changed := true; changed; {
		changed = false
		for _, p := range parts.Parts {
			if p.Kind != posterior.PriorPart {
				continue
			}
			if _, known := out[p.Name]; known {
				continue
			}
			for _, name := range p.Reads {
				if _, flat := out[name]; flat && name != p.Name {
					out[p.Name], changed = name, true
					break
				}
			}
		}
	}
	return out, ""
}

// simulator draws params from their priors. Those that are flat are given a value, which nothing
// that is shown depends on.
func (c *checker) simulator(without unpriored) (*driver.Simulator, *driver.Simulated, string) {
	given := map[string]*data.Value{}
	for name, on := range without {
		if on == "" {
			given[name] = c.someValue(name)
		}
	}
	o := driver.SimulateOptions{Options: driver.Options{Set: session.Numbers(c.r.Set),
		RowDim: c.r.RowDim}, Sets: c.r.Set, Params: given, ParamsOnly: true, Seed: c.o.Seed,
		Bound: c.b.Bound}
	sim, diags, errs, err := driver.NewSimulator(c.b.Src, o)
	var first *driver.Simulated
	if sim != nil {
		first, errs, err = sim.Draw(c.o.Seed)
	}
	c.e.Diagnose(diags)
	switch {
	case err != nil || errs != nil:
		return nil, nil, joined(err, errs)
	case first == nil:
		for _, d := range diags {
			if d.Message != "" {
				return nil, nil, strings.TrimSuffix(d.Message, ".") + "."
			}
		}
		return nil, nil, "the model cannot be drawn from."
	}
	return sim.Keep(first), first, ""
}

// someValue is a value of a param, as a point of its type: a draw of the run.
func (c *checker) someValue(name string) *data.Value {
	for _, p := range c.b.Compiled.Spec.Params {
		if p.Name != name {
			continue
		}
		shape := size.Shape(p.Shape, c.b.Target.Dims)
		v := &data.Value{Shape: shape, F64: make([]float64, array.Len(shape)), Canonical: true}
		if store, err := run.OpenDraws(c.dir, c.r); err == nil {
			if x, ok := store.Lookup("posterior", name); ok && x.Len() == len(v.F64) {
				if err := store.ReadDraws(x, 0, 0, 1, v.F64); err == nil {
					return v
				}
			}
		}
		return v
	}
	return nil
}

// shownParams are the names of scalars and short arrays that have priors.
func (c *checker) shownParams(without unpriored) []string {
	var out []string
	for _, p := range c.b.Compiled.Spec.Params {
		_, flat := without[p.Name]
		if n := array.Len(size.Shape(p.Shape, c.b.Target.Dims)); !flat && n > 0 &&
			n <= priorEntries && !strings.HasSuffix(p.Name, ".missing") {
			out = append(out, p.Name)
		}
	}
	return out
}

// PriorPosterior draws the densities of a number before and after the data, by a Gaussian kernel
// of the width of Silverman for each, reflected at the ends of its type.
func PriorPosterior(name string, before, after []float64, lo, hi float64) chart.Chart {
	c := chart.Chart{Title: "Prior and posterior of " + name, X: chart.Axis{Name: name},
		Y:   chart.Axis{Name: "density"},
		Key: true}
	prior, posterior := sortedFinite(before), sortedFinite(after)
	if len(prior) < 2 || len(posterior) < 2 {
		c.Says = "There are too few finite draws."
		return c
	}
	at := func(x []float64, p float64) float64 { return sortedQuantile(x, p) }
	spread := [2]float64{at(prior, 0.95) - at(prior, 0.05), at(posterior, 0.95) - at(posterior, 0.05)}
	// A prior that is far wider than the posterior is cut, so that the posterior can be seen.
	middle, far := at(posterior, 0.5), 4*spread[1]
	if far <= 0 {
		far = math.Inf(1)
	}
	from := min(posterior[0], max(at(prior, 0.02), middle-far))
	to := max(posterior[len(posterior)-1], min(at(prior, 0.98), middle+far))
	from, to = max(from, lo), min(to, hi)
	if !(to > from) {
		c.Says = "The draws do not vary."
		return c
	}
	x := make([]float64, priorAt)
	for i := range x {
		t := float64(i) / (priorAt - 1)
		x[i] = float64(from*(1-t)) + float64(to*t)
	}
	c.Series = []chart.Series{
		{Mark: chart.Line, Name: "prior", Class: chart.Other + " d1", X: x,
			Y: density(prior, x, bandwidth(prior), lo, hi)},
		{Mark: chart.Line, Name: "posterior", Class: chart.Plain, X: x,
			Y: density(posterior, x, bandwidth(posterior), lo, hi)},
	}
	if spread[0] > 0 {
		c.Says = fmt.Sprintf("The 90 %% interval is %s times as wide as before.",
			strconv.FormatFloat(spread[1]/spread[0], 'g', 2, 64))
	}
	if from > at(prior, 0.02) || to < at(prior, 0.98) {
		c.Says += " The prior goes on beyond the picture."
	}
	return c
}

func sortedFinite(x []float64) []float64 {
	out := slices.Clone(x)
	out = slices.DeleteFunc(out, func(v float64) bool { return v-v != 0 })
	slices.Sort(out)
	return out
}
