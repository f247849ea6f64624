package codegen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A place is an index along one or several merged axes of a buffer.
type place struct {
	at    expr
	size  expr // entries along the axes
	level int  // the loop that changes it; -1: none
	plain bool // it is that loop's index, shifted by off
	off   expr
	free  bool // it may lie outside
	// It lies behind the start, before the end, whatever the sizes.
	behind, before bool
}

// places writes the indices of an access, merged where the loops are.
func (n *nest) places(b *plan.Buffer, at []plan.Index, guard bool) ([]place, error) {
	var out []place
	for p := 0; p < len(at); p++ {
		i := at[p]
		pl := place{level: -1, off: n.m.poly(i.Off), size: n.m.length(b.Axes[p])}
		switch {
		case i.From != nil:
			e, err := n.operand(*i.From)
			if err != nil {
				return nil, err
			}
			pl.at, pl.level, pl.free = primary("int(%s)", e.text), n.depth(*i.From), true
		case i.Axis != nil && n.m.now[i.Axis] != "":
			pl.at, pl.free = add(primary("%s", n.m.now[i.Axis]), pl.off), true
			if k, err := strconv.Atoi(n.m.now[i.Axis]); err == nil && !i.Neg {
				pl.inside(size.Const(k).Add(i.Off), size.Const(1), b.Axes[p])
			}
		case i.Axis != nil:
			k, ok := n.level[i.Axis]
			if !ok {
				return nil, fmt.Errorf("the axis %s of %s is read outside its loop",
					i.Axis.Name, b.Name)
			}
			pl.level, pl.plain = k, true
			pl.at = primary("%s", n.vars[k])
			switch {
			case i.Neg && !pl.off.zero():
				pl.at, pl.plain, pl.free = sub(pl.at, pl.off), false, true
			case !pl.off.zero():
				pl.at, pl.free = add(pl.at, pl.off), true
			case guard:
				pl.free = !sameLength(b.Axes[p], i.Axis)
			}
			if pl.free && !i.Axis.Rows && len(n.groups[k]) == 1 {
				first := i.Off
				if i.Neg {
					first = first.Neg()
				}
				pl.inside(first, i.Axis.Size, b.Axes[p])
			}
			for _, a := range n.groups[k][1:] {
				p++
				pl.size = mul(pl.size, n.m.length(a))
			}
		default:
			pl.at = pl.off
			if i.Neg {
				pl.at = expr{"-" + pl.off.in(precUnary), precUnary}
			}
			pl.free = true
		}
		if i.Clamp {
			pl.at = primary("max(0, min(%s, %s))", pl.at.text, sub(pl.size, primary("1")).text)
			pl.plain, pl.free = false, guard // along an empty axis even the end is outside
			pl.behind, pl.before = false, false
		}
		out = append(out, pl)
	}
	return out, nil
}

// inside notes at which ends of an axis a place can not lie outside, of count places from first on.
func (pl *place) inside(first, count size.Poly, a *ir.Axis) {
	if k, known := first.Number(); known && k >= 0 {
		pl.behind = true
	}
	if !a.Rows {
		k, known := a.Size.Sub(first.Add(count)).Number()
		pl.before = known && k >= 0
	}
	pl.free = !pl.behind || !pl.before
}

// of returns the loop that an axis belongs to; -1 for the axis of a sequence around all loops.
func (n *nest) of(a *ir.Axis) int {
	if k, ok := n.level[a]; ok {
		return k
	}
	return -1
}

// depth returns the innermost loop that an operand depends on.
func (n *nest) depth(o plan.Operand) int {
	switch o.Kind {
	case plan.Local:
		return len(n.groups) - 1
	case plan.Iota:
		return n.of(o.Axis)
	case plan.Load:
		d := -1
		if n.stored[o.Buf] {
			d = len(n.groups) - 1
		}
		for _, i := range o.At {
			switch {
			case i.From != nil:
				d = max(d, n.depth(*i.From))
			case i.Axis != nil:
				d = max(d, n.of(i.Axis))
			}
		}
		return d
	}
	return -1
}

// linear is the offset of a list of places in row-major order.
func linear(places []place) expr {
	e := primary("0")
	for _, p := range places {
		e = add(mul(e, p.size), p.at)
	}
	return e
}

// element writes one entry of a buffer with axes.
func (n *nest) element(b *plan.Buffer, places []place) expr {
	inner := len(n.groups) - 1
	array := n.m.array(b)
	last := places[len(places)-1]
	if inner < 0 || !last.plain || last.level != inner {
		return n.entry(array, linear(places).text)
	}
	level := -1
	base := last.off
	if len(places) > 1 {
		for _, p := range places[:len(places)-1] {
			level = max(level, p.level)
		}
		base = add(mul(linear(places[:len(places)-1]), last.size), last.off)
	}
	if level >= inner {
		return n.entry(array, linear(places).text)
	}
	if !base.zero() {
		array = n.hoist(level+1, array+"Row",
			fmt.Sprintf("%s[%s:][:%s]", array, base.text, n.m.extent(n.groups[inner]).text))
	}
	return n.entry(array, n.vars[inner])
}

