package plan

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/ir"
)

// String returns the program as text, for `--dump=plan`.
func (p *Program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "program %s", p.ID)
	if p.Single {
		b.WriteString(", in single precision")
	}
	b.WriteByte('\n')
	for _, x := range p.Buffers {
		fmt.Fprintf(&b, "buffer %s %s %s", x, [...]string{"state", "data", "temp", "out"}[x.Where],
			names(x.Axes))
		if x.Where == Temp {
			fmt.Fprintf(&b, " slot %d", x.Slot)
			if before := x.Before(); len(before.Terms) > 0 {
				fmt.Fprintf(&b, " from %s", before)
			}
		}
		if x.Acc {
			b.WriteString(" accumulates")
		}
		if x.Sparse {
			b.WriteString(" sparse")
		}
		b.WriteByte('\n')
	}
	for seg, steps := range p.Steps {
		if len(steps) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s\n", Segment(seg))
		for _, s := range steps {
			s.print(&b, "  ")
		}
	}
	return b.String()
}

func (b *Buffer) String() string {
	name := b.Name
	if name == "" {
		name = "t"
	}
	return fmt.Sprintf("%s.%d", name, b.ID)
}

func (s Step) print(b *strings.Builder, indent string) {
	if q := s.Sequence; q != nil {
		order := ""
		if q.Reverse {
			order = " from the end"
		}
		fmt.Fprintf(b, "%sone after another %s%s\n", indent, names([]*ir.Axis{q.Axis}), order)
		for _, t := range q.Steps {
			t.print(b, indent+"  ")
		}
		return
	}
	if o := s.Ode; o != nil {
		fmt.Fprintf(b, "%s%s= ode for %s\n", indent, o.Out, names(o.Batch))
		for _, t := range o.Start {
			t.print(b, indent+"  ")
		}
		fmt.Fprintf(b, "%s  slope at %s, %s: %s\n", indent, o.Time, o.Point, o.F)
		for _, t := range o.Slope {
			t.print(b, indent+"    ")
		}
		for _, k := range o.Blocks {
			fmt.Fprintf(b, "%s  %s by %s\n", indent, k.Out, names(k.Columns))
		}
		return
	}
	if k := s.Kernel; k != nil {
		fmt.Fprintf(b, "%s%s", indent, k.Dst)
		if k.Acc {
			b.WriteString(" +")
		}
		fmt.Fprintf(b, "= %s", k.Name)
		for _, a := range k.Args {
			fmt.Fprintf(b, " %s", a)
		}
		for _, g := range []struct {
			name string
			axes []*ir.Axis
		}{{"outer", k.Outer}, {"along", k.Along}, {"inner", k.Inner}, {"batch", k.Batch},
			{"m", k.M}, {"n", k.N}, {"k", k.K}} {
			if len(g.axes) > 0 {
				fmt.Fprintf(b, " %s%s", g.name, names(g.axes))
			}
		}
		if k.Stride > 1 {
			fmt.Fprintf(b, " stride %d", k.Stride)
		}
		b.WriteByte('\n')
		return
	}
	fmt.Fprintf(b, "%sfor %s\n", indent, names(s.Loop.Axes))
	for i, in := range s.Loop.Body {
		fmt.Fprintf(b, "%s  %%%d =", indent, i)
		if in.Op != nil {
			b.WriteString(" " + in.Op.Name)
		}
		for k, a := range in.Args {
			if in.When != Always && k == len(in.Args)-1 {
				b.WriteString(" " + in.When.String())
			}
			b.WriteString(" " + a.String())
		}
		for _, st := range in.Stores {
			fmt.Fprintf(b, " → %s%s", st.Buf, indices(st.At))
		}
		b.WriteByte('\n')
	}
}

func (o Operand) String() string {
	switch o.Kind {
	case Local:
		return "%" + strconv.Itoa(o.Local)
	case Const:
		return strconv.FormatFloat(o.Num, 'g', -1, 64)
	case Iota:
		return "index(" + o.Axis.Name + ")"
	case Size:
		return "size(" + o.Size.String() + ")"
	case Scalar:
		return o.Name
	}
	return o.Buf.String() + indices(o.At)
}

func indices(at []Index) string {
	if len(at) == 0 {
		return ""
	}
	parts := make([]string, len(at))
	for i, x := range at {
		switch {
		case x.From != nil:
			parts[i] = x.From.String()
		case x.Axis == nil:
			parts[i] = x.Off.String()
		default:
			parts[i] = x.Axis.Name
			if len(x.Off.Terms) > 0 {
				sign := " + "
				if x.Neg {
					sign = " - "
				}
				parts[i] += sign + x.Off.String()
			}
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func names(axes []*ir.Axis) string {
	parts := make([]string, len(axes))
	for i, a := range axes {
		parts[i] = fmt.Sprintf("%s:%s", a.Name, a.Size)
	}
	return "[" + strings.Join(parts, " ") + "]"
}
