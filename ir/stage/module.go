package stage

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/opt"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A Module is a set of functions that read data, with their description for the runtime.
type Module struct {
	Spec    *model.Spec
	Funcs   []*ir.Func
	Builder *ir.Builder

	// Fitted names the constants that were computed from rows, such as mean(x): for new rows they keep
	// their values. All other constants are recomputed.
	Fitted    []string
	Constants []ir.Output // outputs of the function constants
}

// Assemble makes a module of optimised functions. It moves values that depend on data alone into
// functions that run once, and lists in the spec the data that functions read. once has the
// functions statistics and totals, which the function of full passes reads.
func Assemble(o *opt.Optimiser, spec *model.Spec, funcs []*ir.Func, once ...*ir.Func) *Module {
	m := &Module{Spec: spec, Builder: o.B}
	m.stage(o, funcs, once)
	for _, f := range m.Funcs {
		o.Show("stage", f)
	}
	spec.OneLength = oneLength(spec, without(m.Funcs, fn.Difference))
	// functions that others compute blockwise are not padded
	if !spec.OneLength && oneLength(spec, m.Funcs) {
		m.Funcs = without(m.Funcs, fn.Difference)
	}
	spec.Data = Data(spec, m.Funcs)
	return m
}

// stage sets the functions of the module, those of data alone first.
func (m *Module) stage(o *opt.Optimiser, funcs, once []*ir.Func) {
	s := New(o, m.Spec)
	if m.Spec.RowDim != "" {
		s.rows = []string{m.Spec.RowDim}
	}
	for i, f := range funcs {
		if f.ID.Kind.Early() {
			continue
		}
		if f.ID.Kind == fn.Weighted || f.ID.Kind == fn.Difference {
			s.Reuse()
		}
		funcs[i] = s.Move(f, func(user *ir.Value) bool { return user.State() || user.AnyRows() })
	}
	derive := s.Derive()
	m.Constants, m.Fitted = s.constants.Outputs, s.fitted()
	for _, f := range once {
		funcs = append(funcs, s.once(f))
	}
	for _, f := range []*ir.Func{derive, &s.constants} {
		if len(f.Outputs) > 0 {
			f = o.Run(f)
			funcs = append([]*ir.Func{f}, funcs...)
		}
		if f.ID.Kind == fn.Derive {
			m.Spec.Apart = apart(m.Spec, f)
		}
	}
	m.Funcs = funcs
}

// once returns a function of data alone that reads the columns and constants which have been moved.
func (s *Stager) once(f *ir.Func) *ir.Func {
	f = ir.RewriteFunc(s.o.B, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if name, ok := s.name[v]; ok {
			return b.Leaf(ir.OpData, name, v.Axes...)
		}
		return nil
	})
	if f.ID.Kind == fn.Statistics { // before passes replace the axis of rows by numbers
		f = s.byBlock(ir.Unify(s.o.B, f))
	}
	return s.o.Run(f)
}

// AddCheck enters a check of computed indices into the spec, and returns its
// function, optimised.
func AddCheck(o *opt.Optimiser, spec *model.Spec, f *ir.Func, c model.Check) *ir.Func {
	f = o.Run(f)
	for _, v := range f.Values() {
		if v.Op == ir.OpData && !slices.Contains(c.Reads, v.Name) {
			c.Reads = append(c.Reads, v.Name)
		}
	}
	spec.Checks = append(spec.Checks, c)
	return f
}

// without returns the functions except for those of a kind.
func without(funcs []*ir.Func, kind fn.Kind) []*ir.Func {
	return slices.DeleteFunc(slices.Clone(funcs),
		func(f *ir.Func) bool { return f.ID.Kind == kind })
}
