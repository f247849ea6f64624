// Package stage finds values that depend on data alone and moves them into functions that run once,
// when a model is bound: constants, for values without the row axis, and derive, for values with
// one number or more for every row.
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
// after: constants has the output m = %4, derive has d = x − m, which reads the datum m, and %6
// reads the datum d. Constants have no row axis; they are saved with a run, and score reuses them.
type Stager struct {
	o    *opt.Optimiser
	spec *model.Spec
	rows []string // dims that count as rows

	constants, derive ir.Func
	name              map[*ir.Value]string // names of the values that have been moved
	taken             map[string]bool
	count             map[string]int // how many numbered names begin with a name
	// made maps what a derived value computes (see canonical) to its name; nil until Reuse.
	made map[string]string
	late map[string]bool // data that are computed after the constants and derive
}

// New makes a Stager that adds the values it moves to spec. rows are the dims that count as rows.
func New(o *opt.Optimiser, spec *model.Spec, rows ...string) *Stager {
	s := &Stager{o: o, spec: spec, rows: rows, name: map[*ir.Value]string{},
		taken: map[string]bool{}, count: map[string]int{}, late: map[string]bool{}}
	for _, d := range slices.Concat(spec.StatisticData(), spec.Totals) {
		s.late[d.Name] = true
	}
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

// Reuse has later functions read values that have been moved already, where these hold the same
// numbers along other axes.
func (s *Stager) Reuse() {
	s.made = map[string]string{}
	for _, o := range slices.Concat(s.constants.Outputs, s.derive.Outputs) {
		s.made[canonical(o)] = o.Name
	}
}

// Move replaces values of data alone by data, where they are outputs or read by a value for which
// reads is true.
func (s *Stager) Move(f *ir.Func, reads func(user *ir.Value) bool) *ir.Func {
	return s.move(f, reads, false)
}

// Derive returns the function derive. It reads the constants as data: those of the run, when new
// rows are scored.
func (s *Stager) Derive() *ir.Func { return s.move(&s.derive, s.byRow, true) }

// move is Move. own says that f is derive, in which only constants are moved.
func (s *Stager) move(f *ir.Func, reads func(user *ir.Value) bool, own bool) *ir.Func {
	values := f.Values()
	scalars, rows := Scalars(values), readers(values, s.fromRows)
	late := readers(values, func(v *ir.Value) bool { return v.Op == ir.OpData && s.late[v.Name] })
	movable := func(v *ir.Value) bool { return s.movable(v) && !scalars[v] && !late[v] }
	wanted := map[*ir.Value]bool{}
	want := func(v, user *ir.Value) {
		switch {
		case own:
			wanted[v] = wanted[v] || movable(v) && !s.byRow(v) && rows[v]
		case user != nil && user.Op == ir.OpRows:
			wanted[v] = true // its rows are then the current rows of a column, even if it is only an index
		default:
			wanted[v] = wanted[v] || movable(v)
		}
	}
	for _, v := range values {
		for _, a := range v.Args {
			if reads(v) || late[v] {
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

// movable reports whether a value is computed from data alone and is more than a number or an
// index. Values read through windows are many times as large as the data, and are not moved.
func (s *Stager) movable(v *ir.Value) bool {
	return v.Op != ir.OpWindow && v.Op != ir.OpWindowMax && !v.State() && !v.AnyRows() &&
		v.Op.Class != ir.Leaf && !v.Op.Draws()
}

// readers returns those of the values that are asked for, or that depend on one that is. values
// must have arguments before their users.
func readers(values []*ir.Value, asked func(v *ir.Value) bool) map[*ir.Value]bool {
	reads := map[*ir.Value]bool{}
	for _, v := range values {
		if asked(v) || slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return reads[a] }) {
			reads[v] = true
		}
	}
	return reads
}

// Scalars returns those of the values that depend on a number which a run chooses or draws. values
// must have arguments before their users.
func Scalars(values []*ir.Value) map[*ir.Value]bool { return readers(values, scalar) }

// scalar reports whether a value is a run-time scalar, or is drawn or chosen by a run.
func scalar(v *ir.Value) bool {
	return v.Op == ir.OpScalar || v.Op.Draws() ||
		v.Op == ir.OpData && model.Drawn(v.Name) || ofRun(v.Off) ||
		slices.ContainsFunc(v.Axes, func(a *ir.Axis) bool { return ofRun(a.Size) })
}

// ofRun reports whether a size is chosen by a run instead of being known when data are bound.
func ofRun(p size.Poly) bool {
	return slices.ContainsFunc(p.Dims(),
		func(d string) bool { return slices.Contains(model.RunDims, d) })
}

// derived makes a value an output of derive, and returns its name.
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

// fromRows reports whether a value has rows, or depends on their number.
func (s *Stager) fromRows(v *ir.Value) bool {
	return s.byRow(v) || v.Op == ir.OpSize && s.grows(v.Off)
}

// fitted returns the names of the constants that were computed from rows.
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

// Split divides the constants into those that are computed from any data at hand, and those of a
// run, which were computed from its rows and become Given in the spec.
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
