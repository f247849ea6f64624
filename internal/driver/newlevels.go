package driver

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/posterior"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// NewLevels draws the unknowns of levels that a fitted model did not have, such as the effect of
// a new school, from their prior given the unknowns that all levels share.
type NewLevels struct {
	Grown map[string]int // dims with new levels, to the number of levels that were fitted

	simulator *Simulator
	params    []newParam
}

// A newParam is an unknown with an entry for each level.
type newParam struct {
	model.Param
	fitted, size []int // its shape as it was fitted and with the new levels
}

// NewLevelsOf prepares the draws for a model that is bound to data with new levels. The error
// says which unknown has no law for a level alone.
func NewLevelsOf(
	src *source.File, o Options, spec *model.Spec, bound *data.Bound,
) (*NewLevels, error) {
	l := &NewLevels{Grown: bound.NewLevels}
	before := map[string]int{}
	for d, n := range bound.Dims {
		before[d] = n
	}
	for d, n := range l.Grown {
		before[d] = n
	}
	given := map[string]*data.Value{}
	for _, p := range spec.Params {
		if l.grows(p.Shape) == "" {
			given[p.Name] = data.Dense(make([]float64, product(p.Shape, bound.Dims)),
				size.Shape(p.Shape, bound.Dims)...)
			given[p.Name].Canonical = true
			continue
		}
		l.params = append(l.params, newParam{p, size.Shape(p.Shape, before),
			size.Shape(p.Shape, bound.Dims)})
	}
	s, diags, _, err := NewSimulator(src, SimulateOptions{Options: o, Bound: bound, Params: given,
		ParamsOnly: true})
	switch {
	case err != nil:
		return nil, err
	case s == nil:
		return nil, fmt.Errorf("the unknowns of new levels cannot be drawn: %s", diags[0].Message)
	}
	l.simulator = s
	return l, l.check(bound)
}

func product(shape []size.Poly, dims map[string]int) int {
	n := 1
	for _, k := range size.Shape(shape, dims) {
		n *= k
	}
	return n
}

// grows returns the dim of a shape that has new levels; "" where none has.
func (l *NewLevels) grows(shape []size.Poly) string {
	for _, p := range shape {
		for _, d := range p.Dims() {
			if _, is := l.Grown[d]; is {
				return d
			}
		}
	}
	return ""
}

// check holds that the law of each level's unknowns is its own: nothing in it runs over the
// levels, and it reads no rows, which are others than those of the fit.
func (l *NewLevels) check(bound *data.Bound) error {
	for _, p := range l.params {
		i := slices.IndexFunc(l.simulator.sim.Draws,
			func(d posterior.Draw) bool { return d.Name == p.Name && d.Param })
		dim := l.grows(p.Shape)
		if i < 0 {
			return fmt.Errorf("%s has no prior from which a new level of %s could be drawn", p.Name, dim)
		}
		if !slices.ContainsFunc(p.Shape, func(n size.Poly) bool { return n.Equal(size.Dim(dim)) }) {
			return fmt.Errorf("%s has a size that is computed from %s", p.Name, dim)
		}
		d := &l.simulator.sim.Draws[i]
		for _, v := range d.Func.Values() {
			for grown, why := range tied(v) {
				if _, is := l.Grown[grown]; is {
					return fmt.Errorf("the prior of %s ties the levels of %s to each other, so that a "+
						"new one has no law without the others: %s", p.Name, dim, why)
				}
			}
			if v.Op == ir.OpGather && v.Args[0].Op != ir.OpData && l.grows(ir.Sizes(v.Over)) != "" {
				return fmt.Errorf("the prior of %s ties the levels of %s to each other, so that a "+
					"new one has no law without the others", p.Name, dim)
			}
			if v.Op != ir.OpData || l.isParam(v.Name) {
				continue
			}
			if in := l.simulator.sim.Spec.Schema.Input(v.Name); in == nil ||
				bound.Values[v.Name] == nil || l.grows(in.Shape) == "" {
				return fmt.Errorf("the prior of %s depends on the data %s of the fit", p.Name, v.Name)
			}
		}
	}
	return nil
}

func (l *NewLevels) isParam(name string) bool {
	return slices.ContainsFunc(l.simulator.sim.Spec.Params,
		func(p model.Param) bool { return p.Name == name })
}

// Params names the unknowns that have new entries.
func (l *NewLevels) Params() string {
	var names []string
	for _, p := range l.params {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

// Fitted returns the shape that a param had when the model was fitted; false where it is as it
// was.
func (l *NewLevels) Fitted(name string) ([]int, bool) {
	if l == nil {
		return nil, false
	}
	if p := l.param(name); p != nil {
		return p.fitted, true
	}
	return nil, false
}

// param is the unknown of that name, if it has new entries.
func (l *NewLevels) param(name string) *newParam {
	for i := range l.params {
		if l.params[i].Name == name {
			return &l.params[i]
		}
	}
	return nil
}

// Fill draws the entries of new levels into the values of params, laid out as at says: those of
// fitted levels, and params without levels, must be there.
func (l *NewLevels) Fill(out []float64, at map[string]int, seed uint64) error {
	s := *l.simulator
	b := *s.bound
	s.bound = &b
	b.Values = map[string]*data.Value{}
	for name, v := range l.simulator.bound.Values {
		b.Values[name] = v
	}
	for _, p := range s.sim.Spec.Params {
		if _, grown := l.Fitted(p.Name); grown {
			continue
		}
		shape := size.Shape(p.Shape, b.Dims)
		n := product(p.Shape, b.Dims)
		v := data.Dense(out[at[p.Name]:at[p.Name]+n], shape...)
		v.Canonical = true
		b.Values[p.Name] = v
	}
	s.keep = func(name string, drawn []float64) {
		if p := l.param(name); p != nil {
			into := out[at[name] : at[name]+len(drawn)]
			p.eachFitted(func(i int) { drawn[i] = into[i] })
			copy(into, drawn)
		}
	}
	_, errs, err := s.Draw(seed)
	if errs != nil {
		return errs[0]
	}
	return err
}

// Spread copies the values of a param as it was fitted to where they stand among new levels.
func (l *NewLevels) Spread(name string, from, into []float64) {
	next := 0
	l.param(name).eachFitted(func(i int) {
		into[i] = from[next]
		next++
	})
}

// eachFitted visits the entries of fitted levels, in the order in which the run has them.
func (p *newParam) eachFitted(visit func(i int)) {
	eachEntry(p.size, func(i int, index []int) {
		for k := range index {
			if index[k] >= p.fitted[k] {
				return
			}
		}
		visit(i)
	})
}

// eachEntry visits the entries of an array in row-major order.
func eachEntry(shape []int, visit func(i int, index []int)) {
	n := 1
	for _, k := range shape {
		n *= k
	}
	index := make([]int, len(shape))
	for i := range n {
		visit(i, index)
		for k := len(shape) - 1; k >= 0; k-- {
			if index[k]++; index[k] < shape[k] {
				break
			}
			index[k] = 0
		}
	}
}
