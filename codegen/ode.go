package codegen

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/ir/plan"
)

// solverField is the member that keeps the solver of an ode and its memory.
func (f *function) solverField(o *plan.Ode, name string) member {
	options := []string{"Rtol: " + strconv.FormatFloat(o.Rtol, 'g', -1, 64),
		"Atol: " + strconv.FormatFloat(o.Atol, 'g', -1, 64)}
	if o.Stiff {
		options = append([]string{"Stiff: true"}, options...)
	}
	if o.MaxSteps > 0 {
		options = append(options, fmt.Sprintf("MaxSteps: %d", o.MaxSteps))
	}
	text := "ode.Solver{Options: ode.Options{" + strings.Join(options, ", ") + "}"
	if len(o.Blocks) > 0 {
		text += ", Blocks: []ode.Block{"
		for i, k := range o.Blocks {
			if i > 0 {
				text += ", "
			}
			b := plan.Buffer{Axes: k.Columns}
			text += "{Len: " + f.g.polyText(b.Width(), "s.") + "}"
		}
		text += "}"
	}
	return member{name: name, typ: "ode.Solver", value: text + "}",
		note: "of a differential equation"}
}

// ode emits the solution of a problem for every entry of the batch axes. The
// slope is a function that the solver calls and does not keep.
func (m *method) ode(o *plan.Ode) error {
	names, known := m.names, m.known
	defer func() { m.names, m.known = names, known }()
	m.names, m.known = newScope(names), maps.Clone(known)
	for _, a := range o.Batch {
		at := m.names.fresh(local(a.Name))
		m.now[a] = at
		m.printf("for %s := range %s {", at, m.length(a).text)
	}
	if err := m.steps(o.Start, nil); err != nil {
		return err
	}
	solver := "f." + m.f.solver[o]
	entry := func(b *plan.Buffer) string {
		name := m.array(b)
		at, width := primary("0"), m.extent(b.Axes[len(o.Batch):])
		for _, a := range b.Axes[:len(o.Batch)] {
			at = add(mul(at, m.length(a)), primary("%s", m.now[a]))
		}
		if len(o.Batch) == 0 {
			return name
		}
		return fmt.Sprintf("%s[%s:][:%s]", name, mul(at, width).text, width.text)
	}
	m.printf("%s.F = %s", solver, m.array(o.F))
	if o.Jacobian != nil {
		m.printf("%s.Jacobian = %s", solver, m.array(o.Jacobian))
	}
	for i, k := range o.Blocks {
		m.printf("%s.Blocks[%d].Out = %s", solver, i, entry(k.Out))
		if k.Forcing != nil {
			m.printf("%s.Blocks[%d].Forcing = %s", solver, i, m.array(k.Forcing))
		}
	}
	if err := m.slope(o, solver, entry); err != nil {
		return err
	}
	for _, a := range o.Batch {
		m.printf("}")
		delete(m.now, a)
	}
	return nil
}

// slope emits the call of the solver, with the slope as a function in place.
func (m *method) slope(o *plan.Ode, solver string, entry func(b *plan.Buffer) string) error {
	names, known := m.names, m.known
	defer func() { m.names, m.known = names, known }()
	m.names, m.known = newScope(names), maps.Clone(known)
	time, point := m.buffers[o.Time], m.names.fresh("z")
	m.printf("%s.Solve(func(%s float64, %s []float64) {", solver, time, point)
	m.printf("copy(%s, %s)", m.array(o.Point), point)
	if err := m.steps(o.Slope, nil); err != nil {
		return err
	}
	m.printf("}, %s, %s, %s, %s)", m.array(o.Z0), m.number(o.T0), m.array(o.Ts), entry(o.Out))
	return nil
}

// solvers gives every ode of the program a member of the struct.
func (f *function) solvers(names *scope) []member {
	var out []member
	var walk func(steps []plan.Step)
	walk = func(steps []plan.Step) {
		for _, s := range steps {
			if q := s.Sequence; q != nil {
				walk(q.Steps)
			}
			if o := s.Ode; o != nil {
				f.solver[o] = names.fresh("solver")
				out = append(out, f.solverField(o, f.solver[o]))
				walk(o.Start)
				walk(o.Slope)
			}
		}
	}
	for seg := range f.p.Steps {
		walk(f.p.Steps[seg])
	}
	return out
}
