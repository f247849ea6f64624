package lower

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/model"
)

// stage moves what depends on data alone into the function derive, which runs
// once when a model is bound: before
//
//	%5 = log %4      (of a datum)
//	%6 = mul %5 %1   (with an unknown)
//
// after: derive has the output derived1 = %5, and %6 reads the datum derived1.
func (l *lowerer) stage(spec *model.Spec, funcs []*ir.Func) []*ir.Func {
	s := &stager{l: l, spec: spec, name: map[*ir.Value]string{}, taken: map[string]bool{}}
	for _, in := range spec.Schema.Inputs {
		s.taken[in.Name] = true
	}
	for _, d := range spec.Schema.Dims {
		s.taken[d.Name] = true
	}
	for _, p := range spec.Params {
		s.taken[p.Name] = true
	}
	for _, t := range spec.Tracks {
		s.taken[t.Name] = true
	}
	for i, f := range funcs {
		if strings.HasPrefix(f.Name, "default ") || strings.HasPrefix(f.Name, "check ") {
			continue // they run before anything is derived
		}
		funcs[i] = s.function(f)
	}
	if len(s.derive.Outputs) == 0 {
		return funcs
	}
	s.derive.Name = "derive"
	return append([]*ir.Func{l.optimise(&s.derive)}, funcs...)
}

type stager struct {
	l      *lowerer
	spec   *model.Spec
	derive ir.Func
	name   map[*ir.Value]string
	taken  map[string]bool
}

func (s *stager) function(f *ir.Func) *ir.Func {
	wanted := map[*ir.Value]bool{}
	for _, v := range f.Values() {
		for _, a := range v.Args {
			if v.State() || v.AnyRows() {
				// The rows at hand are those of a column, be it only an index.
				wanted[a] = wanted[a] || s.movable(a) || v.Op == ir.OpRows
			}
		}
	}
	for _, o := range f.Outputs {
		wanted[o.Value] = wanted[o.Value] || s.movable(o.Value)
	}
	return ir.RewriteFunc(s.l.b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if wanted[v] {
			return b.Leaf(ir.OpData, s.derived(v), v.Axes...)
		}
		return nil
	})
}

// movable values are computed from data, and are more than a number or an index.
func (s *stager) movable(v *ir.Value) bool {
	return !v.State() && !v.AnyRows() && v.Op.Class != ir.Leaf && v.Op.Class != ir.Random && !scalars(v)
}

// scalars reports whether the value reads a run-time scalar.
func scalars(v *ir.Value) bool {
	for _, x := range ir.Reach(v) {
		if x.Op == ir.OpScalar || x.Op.Class == ir.Random {
			return true
		}
	}
	return false
}

// derived gives a value a name and an output of derive.
func (s *stager) derived(v *ir.Value) string {
	if name, ok := s.name[v]; ok {
		return name
	}
	name := v.Hint
	if name == "" || s.taken[name] {
		base := name
		if base == "" {
			base = "derived"
		}
		for i := 1; name == "" || s.taken[name]; i++ {
			name = fmt.Sprintf("%s%d", base, i)
		}
	}
	s.taken[name] = true
	s.name[v] = name
	s.derive.Outputs = append(s.derive.Outputs, ir.Output{Name: name, Value: v, Axes: v.Axes})
	d := model.Datum{Name: name, Shape: axisSizes(v.Axes), Derived: true}
	for _, p := range d.Shape {
		d.Rows = d.Rows || s.spec.RowDim != "" && mentions(p, s.spec.RowDim)
	}
	s.spec.Derived = append(s.spec.Derived, d)
	return name
}

// predictions are the functions of observed names that go by row.
func (l *lowerer) predictions(spec *model.Spec, j *joint) []*ir.Func {
	var funcs []*ir.Func
	have := map[string]ir.Output{}
	for _, o := range j.rows {
		have[o.Name] = o
	}
	for i, s := range l.sites {
		if s.name == "" || l.siteTwice(i) {
			continue
		}
		site := model.Site{Name: s.name, Kind: kinds[s.typ.Kind]}
		if o, ok := have["mean "+s.name]; ok && onlyAxis(o, j.row) {
			site.Mean, site.Rows = true, true
			funcs = append(funcs, &ir.Func{Name: o.Name, Outputs: []ir.Output{o}})
		}
		if o, ok := have["classes "+s.name]; ok {
			site.Classes, site.Rows = l.size(s.typ.Below), true
			funcs = append(funcs, &ir.Func{Name: o.Name, Outputs: []ir.Output{o}})
		}
		spec.Sites = append(spec.Sites, site)
	}
	return funcs
}

func onlyAxis(o ir.Output, a *ir.Axis) bool { return len(o.Axes) == 1 && o.Axes[0] == a }
