package codegen

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sgppl/sgppl/ir/plan"
)

// A loop over rows that reads the entries of their groups is often followed by sums over the rows
// of each group: gather, residual, scatter. Both are one loop then, which has the sum of a group in
// a register as long as the rows are of that group. Sums are added to in the order of the rows
// either way:
//
//	at := int(county[0])
//	sum := scatter[at]
//	for n := range rows {
//		if to := int(county[n]); to != at {
//			scatter[at] = sum
//			at = to
//			sum = scatter[at]
//		}
//		d := y[n] - a[int(county[n])]
//		sum += d
//	}
//	scatter[at] = sum
//
// Blocks of rows that add in turns compute what they add before their turn, in a loop of its own.

// An adding is a sum over groups that a loop adds to, of what it stores to an array.
type adding struct {
	of  *plan.Buffer
	sum string // the local that has the sum of the present group
}

// grouped prints a loop and the scatter that follows it as one loop, with the sums between them. It
// returns how many steps that are; 0 where the steps begin otherwise.
func (m *method) grouped(steps []plan.Step, turns []turn) (int, error) {
	k := m.scattered(steps)
	if k == 0 {
		return 0, nil
	}
	loop, scatter := steps[0].Loop, steps[k].Kernel
	return k + 1, m.eachStep(steps[:k+1], turns, func(s plan.Step) error {
		switch {
		case s.Loop == loop:
			m.source(s)
			return m.adds(loop, scatter, len(turns) > 0)
		case s.Kernel != scatter:
			return m.step(s)
		case len(turns) == 0:
			return nil
		}
		m.printf("if frame.Turn != nil {")
		defer m.printf("}")
		return m.kernel(scatter)
	})
}

// scattered returns where the scatter of what the first step computes is; 0 where there is none, or
// something else is between them than sums of other memory.
func (m *method) scattered(steps []plan.Step) int {
	l := steps[0].Loop
	if l == nil || len(l.Axes) != 1 || m.f.p.Single || len(m.now) > 0 {
		return 0
	}
	at := 1
	for at < len(steps) && steps[at].Kernel != nil && sums(steps[at].Kernel) {
		at++
	}
	if at == len(steps) {
		return 0
	}
	k := steps[at].Kernel
	if k == nil || k.Name != "scatter" || !k.Acc || len(k.Dst.Axes) != 1 {
		return 0
	}
	of, index := k.Args[0], k.Args[1]
	along := func(b *plan.Buffer) bool {
		return !b.Sparse && len(b.Axes) == 1 && b.Axes[0] == l.Axes[0]
	}
	if !along(of) || !along(index) || of.Where != plan.Temp {
		return 0
	}
	stored, gathers, clash := 0, false, false
	for i, s := range steps[:at] {
		visit(s, func(b *plan.Buffer, read bool) {
			clash = clash || sameMemory(b, k.Dst) || !read && sameMemory(b, index)
			if i == 0 && !read && sameMemory(b, of) {
				stored++
			}
		})
	}
	for _, in := range l.Body {
		for _, o := range in.Args {
			if o.Kind == plan.Load {
				gathers = gathers || slices.ContainsFunc(o.At, func(x plan.Index) bool {
					return x.From != nil && x.From.Kind == plan.Load && x.From.Buf == index
				})
			}
		}
		for _, s := range in.Stores {
			if s.Buf == of && (in.When != plan.Always || !walks(of, storeAt(s), l.Axes)) {
				return 0
			}
		}
	}
	if stored != 1 || !gathers || clash {
		return 0
	}
	return at
}

// adds prints a loop that also adds to the groups of a scatter; in turns it does so only where
// there are none at run time.
func (m *method) adds(l *plan.Loop, k *plan.Kernel, turns bool) error {
	n := m.newNest(l.Axes, l.Body)
	at, to, sum := n.names.fresh("at"), n.names.fresh("to"), n.names.fresh("sum")
	n.adding = &adding{of: k.Args[0], sum: sum}
	if err := n.instructions(l.Body, false); err != nil {
		return err
	}
	index, groups := m.array(k.Args[1]), m.array(k.Dst)
	m.body.WriteString(n.before[0].String())
	length, alone := m.extent(l.Axes).text, ""
	if turns {
		alone = "frame.Turn == nil && "
	}
	m.printf("if %s%s > 0 {", alone, length)
	m.printf("%s := int(%s[0])\n%s := %s[%s]", at, index, sum, groups, at)
	m.printf("for %s := range %s {", n.vars[0], length)
	m.printf("if %s := int(%s[%s]); %s != %s {", to, index, n.vars[0], to, at)
	m.printf("%s[%s] = %s\n%s = %s\n%s = %s[%s]\n}", groups, at, sum, at, to, sum, groups, at)
	m.body.WriteString(n.body.String())
	m.printf("}\n%s[%s] = %s", groups, at, sum)
	if !turns {
		m.printf("}")
		return nil
	}
	m.printf("} else {")
	known := maps.Clone(m.known)
	err := m.loop(l)
	m.known = known
	m.printf("}")
	return err
}

// add adds a value to the sum of the present group where it is what the scatter adds. It returns
// the value, under a name where that is read again, and whether it is.
func (n *nest) add(b *plan.Buffer, value expr) (expr, bool) {
	if n.adding == nil || b != n.adding.of {
		return value, true
	}
	again := n.m.f.reads[b] > 1
	if again && !value.simple() {
		name := n.names.fresh(n.m.f.name(b))
		fmt.Fprintf(&n.body, "%s := %s\n", name, value.text)
		value = primary("%s", name)
	}
	fmt.Fprintf(&n.body, "%s += %s\n", n.adding.sum, value.text)
	return value, again
}
