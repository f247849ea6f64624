package lower

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/model"
	"github.com/sgppl/sgppl/runtime/size"
)

// stage moves what depends on data alone into two functions that run once when
// a model is bound. Before
//
//	%4 = mean of x        (x, %4: of data)
//	%5 = sub %x %4
//	%6 = mul %5 %1        (with an unknown)
//
// after: constants has the output m = %4, derive has d = x − m, which reads the
// datum m, and %6 reads the datum d. Constants are what has lost the row axis:
// they are saved with a run, and score reuses them.
func (l *lowerer) stage(spec *model.Spec, funcs []*ir.Func) []*ir.Func {
	s := l.newStager(spec)
	if spec.RowDim != "" {
		s.rows = []string{spec.RowDim}
	}
	for i, f := range funcs {
		if early(f.Name) {
			continue
		}
		if f.Name == model.DifferenceFunction {
			s.reuse()
		}
		funcs[i] = s.function(f, func(user *ir.Value) bool { return user.State() || user.AnyRows() })
	}
	// A column reads the constants in it: those of the run, when it is scored.
	derive := s.function(&s.derive, func(user *ir.Value) bool { return s.byRow(user) })
	l.constants = s.constants.Outputs
	rows := readers(s.constants.Values(), s.fromRows)
	for _, o := range l.constants {
		if rows[o.Value] {
			l.fitted = append(l.fitted, o.Name)
		}
	}
	if l.statistics != nil {
		funcs = append(funcs, s.statisticsFunc(l.statistics))
	}
	for _, f := range []*ir.Func{derive, &s.constants} {
		if len(f.Outputs) > 0 {
			f = l.optimise(f)
			funcs = append([]*ir.Func{f}, funcs...)
		}
		if f.Name == "derive" {
			spec.Apart = apart(spec, f)
		}
	}
	return funcs
}

// early functions run before anything is derived.
func early(name string) bool {
	return strings.HasPrefix(name, "default ") || strings.HasPrefix(name, "check ")
}

func (l *lowerer) newStager(spec *model.Spec) *stager {
	s := &stager{l: l, spec: spec, name: map[*ir.Value]string{}, taken: map[string]bool{}, count: map[string]int{}}
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
	s.constants.Name, s.derive.Name = "constants", "derive"
	return s
}

type stager struct {
	l    *lowerer
	spec *model.Spec
	rows []string // the dims that count as rows

	constants, derive ir.Func
	name              map[*ir.Value]string
	taken             map[string]bool
	count             map[string]int    // how many names with a number a name has
	made              map[string]string // the names of what is derived, by what it computes; nil until reuse
}

// reuse has what is derived from now on be what is there already, where that
// computes the same along axes of its own.
func (s *stager) reuse() {
	s.made = map[string]string{}
	for _, o := range slices.Concat(s.constants.Outputs, s.derive.Outputs) {
		s.made[canonical(o)] = o.Name
	}
}

// function replaces by data what can be moved, where a user of the kind given
// reads it or it is an output. Of derive's own values only constants move.
func (s *stager) function(f *ir.Func, reads func(user *ir.Value) bool) *ir.Func {
	own := f == &s.derive
	values := f.Values()
	scalars, rows := readers(values, scalar), readers(values, s.fromRows)
	movable := func(v *ir.Value) bool { return s.movable(v) && !scalars[v] }
	wanted := map[*ir.Value]bool{}
	want := func(v, user *ir.Value) {
		switch {
		case own:
			wanted[v] = wanted[v] || movable(v) && !s.byRow(v) && rows[v]
		case user != nil && user.Op == ir.OpRows:
			wanted[v] = true // the rows at hand are those of a column, be it only an index
		default:
			wanted[v] = wanted[v] || movable(v)
		}
	}
	for _, v := range values {
		for _, a := range v.Args {
			if reads(v) {
				want(a, v)
			}
		}
	}
	for _, o := range f.Outputs {
		want(o.Value, nil)
	}
	return ir.RewriteFunc(s.l.b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if wanted[v] {
			return b.Leaf(ir.OpData, s.derived(v), v.Axes...)
		}
		return nil
	})
}

