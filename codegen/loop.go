package codegen

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
)

// A nest is a loop of the plan on its way to Go. Neighbouring axes that every
// access walks through alike are one loop; what does not change in an inner
// loop stands before it; arrays are cut to the part that an inner loop walks,
// which also frees it of bounds checks.
type nest struct {
	m      *method
	names  *scope
	groups [][]*ir.Axis
	level  map[*ir.Axis]int // the loop an axis belongs to
	vars   []string
	before []strings.Builder // statements before loop k
	known  map[string]string // by their text: what has been taken out of a loop
	body   strings.Builder
	locals []expr
	stored map[*plan.Buffer]bool // written by this loop: not to be read early
	single bool                  // computes in single precision
	walked map[string]string     // by the text of an entry at the innermost index: its array
	copied assignment            // the last one of such an entry to another
	adding *adding               // what the loop also adds to groups; nil where it does not
}

// An assignment is a statement that copies entries of src to dst.
type assignment struct{ dst, src, statement string }

func (m *method) loop(l *plan.Loop) error { return m.nest(l.Axes, l.Body, false) }

// nest emits a loop; adds makes its stores additions.
func (m *method) nest(axes []*ir.Axis, body []plan.Instr, adds bool) error {
	if done, err := m.unrolled(axes, body, adds); done || err != nil {
		return err
	}
	n := m.newNest(axes, body)
	if !adds {
		if done, err := n.combination(body); done || err != nil {
			return err
		}
		if n.transposes(body) {
			return nil
		}
	}
	if last, size := n.fewLast(body); last != nil {
		return m.withoutLast(axes, last, size, body, adds)
	}
	call := ""
	if !adds {
		if call = n.strips(body); call != "" {
			call = n.before[1].String() + call
		}
	}
	if err := n.instructions(body, adds); err != nil {
		return err
	}
	n.choose(call)
	return nil
}

func (m *method) newNest(axes []*ir.Axis, body []plan.Instr) *nest {
	n := &nest{m: m, names: m.names, level: map[*ir.Axis]int{}, known: map[string]string{},
		stored: map[*plan.Buffer]bool{},
		single: m.f.p.NarrowLoop(axes), walked: map[string]string{}}
	n.groups = group(axes, body)
	if len(n.groups) > 0 {
		n.names = newScope(m.names)
	}
	for i, g := range n.groups {
		for _, a := range g {
			n.level[a] = i
		}
		n.vars = append(n.vars, n.index(g))
	}
	n.before = make([]strings.Builder, len(n.groups)+1)
	for _, in := range body {
		for _, s := range in.Stores {
			n.stored[s.Buf] = true
		}
	}
	return n
}

// choose prints a loop within another, by strips where it has enough entries and there is a call
// for that.
func (n *nest) choose(call string) {
	m := n.m
	if call == "" {
		n.print()
		return
	}
	m.body.WriteString(n.before[0].String())
	n.before[0].Reset()
	_, known := n.constant()
	if !known {
		m.printf("if %s >= kernel.LeastEntries {", n.innermost())
	}
	m.printf("%s {\n%s}", n.header(0, mentioned(call, n.vars[0])), call)
	if !known {
		m.printf("} else {")
		n.print()
		m.printf("}")
	}
}

// header is the first line of loop k, with its variable where that is used.
func (n *nest) header(k int, used bool) string {
	length := n.m.extent(n.groups[k]).text
	if used {
		return fmt.Sprintf("for %s := range %s", n.vars[k], length)
	}
	return "for range " + length
}

func (n *nest) print() {
	m := n.m
	if len(n.groups) == 0 {
		m.body.WriteString(n.body.String())
		return
	}
	if n.body.Len() == 0 {
		return
	}
	loops := n.groups
	if n.copies() {
		loops = n.groups[:len(n.groups)-1]
		n.before[len(loops)].WriteString(n.body.String())
		n.body.Reset()
		n.body.WriteString(n.before[len(loops)].String())
	}
	for k := range loops {
		m.body.WriteString(n.before[k].String())
		m.printf("%s {", n.header(k, n.mentions(n.vars[k])))
	}
	m.body.WriteString(n.body.String())
	m.body.WriteString(strings.Repeat("}\n", len(loops)))
}

// index names the index of a loop: that of its axis, unless a loop around this
// one has it.
func (n *nest) index(g []*ir.Axis) string {
	if len(g) != 1 || g[0].Name == "" {
		return n.names.fresh("i")
	}
	if name := n.m.index[g[0].Name]; name != "" && !slices.Contains(n.vars, name) {
		return name
	}
	return n.names.fresh(local(g[0].Name))
}

