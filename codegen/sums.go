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

// A turn is a part of some steps that is done in a turn, with its place among all turns.
type turn struct {
	plan.Turn
	place int
}

// inTurns emits the steps of a segment. Those that touch sums over rows are done in turns.
func (m *method) inTurns(steps []plan.Step) error {
	var turns []turn
	if m.seg == plan.Rows && m.f.joins {
		for place, t := range m.f.turns {
			turns = append(turns, turn{t, place})
		}
	}
	return m.steps(steps, turns)
}

// behind are the turns of the steps from n on.
func behind(turns []turn, n int) []turn {
	var out []turn
	for _, t := range turns {
		if t.To > n {
			t.From, t.To = t.From-n, t.To-n
			out = append(out, t)
		}
	}
	return out
}

// eachStep calls f for one step after another, in their turns.
func (m *method) eachStep(steps []plan.Step, turns []turn, f func(s plan.Step) error) error {
	for i, s := range steps {
		for _, t := range turns {
			if t.From == i {
				m.printf("frame.Turn.Begin(%d)", t.place)
			}
		}
		if err := f(s); err != nil {
			return err
		}
		for _, t := range turns {
			if t.To == i+1 {
				m.printf("frame.Turn.End(%d)", t.place)
			}
		}
	}
	return nil
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
	if m.f.long(b) {
		m.printf("%s(frame.Team, %s)", m.call("TeamClear"), m.array(b))
		return
	}
	m.printf("clear(%s)", m.array(b))
}

// leastShared is how many entries an array has for a team to be worth its sharing.
const leastShared = 1 << 15

// long reports whether an array is known to be so long that a team may share what is done to each
// of its entries.
func (f *function) long(b *plan.Buffer) bool {
	entries := 1
	for _, a := range b.Axes {
		k, known := a.Size.Number()
		if a.Rows || !known {
			return false
		}
		entries *= k
	}
	return entries >= leastShared
}
