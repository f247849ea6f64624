// Package stage finds what depends on data alone and moves it into functions
// that run once, when a model is bound: constants, which has lost the row axis,
// and derive, with a value for every row.
package stage

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/opt"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A Stager moves what depends on data alone out of functions. Before
//
//	%4 = mean of x        (x, %4: of data)
//	%5 = sub %x %4
//	%6 = mul %5 %1        (with an unknown)
//
// after: constants has the output m = %4, derive has d = x − m, which reads the
// datum m, and %6 reads the datum d. Constants are what has lost the row axis:
// they are saved with a run, and score reuses them.
type Stager struct {
	o    *opt.Optimiser
	spec *model.Spec
	rows []string // the dims that count as rows

	constants, derive ir.Func
	name              map[*ir.Value]string // of what has been moved
	taken             map[string]bool
	count             map[string]int // how many names with a number a name has
	// the names of what is derived, by what it computes; nil until Reuse
	made map[string]string
}

// New makes a Stager that enters what it moves into spec. rows are the dims that
// count as rows.
func New(o *opt.Optimiser, spec *model.Spec, rows ...string) *Stager {
	s := &Stager{o: o, spec: spec, rows: rows, name: map[*ir.Value]string{},
		taken: map[string]bool{}, count: map[string]int{}}
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
	s.constants.ID, s.derive.ID = fn.Constants.ID(), fn.Derive.ID()
	return s
}

// Reuse makes the functions that follow read what has been moved already, where
// it computes the same numbers along other axes.
func (s *Stager) Reuse() {
	s.made = map[string]string{}
	for _, o := range slices.Concat(s.constants.Outputs, s.derive.Outputs) {
		s.made[canonical(o)] = o.Name
	}
}

// Move replaces by data what can be moved, where a value for which reads holds
// reads it, or it is an output.
func (s *Stager) Move(f *ir.Func, reads func(user *ir.Value) bool) *ir.Func {
	return s.move(f, reads, false)
}

// Derive is the function derive, which reads the constants in it: those of the
// run, when the run is scored.
func (s *Stager) Derive() *ir.Func { return s.move(&s.derive, s.byRow, true) }

// move is Move; of the values of derive only constants move.
func (s *Stager) move(f *ir.Func, reads func(user *ir.Value) bool, own bool) *ir.Func {
	values := f.Values()
	scalars, rows := Scalars(values), readers(values, s.fromRows)
	movable := func(v *ir.Value) bool { return s.movable(v) && !scalars[v] }
	wanted := map[*ir.Value]bool{}
	want := func(v, user *ir.Value) {
		switch {
		case own:
			wanted[v] = wanted[v] || movable(v) && !s.byRow(v) && rows[v]
		case user != nil && user.Op == ir.OpRows:
			wanted[v] = true // the current rows are those of a column, be it only an index
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
	return ir.RewriteFunc(s.o.B, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if wanted[v] {
			return b.Leaf(ir.OpData, s.derived(v), v.Axes...)
		}
		return nil
	})
}

// movable values that read no scalar are computed from data, and are more than a
// number or an index. What is read through windows is many times the data, and stays.
func (s *Stager) movable(v *ir.Value) bool {
	return v.Op != ir.OpWindow && v.Op != ir.OpWindowMax && !v.State() && !v.AnyRows() &&
		v.Op.Class != ir.Leaf && v.Op.Class != ir.Random
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

// Scalars holds the values, of some that stand behind their arguments, that depend
// on a number that a run chooses or draws.
func Scalars(values []*ir.Value) map[*ir.Value]bool { return readers(values, scalar) }

// scalar reports whether the value is a run-time scalar, or what a run draws or
// chooses.
func scalar(v *ir.Value) bool {
	return v.Op == ir.OpScalar || v.Op.Class == ir.Random ||
		v.Op == ir.OpData && model.Drawn(v.Name) || ofRun(v.Off) ||
		slices.ContainsFunc(v.Axes, func(a *ir.Axis) bool { return ofRun(a.Size) })
}

// ofRun reports whether a size is chosen by a run, and not known when data are bound.
func ofRun(p size.Poly) bool {
	return slices.ContainsFunc(p.Dims(),
		func(d string) bool { return slices.Contains(model.RunDims, d) })
}

// derived gives a value a name and an output of derive.
func (s *Stager) derived(v *ir.Value) string {
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
	d := model.Datum{Name: name, Shape: ir.Sizes(v.Axes), Derived: true}
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
func (s *Stager) byRow(v *ir.Value) bool {
	return slices.ContainsFunc(v.Axes, func(a *ir.Axis) bool { return s.grows(a.Size) })
}

func (s *Stager) grows(p size.Poly) bool {
	return slices.ContainsFunc(s.rows, func(dim string) bool { return p.Mentions(dim) })
}

// fromRows reports whether the value has rows, or is how many there are.
func (s *Stager) fromRows(v *ir.Value) bool {
	return s.byRow(v) || v.Op == ir.OpSize && s.grows(v.Off)
}

// fitted are the names of the constants that were computed from rows.
func (s *Stager) fitted() []string {
	var out []string
	rows := readers(s.constants.Values(), s.fromRows)
	for _, o := range s.constants.Outputs {
		if rows[o.Value] {
			out = append(out, o.Name)
		}
	}
	return out
}

// Split returns the constants that any data have for themselves, and those of a
// run, which were computed from its rows: they become Given in the spec.
func (s *Stager) Split() (own, ofRun []ir.Output) {
	var data, known []model.Datum
	rows := readers(s.constants.Values(), s.fromRows)
	for i, o := range s.constants.Outputs {
		if rows[o.Value] {
			ofRun, known = append(ofRun, o), append(known, s.spec.Constants[i])
		} else {
			own, data = append(own, o), append(data, s.spec.Constants[i])
		}
	}
	s.spec.Constants, s.spec.Given = data, known
	return own, ofRun
}