// copies replaces the innermost loop by a call of copy, where that is all it does.
func (n *nest) copies() bool {
	if n.copied.statement == "" || n.body.String() != n.copied.statement {
		return false
	}
	n.body.Reset()
	fmt.Fprintf(&n.body, "copy(%s, %s)\n", n.copied.dst, n.copied.src)
	return true
}

// mentions reports whether an identifier occurs in what has been written.
func (n *nest) mentions(name string) bool {
	texts := []string{n.body.String()}
	for i := range n.before {
		texts = append(texts, n.before[i].String())
	}
	return slices.ContainsFunc(texts, func(t string) bool { return mentioned(t, name) })
}

// mentioned reports whether an identifier occurs in a text.
func mentioned(text, name string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool {
		return strings.ContainsRune(" \n\t()[]{}+-*/:=,.<>!&|;%", r)
	}), name)
}

// group merges neighbouring axes that every access walks through as one.
func group(axes []*ir.Axis, body []plan.Instr) [][]*ir.Axis {
	var out [][]*ir.Axis
	for i, a := range axes {
		if i > 0 && mergeable(axes[i-1], a, body) {
			last := len(out) - 1
			out[last] = append(out[last], a)
			continue
		}
		out = append(out, []*ir.Axis{a})
	}
	return out
}

func mergeable(a, b *ir.Axis, body []plan.Instr) bool {
	ok := true
	var operand func(o plan.Operand)
	access := func(buf *plan.Buffer, at []plan.Index, guard bool) {
		pa, pb := -1, -1
		for p, i := range at {
			if i.From != nil {
				operand(*i.From)
			}
			plain := len(i.Off.Terms) == 0 && !i.Clamp
			switch i.Axis {
			case nil:
			case a:
				ok = ok && plain && pa < 0 && (!guard || sameLength(buf.Axes[p], a))
				pa = p
			case b:
				ok = ok && plain && pb < 0 && sameLength(buf.Axes[p], b)
				pb = p
			}
		}
		if pa >= 0 || pb >= 0 {
			ok = ok && pa >= 0 && pb == pa+1
		}
	}
	operand = func(o plan.Operand) {
		switch o.Kind {
		case plan.Iota:
			ok = ok && o.Axis != a && o.Axis != b
		case plan.Load:
			access(o.Buf, o.At, o.Guard)
		}
	}
	for _, in := range body {
		for _, o := range in.Args {
			operand(o)
		}
		for _, s := range in.Stores {
			access(s.Buf, storeAt(s), false)
		}
	}
	return ok
}

func sameLength(a, b *ir.Axis) bool { return a.Rows == b.Rows && (a.Rows || a.Size.Equal(b.Size)) }

// storeAt fills in where a store writes whose axes are the loop's.
func storeAt(s plan.Store) []plan.Index {
	if len(s.At) > 0 {
		return s.At
	}
	at := make([]plan.Index, len(s.Buf.Axes))
	for i, a := range s.Buf.Axes {
		at[i] = plan.Index{Axis: a}
	}
	return at
}

// longest is the size of an expression above which it gets a name.
const longest = 64

// bulk returns the length that an expression would have if all its words had six letters, so that
// the names of a model do not decide where it is split.
func bulk(text string) int {
	n, word := 0, false
	for _, r := range text {
		part := r == '_' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r)
		switch {
		case !part:
			n++
		case !word:
			n += 6
		}
		word = part
	}
	return n
}

func (n *nest) instructions(body []plan.Instr, adds bool) error {
	uses := n.uses(body)
	n.locals = make([]expr, len(body))
	for i, in := range body {
		if uses[i] == 0 && len(in.Stores) == 0 {
			continue
		}
		args := make([]expr, len(in.Args))
		for k, o := range in.Args {
			e, err := n.operand(o)
			if err != nil {
				return err
			}
			args[k] = e
		}
		var value, cond expr
		if in.When != plan.Always {
			args, cond = args[:len(args)-1], args[len(args)-1]
		}
		if in.Op == nil {
			value = args[0]
		} else {
			var err error
			write := apply
			if n.single {
				write = applySingle
			}
			if value, err = write(in.Op, args); err != nil {
				return err
			}
		}
		stores := n.kept(in.Stores)
		if in.When != plan.Always && uses[i]+len(stores) > 0 {
			value = n.where(in, value, cond)
		}
		switch {
		case uses[i] == 0 && len(stores) == 0:
			continue
		case len(n.groups) == 0 && uses[i] > 0 && len(stores) == 1 && n.local(stores[0].Buf):
			// A number of the method is its own name.
			n.m.body.WriteString(n.body.String())
			n.body.Reset()
			n.m.assign(stores[0].Buf, value, false)
			n.locals[i] = primary("%s", n.m.number(stores[0].Buf))
			continue
		case value.simple():
		case uses[i]+len(stores) > 1,
			uses[i] == 1 && (in.Value != nil && in.Value.Hint != "" && in.Op != nil ||
				bulk(value.text) > longest):
			name := n.names.fresh(n.localName(in.Value))
			fmt.Fprintf(&n.body, "%s := %s\n", name, n.float(value))
			value = primary("%s", name)
		}
		n.locals[i] = value
		for _, s := range stores {
			if err := n.store(s, value, adds); err != nil {
				return err
			}
		}
	}
	return nil
}

