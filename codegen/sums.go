package codegen

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/ir/plan"
)

// Blocks of rows add to sums. Functions that compute different blocks at the same time have their
// sums in common, and add in turns (plan.Turn).

// sumsType declares the numbers among the sums.
func (f *function) sumsType() string {
	if len(f.sums) == 0 {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "// %sSums has the numbers that blocks of rows add to.\n", f.typ)
	fmt.Fprintf(&out, "type %sSums struct {\n", f.typ)
	for _, m := range f.sums {
		fmt.Fprintf(&out, "%s %s // %s\n", m.name, m.typ, remark(m.values))
	}
	out.WriteString("}\n\n")
	return out.String()
}

// join is the method by which functions have their sums in common.
func (f *function) join() string {
	if !f.joins {
		return ""
	}
	var to, from []string
	if len(f.sums) > 0 {
		to, from = append(to, "f.sums"), append(from, "first.sums")
	}
	for _, b := range f.accumulators() {
		if len(b.Axes) > 0 {
			to, from = append(to, "f."+f.slot[b.Slot]), append(from, "first."+f.slot[b.Slot])
		}
	}
	var out strings.Builder
	out.WriteString("// Join implements model.Joiner.\n")
	if len(to) == 0 {
		fmt.Fprintf(&out, "func (*%s) Join(model.Func) bool { return true }\n\n", f.typ)
		return out.String()
	}
	fmt.Fprintf(&out, "func (f *%s) Join(of model.Func) bool {\nfirst := of.(*%s)\n", f.typ, f.typ)
	fmt.Fprintf(&out, "%s = %s\nreturn true\n}\n\n", strings.Join(to, ", "),
		strings.Join(from, ", "))
	return out.String()
}

// accumulators returns the buffers that are set to zero before the first block of rows.
func (f *function) accumulators() []*plan.Buffer {
	var out []*plan.Buffer
	seen := map[*plan.Buffer]bool{}
	for seg := range f.p.Steps {
		for _, s := range f.p.Steps[seg] {
			visit(s, func(b *plan.Buffer, _ bool) {
				if b.Acc && !seen[b] {
					seen[b] = true
					out = append(out, b)
				}
			})
		}
	}
	return out
}

// inTurns emits the steps of a segment. Those that touch sums over rows are done in turns.
func (m *method) inTurns(steps []plan.Step) error {
	at := 0
	if m.seg == plan.Rows && m.f.joins {
		for place, t := range m.f.turns {
			if err := m.steps(steps[at:t.From]); err != nil {
				return err
			}
			m.printf("frame.Turn.Begin(%d)", place)
			if err := m.steps(steps[t.From:t.To]); err != nil {
				return err
			}
			m.printf("frame.Turn.End(%d)", place)
			at = t.To
		}
	}
	return m.steps(steps[at:])
}

// resetAll makes the sums zero, unless they are those of another function.
func (m *method) resetAll() {
	sums := m.f.accumulators()
	if len(sums) == 0 {
		return
	}
	if m.f.joins {
		m.printf("if frame.Turn == nil {")
		defer m.printf("}")
	}
	for _, b := range sums {
		m.reset(b)
	}
}

// reset makes an accumulator zero.
func (m *method) reset(b *plan.Buffer) {
	if len(b.Axes) == 0 {
		m.printf("%s = 0", m.number(b))
		return
	}
	m.printf("clear(%s)", m.array(b))
}
