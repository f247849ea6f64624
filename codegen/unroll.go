package codegen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
)

// mostUnrolled is how many entries a loop has at most that is written without a loop.
const mostUnrolled = 9

// unrolled writes a loop in the steps of a recurrence once for each of its entries, where these are
// a few and known: a step is then straight-line code. It reports whether it did.
func (m *method) unrolled(axes []*ir.Axis, body []plan.Instr, adds bool) (bool, error) {
	total := 1
	sizes := make([]int, len(axes))
	for i, a := range axes {
		n, known := a.Size.Number()
		if known = known && !a.Rows; !known {
			return false, nil
		}
		sizes[i] = n
		total *= n
	}
	if len(m.now) == 0 || len(axes) == 0 || total == 0 || total > mostUnrolled || m.f.p.Single ||
		m.shifted(body, axes...) {
		return false, nil
	}
	defer func() {
		for _, a := range axes {
			delete(m.now, a)
		}
	}()
	for k := range total {
		for i, at := len(axes)-1, k; i >= 0; i-- {
			m.now[axes[i]] = strconv.Itoa(at % sizes[i])
			at /= sizes[i]
		}
		if err := m.nest(nil, body, adds); err != nil {
			return false, err
		}
	}
	return true, nil
}

// mostLast is how many entries an innermost loop has at most that is written out in the loop around
// it.
const mostLast = 4

// fewLast returns the innermost axis of a nest and its length, where it is short and known, and no
// access walks through it and the axis around it alike; nil otherwise.
func (n *nest) fewLast(body []plan.Instr) (*ir.Axis, int) {
	if len(n.groups) < 2 || n.single || n.m.f.p.Single || len(n.groups[len(n.groups)-1]) > 1 {
		return nil, 0
	}
	last := n.groups[len(n.groups)-1][0]
	size, known := last.Size.Number()
	if last.Rows || !known || size == 0 || size > mostLast || n.m.shifted(body, last) ||
		len(body) > 12 {
		return nil, 0
	}
	return last, size
}

// withoutLast writes a nest whose innermost loop is written out.
func (m *method) withoutLast(axes []*ir.Axis, last *ir.Axis, size int, body []plan.Instr,
	adds bool) error {
	n := m.newNest(ir.Without(axes, []*ir.Axis{last}), body)
	defer delete(m.now, last)
	for k := range size {
		m.now[last] = strconv.Itoa(k)
		if err := n.instructions(body, adds); err != nil {
			return err
		}
	}
	n.copied = assignment{}
	n.print()
	return nil
}

// shifted reports whether a body reads at places that need a test, and that may lie outside along
// some axes.
func (m *method) shifted(body []plan.Instr, axes ...*ir.Axis) bool {
	found := false
	var index func(at []plan.Index)
	operand := func(o plan.Operand) {
		if o.Guard {
			for k, i := range o.At {
				found = found || i.From != nil || slices.Contains(axes, i.Axis) &&
					(len(i.Off.Terms) > 0 || !sameLength(i.Axis, o.Buf.Axes[k]))
			}
		}
		index(o.At)
	}
	index = func(at []plan.Index) {
		for _, i := range at {
			found = found || (i.Neg || i.Clamp) &&
				(i.Axis == nil || m.now[i.Axis] != "" || slices.Contains(axes, i.Axis))
			if i.From != nil {
				operand(*i.From)
			}
		}
	}
	for _, in := range body {
		for _, o := range in.Args {
			operand(o)
		}
		for _, s := range in.Stores {
			index(s.At)
		}
	}
	return found
}

// fewEntries writes a sum or a log-sum-exp of two or three entries, in the steps of a recurrence,
// without a call for the array. It reports whether it did. The order is that of the kernel.
func (m *method) fewEntries(k *plan.Kernel) bool {
	if len(m.now) == 0 || m.f.p.Single || k.Acc || len(k.Dst.Axes) == 0 {
		return false
	}
	count := func(axes []*ir.Axis) int {
		total := 1
		for _, a := range axes {
			n, known := a.Size.Number()
			if a.Rows || !known {
				return 0
			}
			total *= n
		}
		return total
	}
	outer, along, inner := count(k.Outer), count(k.Along), count(k.Inner)
	if entries := outer * inner; entries == 0 || entries > mostUnrolled {
		return false
	}
	sum := k.Name == "sum" && (along == 2 || along == 3)
	if !sum && !(k.Name == "log_sum_exp" && along == 2) {
		return false
	}
	order := []int{0, 1, 2}[:along]
	if along == 3 && inner == 1 {
		order = []int{0, 2, 1} // the lanes of a sum
	}
	dst, x := m.array(k.Dst), m.array(k.Args[0])
	for o := range outer {
		for i := range inner {
			terms := make([]string, along)
			for n, j := range order {
				terms[n] = fmt.Sprintf("%s[%d]", x, (o*along+j)*inner+i)
			}
			value := "0 + " + strings.Join(terms, " + ")
			if !sum {
				value = m.call("LogSumExp2") + "(" + strings.Join(terms, ", ") + ")"
			}
			m.printf("%s[%d] = %s", dst, o*inner+i, value)
		}
	}
	return true
}