// where computes a number for the entries that need it, and returns its name.
func (n *nest) where(in plan.Instr, value, cond expr) expr {
	name, is := n.names.fresh(n.localName(in.Value)), "!="
	if in.When == plan.IfFalse {
		is = "=="
	}
	fmt.Fprintf(&n.body, "var %s %s\nif %s %s 0 {\n%s = %s\n}\n", name, n.elem(),
		cond.in(precUnary), is, name, value.text)
	return primary("%s", name)
}

// localName returns the identifier wanted for an entry of a value: that of the value or, if an
// array has it, followed by the index.
func (n *nest) localName(v *ir.Value) string {
	name := "v"
	if v != nil {
		name = valueName(v)
	}
	if len(n.vars) > 0 && n.names.has(name) {
		name += title(n.vars[len(n.vars)-1])
	}
	return name
}

// float gives a constant the type of the loop, for a declaration.
func (n *nest) float(e expr) string {
	if isNumber(e.text) {
		return n.elem() + "(" + e.text + ")"
	}
	return e.text
}

func (n *nest) local(b *plan.Buffer) bool {
	return b.Where == plan.Temp && len(b.Axes) == 0 && !n.m.f.scalarField(b)
}

// kept drops stores to numbers that nothing reads.
func (n *nest) kept(stores []plan.Store) []plan.Store {
	return slices.DeleteFunc(slices.Clone(stores), func(s plan.Store) bool {
		return s.Buf.Where == plan.Temp && n.m.f.reads[s.Buf] == 0
	})
}

// uses counts the readers of each instruction that are themselves needed.
func (n *nest) uses(body []plan.Instr) []int {
	uses := make([]int, len(body))
	var count func(o plan.Operand)
	count = func(o plan.Operand) {
		switch o.Kind {
		case plan.Local:
			uses[o.Local]++
		case plan.Load:
			for _, i := range o.At {
				if i.From != nil {
					count(*i.From)
				}
			}
		}
	}
	for i := len(body) - 1; i >= 0; i-- {
		if uses[i] == 0 && len(n.kept(body[i].Stores)) == 0 {
			continue
		}
		for _, o := range body[i].Args {
			count(o)
		}
		for _, s := range body[i].Stores {
			for _, x := range s.At {
				if x.From != nil {
					count(*x.From)
				}
			}
		}
	}
	return uses
}

// operand writes what an instruction reads.
func (n *nest) operand(o plan.Operand) (expr, error) {
	switch o.Kind {
	case plan.Local:
		return n.locals[o.Local], nil
	case plan.Const:
		if n.single {
			return number32(o.Num), nil
		}
		return number(o.Num), nil
	case plan.Scalar:
		if callScalars[o.Name] == "" {
			return expr{}, fmt.Errorf("no call gives the number %q", o.Name)
		}
		n.m.scalars[o.Name] = true
		if n.single {
			return n.rounded(o.Name, primary("%s", o.Name)), nil
		}
		return primary("%s", o.Name), nil
	case plan.Size:
		size := n.m.poly(o.Size)
		if _, ok := o.Size.Number(); ok {
			return size, nil
		}
		return primary("%s(%s)", n.elem(), size.text), nil
	case plan.Iota:
		if at := n.m.now[o.Axis]; at != "" {
			return primary("%s(%s)", n.elem(), at), nil
		}
		k, ok := n.level[o.Axis]
		if !ok {
			return expr{}, fmt.Errorf("the index along %s is read outside its loop", o.Axis.Name)
		}
		return primary("%s(%s)", n.elem(), n.vars[k]), nil
	}
	return n.load(o)
}
