package cuda

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
)

// A body prints the instructions of a loop, once for a thread.
type body struct {
	g      *generator
	number string              // float, or double without axes
	index  map[*ir.Axis]string // of the axes of the loop
	locals []string            // the results of instructions
	have   map[*plan.Buffer]string
	text   strings.Builder
}

// loop prints a loop: a thread an entry.
func (g *generator) loop(l *plan.Loop) error {
	g.begin("loop")
	b := &body{g: g, number: "float", index: map[*ir.Axis]string{}}
	if len(l.Axes) == 0 {
		b.number = "double"
		if err := b.instructions(l.Body); err != nil {
			return err
		}
		g.end("  if (block == 0 && threadIdx.x == 0) {\n"+indent(b.text.String())+"  }\n", 1)
		return nil
	}
	all := g.extent(l.Axes...)
	if err := g.fits("a loop", g.most(all)); err != nil {
		return err
	}
	b.entry(l.Axes, "i")
	if err := b.instructions(l.Body); err != nil {
		return err
	}
	g.end(fmt.Sprintf("  int i = block * 256 + threadIdx.x;\n  if (i < %s) {\n%s  }\n", all,
		indent(b.text.String())), blocksFor(g.most(all)))
	return nil
}

// entry prints the indices along axes of the entry with a number.
func (b *body) entry(axes []*ir.Axis, number string) {
	rest := number
	for k := len(axes) - 1; k >= 0; k-- {
		name := fmt.Sprintf("%s%d", number, k)
		b.index[axes[k]] = name
		if k == 0 {
			fmt.Fprintf(&b.text, "int %s = %s;\n", name, rest)
			return
		}
		n := b.g.extent(axes[k])
		fmt.Fprintf(&b.text, "int %s = (%s) %% %s;\n", name, rest, n)
		rest = fmt.Sprintf("(%s) / %s", rest, n)
	}
}

func (b *body) instructions(list []plan.Instr) error {
	for _, in := range list {
		args := make([]any, len(in.Args))
		for i, o := range in.Args {
			x, err := b.operand(o)
			if err != nil {
				return err
			}
			args[i] = x
		}
		value := ""
		switch {
		case in.Op == nil:
			value = args[0].(string)
		case ops[in.Op.Name] == "":
			return refuse("the function %s", in.Op.Name)
		default:
			value = fmt.Sprintf(ops[in.Op.Name], args...)
			if in.Op.Bool {
				value = fmt.Sprintf("(%s)(%s)", b.number, value)
			}
		}
		name := fmt.Sprintf("v%d", len(b.locals))
		b.locals = append(b.locals, name)
		fmt.Fprintf(&b.text, "%s %s = %s;\n", b.number, name, value)
		for _, s := range in.Stores {
			at := s.At
			if at == nil {
				for _, a := range s.Buf.Axes {
					at = append(at, plan.Index{Axis: a})
				}
			}
			to, _, err := b.access(s.Buf, at, true)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b.text, "%s = %s;\n", to, name)
		}
	}
	return nil
}

// operand prints what an instruction reads, in the precision of the loop.
func (b *body) operand(o plan.Operand) (string, error) {
	switch o.Kind {
	case plan.Local:
		return b.locals[o.Local], nil
	case plan.Const:
		return fmt.Sprintf("(%s)%s", b.number, literal(o.Num)), nil
	case plan.Size:
		return fmt.Sprintf("(%s)%d", b.number, b.g.size(o.Size)), nil
	case plan.Scalar:
		return fmt.Sprintf("(%s)s.%s", b.number, o.Name), nil
	case plan.Iota:
		return fmt.Sprintf("(%s)%s", b.number, b.index[o.Axis]), nil
	}
	if x := b.have[o.Buf]; x != "" {
		return x, nil
	}
	text, inside, err := b.access(o.Buf, o.At, false)
	if err != nil {
		return "", err
	}
	text = fmt.Sprintf("(%s)%s", b.number, text)
	if o.Guard && inside != "" {
		text = fmt.Sprintf("(%s ? %s : (%s)0)", inside, text, b.number)
	}
	return text, nil
}

// literal is a number in double precision.
func literal(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "sg_inf()"
	case math.IsInf(x, -1):
		return "-sg_inf()"
	case x != x:
		return "sg_nan()"
	}
	text := strconv.FormatFloat(x, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	if x < 0 || math.Signbit(x) {
		return "(" + text + ")"
	}
	return text
}

// access prints an entry of a buffer; inside is the condition under which it is inside, for reads
// that are 0 elsewhere.
func (b *body) access(buf *plan.Buffer, at []plan.Index, writes bool) (text, inside string,
	err error) {
	p, err := b.g.at(buf)
	if err != nil {
		return "", "", err
	}
	name := b.g.use(p.buffer, writes)
	sum, stride := []string{}, 1
	if p.offset > 0 {
		sum = append(sum, fmt.Sprint(p.offset))
	}
	var conditions []string
	for k := len(at) - 1; k >= 0; k-- {
		n := 0
		if !buf.Axes[k].Rows {
			n = b.g.size(buf.Axes[k].Size)
		}
		pos, err := b.position(at[k], n)
		if err != nil {
			return "", "", err
		}
		if !buf.Axes[k].Rows && (at[k].Neg || len(at[k].Off.Terms) > 0 || at[k].From != nil) {
			conditions = append(conditions, fmt.Sprintf("(unsigned)(%s) < %du", pos, n))
		}
		if stride > 1 {
			pos = fmt.Sprintf("(%s) * %d", pos, stride)
		}
		sum = append(sum, pos)
		stride *= n
	}
	if len(sum) == 0 {
		sum = []string{"0"}
	}
	if p.pieces > 0 && !writes {
		return fmt.Sprintf("sg_pieces<%d>(%s + %s, %d)", p.pieces, name, strings.Join(sum, " + "),
			p.stride), strings.Join(conditions, " && "), nil
	}
	return fmt.Sprintf("%s[%s]", name, strings.Join(sum, " + ")),
		strings.Join(conditions, " && "), nil
}

// position prints an index along an axis of n entries.
func (b *body) position(x plan.Index, n int) (string, error) {
	off := b.g.size(x.Off)
	if x.Neg {
		off = -off
	}
	text := fmt.Sprint(off)
	switch {
	case x.From != nil:
		from, err := b.operand(*x.From)
		if err != nil {
			return "", err
		}
		text = fmt.Sprintf("sg_index(%s)", from)
	case x.Axis != nil:
		text = b.index[x.Axis]
		if text == "" {
			return "", refuse("an index along %s outside of its loop", x.Axis.Name)
		}
		if off != 0 {
			text += fmt.Sprintf(" + %d", off)
		}
	}
	if x.Clamp {
		text = fmt.Sprintf("sg_clamp(%s, %d)", text, n)
	}
	return text, nil
}