// movable values that read no scalar are computed from data, and are more than a
// number or an index. What is read through windows is many times the data, and stays.
func (s *stager) movable(v *ir.Value) bool {
	return v.Op != ir.OpWindow && v.Op != ir.OpWindowMax && !v.State() && !v.AnyRows() && v.Op.Class != ir.Leaf && v.Op.Class != ir.Random
}

// readers holds the values, of some that stand behind their arguments, that are
// what is asked for or depend on it.
func readers(values []*ir.Value, asked func(v *ir.Value) bool) map[*ir.Value]bool {
	reads := map[*ir.Value]bool{}
	for _, v := range values {
		if asked(v) || slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return reads[a] }) {
			reads[v] = true
		}
	}
	return reads
}

// scalar reports whether the value is a run-time scalar, or what a run draws or
// chooses.
func scalar(v *ir.Value) bool {
	return v.Op == ir.OpScalar || v.Op.Class == ir.Random || isLatent(v) || ofRun(v.Off) ||
		slices.ContainsFunc(v.Axes, func(a *ir.Axis) bool { return ofRun(a.Size) })
}

// ofRun reports whether a size is chosen by a run, and not known when data are bound.
func ofRun(p size.Poly) bool {
	return slices.ContainsFunc(p.Dims(), func(d string) bool { return slices.Contains(model.RunDims, d) })
}

// derived gives a value a name and an output of derive.
func (s *stager) derived(v *ir.Value) string {
	if name, ok := s.name[v]; ok {
		return name
	}
	out := ir.Output{Value: v, Axes: v.Axes}
	if s.made != nil {
		if name, ok := s.made[canonical(out)]; ok {
			s.name[v] = name
			return name
		}
	}
	name := v.Hint
	if name == "" || s.taken[name] {
		base := name
		if base == "" {
			base = "derived"
		}
		for name == "" || s.taken[name] {
			s.count[base]++
			name = fmt.Sprintf("%s%d", base, s.count[base])
		}
	}
	s.taken[name] = true
	s.name[v] = name
	out.Name = name
	d := model.Datum{Name: name, Shape: axisSizes(v.Axes), Derived: true}
	if s.byRow(v) {
		s.derive.Outputs = append(s.derive.Outputs, out)
		s.spec.Derived = append(s.spec.Derived, d)
	} else {
		s.constants.Outputs = append(s.constants.Outputs, out)
		s.spec.Constants = append(s.spec.Constants, d)
	}
	return name
}

// byRow reports whether a value has an axis that grows with the rows.
func (s *stager) byRow(v *ir.Value) bool {
	return slices.ContainsFunc(v.Axes, func(a *ir.Axis) bool { return s.grows(a.Size) })
}

func (s *stager) grows(p size.Poly) bool {
	return slices.ContainsFunc(s.rows, func(dim string) bool { return mentions(p, dim) })
}

// fromRows reports whether the value has rows, or is how many there are.
func (s *stager) fromRows(v *ir.Value) bool {
	return s.byRow(v) || v.Op == ir.OpSize && s.grows(v.Off)
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
			site.Alone = l.alone(j, &s)
			funcs = append(funcs, &ir.Func{Name: o.Name, Outputs: []ir.Output{o}})
		}
		spec.Sites = append(spec.Sites, site)
	}
	return funcs
}

// alone reports whether the log likelihood of row n is the log probability that
// a categorical site gives to entry n of its data.
func (l *lowerer) alone(j *joint, s *observed) bool {
	if len(j.terms) != 1 {
		return false
	}
	t := &l.terms[j.terms[0]]
	left := s.left
	for left.Op == ir.OpRename {
		left = left.Args[0]
	}
	return t.site == s.name && t.seen == nil && left.Op == ir.OpData && left.Name == s.name && len(left.Axes) == 1
}

func onlyAxis(o ir.Output, a *ir.Axis) bool { return len(o.Axes) == 1 && o.Axes[0] == a }