// entry writes an entry of an array by its offset.
func (n *nest) entry(array, at string) expr {
	e := primary("%s[%s]", array, at)
	if inner := len(n.groups) - 1; inner >= 0 && at == n.vars[inner] {
		n.walked[e.text] = array
	}
	return e
}

// hoist declares something before loop k, once, and returns its name.
func (n *nest) hoist(k int, name, text string) string {
	known, names := n.known, n.names
	if k == 0 {
		known, names = n.m.known, n.m.names // good for the rest of the method
	}
	key := fmt.Sprint(k, " ", text)
	if name, ok := known[key]; ok {
		return name
	}
	name = n.names.fresh(name) // new in the loop as well as around it
	names.taken[name] = true
	known[key] = name
	fmt.Fprintf(&n.before[k], "%s := %s\n", name, text)
	return name
}

// load writes the read of a buffer.
func (n *nest) load(o plan.Operand) (expr, error) {
	b := o.Buf
	if b.Sparse {
		return expr{}, fmt.Errorf("the sparse %s is read entry by entry", b.Name)
	}
	if len(b.Axes) == 0 {
		text := n.m.number(b)
		if n.single && !n.stored[b] {
			return n.rounded(n.m.f.name(b), primary("%s", text)), nil
		}
		if n.single {
			return primary("float32(%s)", text), nil
		}
		if len(n.groups) > 0 && strings.ContainsAny(text, ".[") && !n.stored[b] {
			return primary("%s", n.hoist(0, n.m.f.name(b), text)), nil
		}
		return primary("%s", text), nil
	}
	if last := n.m.last[b]; last != "" {
		return primary("%s", last), nil
	}
	places, err := n.places(b, o.At, o.Guard)
	if err != nil {
		return expr{}, err
	}
	if o.Guard {
		return n.guarded(b, places), nil
	}
	if depth := n.depth(o); depth < len(n.groups)-1 {
		return primary("%s", n.hoist(depth+1, n.m.f.name(b), n.read(b, n.element(b, places)).text)),
			nil
	}
	return n.read(b, n.element(b, places)), nil
}

// guarded returns an expression that reads an entry, or 0 if the place is outside the array.
func (n *nest) guarded(b *plan.Buffer, places []place) expr {
	var inside []string
	for _, p := range places {
		if p.free && !p.behind {
			inside = append(inside, fmt.Sprintf("%s >= 0", p.at.in(4)))
		}
		if p.free && !p.before {
			inside = append(inside, fmt.Sprintf("%s < %s", p.at.in(4), p.size.in(4)))
		}
	}
	array := n.m.array(b)
	if len(inside) == 0 {
		return n.read(b, n.element(b, places))
	}
	name := n.names.fresh(n.m.f.name(b))
	entry := n.read(b, primary("%s[%s]", array, linear(places).text))
	fmt.Fprintf(&n.body, "var %s %s\nif %s {\n%s = %s\n}\n", name, n.elem(),
		strings.Join(inside, " && "), name, entry.text)
	return primary("%s", name)
}

// store writes an entry.
func (n *nest) store(s plan.Store, value expr, adds bool) error {
	op := "="
	if adds {
		op = "+="
	}
	value, stays := n.add(s.Buf, n.written(s.Buf, value))
	if !stays {
		return nil
	}
	if len(s.Buf.Axes) == 0 {
		if len(n.groups) == 0 {
			n.m.body.WriteString(n.body.String())
			n.body.Reset()
			n.m.assign(s.Buf, value, adds)
			return nil
		}
		fmt.Fprintf(&n.body, "%s %s %s\n", n.m.number(s.Buf), op, value.text)
		return nil
	}
	places, err := n.places(s.Buf, storeAt(s), false)
	if err != nil {
		return err
	}
	to := n.element(s.Buf, places)
	if last := n.m.last[s.Buf]; last != "" {
		fmt.Fprintf(&n.body, "%s = %s\n", last, value.text)
		value = primary("%s", last)
	}
	statement := fmt.Sprintf("%s %s %s\n", to.text, op, value.text)
	n.body.WriteString(statement)
	if dst, src := n.walked[to.text], n.walked[value.text]; dst != "" && src != "" && !adds {
		n.copied = assignment{dst, src, statement}
	}
	return nil
}
