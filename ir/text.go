package ir

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/size"
)

// String prints a function in the text form that Parse reads:
//
//	func density
//	axis n.1 N rows
//	%1 = state w [p.2]
//	%3 = sum %2 over p.2 [n.1]
//	out lik %9
func (f *Func) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "func %s\n", f.Name)
	values := f.Values()
	axes := map[int]*Axis{}
	collect := func(list ...*Axis) {
		for _, a := range list {
			if a != nil {
				axes[a.ID] = a
			}
		}
	}
	for _, v := range values {
		collect(v.Axes...)
		collect(v.Over...)
		collect(v.To)
	}
	for _, o := range f.Outputs {
		collect(o.Axes...)
	}
	ids := make([]int, 0, len(axes))
	for id := range axes {
		ids = append(ids, id)
	}
	sort.Ints(ids)
	for _, id := range ids {
		a := axes[id]
		fmt.Fprintf(&b, "axis %s.%d %s", a.Name, a.ID, polyText(a.Size))
		if a.Rows {
			b.WriteString(" rows")
		}
		b.WriteByte('\n')
	}
	for _, v := range values {
		b.WriteString(v.String())
		b.WriteByte('\n')
	}
	for _, o := range f.Outputs {
		fmt.Fprintf(&b, "out %s %%%d %s\n", o.Name, o.Value.ID, axesText(o.Axes))
	}
	return b.String()
}

// String prints a value as one line of the text form.
func (v *Value) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%%%d = %s", v.ID, v.Op.Name)
	if v.Op == OpConst {
		b.WriteString(" " + strconv.FormatFloat(v.Num, 'g', -1, 64))
	}
	if v.Name != "" {
		b.WriteString(" " + v.Name)
	}
	for _, a := range v.Args {
		fmt.Fprintf(&b, " %%%d", a.ID)
	}
	if len(v.Over) > 0 {
		b.WriteString(" over")
		for _, a := range v.Over {
			fmt.Fprintf(&b, " %s.%d", a.Name, a.ID)
		}
	}
	if v.To != nil {
		fmt.Fprintf(&b, " to %s.%d", v.To.Name, v.To.ID)
	}
	if len(v.Off.Terms) > 0 {
		b.WriteString(" off " + polyText(v.Off))
	}
	if v.Flag {
		b.WriteString(" reverse")
	}
	if v.Sparse {
		b.WriteString(" sparse")
	}
	b.WriteString(" " + axesText(v.Axes))
	return b.String()
}

func axesText(axes []*Axis) string {
	names := make([]string, len(axes))
	for i, a := range axes {
		names[i] = fmt.Sprintf("%s.%d", a.Name, a.ID)
	}
	return "[" + strings.Join(names, " ") + "]"
}

// polyText writes a size without blanks: 2*N+-1.
func polyText(p size.Poly) string {
	if len(p.Terms) == 0 {
		return "0"
	}
	parts := make([]string, len(p.Terms))
	for i, t := range p.Terms {
		parts[i] = strings.Join(append([]string{strconv.Itoa(t.Coef)}, t.Dims...), "*")
	}
	return strings.Join(parts, "+")
}
