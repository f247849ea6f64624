package ir

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// String prints a function in the text form that Parse reads, values and axes
// numbered in the order in which they come:
//
//	func density
//	axis p.1 1*P
//	%1 = state w [p.1]
//	%2 = sum %1 over p.1 []
//	out density %2 []
func (f *Func) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "func %s\n", f.ID)
	values := f.Values()
	n := numbers{value: map[*Value]int{}, axis: map[*Axis]int{}}
	var axes []*Axis
	see := func(list ...*Axis) {
		for _, a := range list {
			if a != nil && n.axis[a] == 0 {
				axes = append(axes, a)
				n.axis[a] = len(axes)
			}
		}
	}
	for i, v := range values {
		n.value[v] = i + 1
		see(v.Axes...)
		see(v.Over...)
		see(v.To)
	}
	for _, o := range f.Outputs {
		see(o.Axes...)
	}
	for _, a := range axes {
		fmt.Fprintf(&b, "axis %s.%d %s", a.Name, n.axis[a], polyText(a.Size))
		if a.Rows {
			b.WriteString(" rows")
		}
		b.WriteByte('\n')
	}
	for _, v := range values {
		b.WriteString(n.line(v))
		b.WriteByte('\n')
	}
	for _, o := range f.Outputs {
		fmt.Fprintf(&b, "out %s %%%d [%s]\n", o.Name, n.value[o.Value], n.list(o.Axes))
	}
	return b.String()
}

// String prints a value as one line of the text form, by its own numbers.
func (v *Value) String() string { return numbers{}.line(v) }

// numbers are the numbers by which values and axes are printed; with a nil map these are their
// IDs.
type numbers struct {
	value map[*Value]int
	axis  map[*Axis]int
}

func (n numbers) of(v *Value) int {
	if n.value == nil {
		return v.ID
	}
	return n.value[v]
}

func (n numbers) list(axes []*Axis) string {
	names := make([]string, len(axes))
	for i, a := range axes {
		id := a.ID
		if n.axis != nil {
			id = n.axis[a]
		}
		names[i] = fmt.Sprintf("%s.%d", a.Name, id)
	}
	return strings.Join(names, " ")
}

func (n numbers) line(v *Value) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%%%d = %s", n.of(v), v.Op.Name)
	if v.Op == OpConst {
		b.WriteString(" " + strconv.FormatFloat(v.Num, 'g', -1, 64))
	}
	if v.Name != "" {
		// A name of several words is not a name of a model.
		b.WriteString(" " + strings.ReplaceAll(v.Name, " ", "~"))
	}
	for _, a := range v.Args {
		fmt.Fprintf(&b, " %%%d", n.of(a))
	}
	if len(v.Over) > 0 {
		b.WriteString(" over " + n.list(v.Over))
	}
	if v.To != nil {
		b.WriteString(" to " + n.list([]*Axis{v.To}))
	}
	if len(v.Off.Terms) > 0 {
		b.WriteString(" off " + polyText(v.Off))
	}
	if part := v.Part + v.Stride; part > 0 { // an op has one of the two
		fmt.Fprintf(&b, " part %d", part)
	}
	if v.Mode != Plain {
		b.WriteString(" reverse")
	}
	if v.Sparse {
		b.WriteString(" sparse")
	}
	b.WriteString(" [" + n.list(v.Axes) + "]")
	return b.String()
}

func axesText(axes []*Axis) string { return "[" + numbers{}.list(axes) + "]" }

// polyText writes a size without blanks: 2*N+-1, with a divisor of all 1*K*K+-1*K/2.
// A blank in a name is a ~.
func polyText(p size.Poly) string {
	if len(p.Terms) == 0 {
		return "0"
	}
	parts := make([]string, len(p.Terms))
	for i, t := range p.Terms {
		parts[i] = strings.Join(append([]string{strconv.Itoa(t.Coef)}, t.Dims...), "*")
	}
	text := strings.ReplaceAll(strings.Join(parts, "+"), " ", "~")
	if p.Over > 0 {
		text += "/" + strconv.Itoa(p.Over)
	}
	return text
}
