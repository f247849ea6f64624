package codegen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// A long loop of arithmetic is printed twice: as text of Go, for few entries, and as a call of
// kernel.Loop, whose instructions take strips of entries by vectors:
//
//	if rows >= kernel.LeastEntries {
//		kernel.Loop(evaluateLoop1, rows, f.strips, []float64{mu}, y, d, t)
//	} else {
//		for n := range rows { d[n] = y[n] - mu; t[n] = d[n]*d[n] }
//	}
//
// In a loop within another, the call takes the entries of the inner one. Both have the same bits.

// fewestOps is how many ops a loop has at least for the call. Comparisons and choices count twice:
// in Go their truth becomes a number, or they wait for a branch.
const fewestOps = 6

// mostRegisters is how many registers a loop has at most: they stay in the nearest cache.
const mostRegisters = 30

// A stripOp is how kernel.Loop computes an op of the IR.
type stripOp struct {
	name string // of the constant in package kernel
	turn bool   // with its operands exchanged
}

// stripOps are the ops of loops that kernel.Loop has.
var stripOps = map[string]stripOp{
	"add": {name: "OpAdd"}, "sub": {name: "OpSub"}, "mul": {name: "OpMul"}, "div": {name: "OpDiv"},
	"mul0": {name: "OpMul0"}, "eq": {name: "OpEq"}, "ne": {name: "OpNe"}, "lt": {name: "OpLt"},
	"le": {name: "OpLe"}, "gt": {name: "OpLt", turn: true}, "ge": {name: "OpLe", turn: true},
	"select": {name: "OpSelect"}, "neg": {name: "OpNeg"}, "abs": {name: "OpAbs"},
	"sqrt": {name: "OpSqrt"},
	"or":   {name: "OpSelect"}, "and": {name: "OpSelect"}, "not": {name: "OpEq"}, // see truth
}

// A register of a strip program is an array, a number or scratch, by its place among these.
type register struct {
	kind  registerKind
	index int
}

type registerKind int

const (
	anArray registerKind = iota
	aNumber
	someScratch
)

// A stripProgram is the body of a loop as kernel.Loop takes it.
type stripProgram struct {
	n       *nest
	arrays  []string
	numbers []string
	scratch []bool // whether each is in use
	code    []stripInstruction
	locals  []register
	last    []int // the last instruction that reads each local
}

type stripInstruction struct {
	op string
	to register
	of [3]register
}

// strips returns the call of kernel.Loop for the body of a loop; none where it has what that does
// not compute, or does not pay.
func (n *nest) strips(body []plan.Instr) string {
	m := n.m
	if len(n.groups) < 1 || len(n.groups) > 2 || n.single || len(m.now) > 0 ||
		!arithmetic(n, body) {
		return ""
	}
	if k, ok := n.constant(); ok && k < kernel.LeastEntries {
		return ""
	}
	p := &stripProgram{n: n, locals: make([]register, len(body)), last: make([]int, len(body))}
	uses := n.uses(body)
	for i, in := range body {
		in.Locals(func(k int) { p.last[k] = i })
	}
	ops := 0
	for i, in := range body {
		if stores := n.kept(in.Stores); uses[i] > 0 || len(stores) > 0 {
			if in.Op != nil {
				ops++
				if in.Op.Bool || in.Op == ir.OpSelect {
					ops++
				}
			}
			if !p.instruction(i, in, stores) {
				return ""
			}
		}
	}
	if ops < fewestOps || len(p.arrays)+len(p.numbers)+len(p.scratch) > mostRegisters {
		return ""
	}
	f := m.f
	f.strips = max(f.strips, len(p.numbers)+len(p.scratch))
	name := fmt.Sprintf("%sLoop%d", f.typ, len(f.loops)+1)
	f.loops = append(f.loops, fmt.Sprintf("// %s has the instructions of a loop, see kernel.Loop.\n"+
		"var %s = []kernel.Instruction{\n%s}\n", name, name, p.text()))
	numbers := "nil"
	if len(p.numbers) > 0 {
		numbers = "[]float64{" + strings.Join(p.numbers, ", ") + "}"
	}
	return fmt.Sprintf("kernel.Loop(%s, %s, f.%s, %s, %s)\n", name, n.innermost(),
		f.stripField, numbers, strings.Join(p.arrays, ", "))
}

// arithmetic reports whether a loop has nothing but ops, reads and stores that kernel.Loop has. It
// writes nothing, so that the loop can be printed in another way.
func arithmetic(n *nest, body []plan.Instr) bool {
	inner := len(n.groups) - 1
	plain := func(b *plan.Buffer, at []plan.Index) bool {
		if b.Sparse || len(b.Axes) == 0 {
			return !b.Sparse && !n.stored[b]
		}
		for k, i := range at {
			if i.From != nil || i.Clamp || i.Neg || i.Axis != nil && k < len(at)-1 &&
				n.of(i.Axis) == inner && len(n.groups[inner]) == 1 {
				return false
			}
		}
		return true
	}
	for _, in := range body {
		if in.Op != nil {
			if _, ok := stripOps[in.Op.Name]; !ok || !truthful(in, body) {
				return false
			}
		}
		for _, o := range in.Args {
			switch o.Kind {
			case plan.Iota:
				return false
			case plan.Load:
				if o.Guard || !plain(o.Buf, o.At) {
					return false
				}
			}
		}
		for _, s := range in.Stores {
			if len(s.Buf.Axes) == 0 || !plain(s.Buf, storeAt(s)) {
				return false
			}
		}
	}
	return true
}

// instruction adds an instruction of the loop's body.
func (p *stripProgram) instruction(i int, in plan.Instr, stores []plan.Store) bool {
	var of [3]register
	for k, o := range in.Args {
		r, ok := p.operand(o)
		if !ok {
			return false
		}
		of[k] = r
	}
	op := "OpCopy"
	if in.Op != nil {
		s := stripOps[in.Op.Name]
		if op = s.name; s.turn {
			of[0], of[1] = of[1], of[0]
		}
		of = p.truth(in.Op, of)
	}
	if in.Op == nil && len(stores) == 0 && !(of[0].kind == anArray && p.writes(in.Args[0])) {
		p.locals[i] = of[0]
		return true
	}
	to := register{someScratch, -1}
	for _, s := range stores {
		places, err := p.n.places(s.Buf, storeAt(s), false)
		if err != nil {
			return false
		}
		r, ok := p.array(p.n.element(s.Buf, places))
		if !ok {
			return false
		}
		if to.index < 0 {
			to = r
		} else {
			defer func() { p.code = append(p.code, stripInstruction{"OpCopy", r, [3]register{to}}) }()
		}
	}
	p.release(i)
	if to.index < 0 {
		to = p.free()
	}
	p.locals[i] = to
	p.code = append(p.code, stripInstruction{op, to, of})
	return true
}

// truthful reports whether the second operand of "or" and of "and" is 0 or 1.
func truthful(in plan.Instr, body []plan.Instr) bool {
	if in.Op != ir.OpOr && in.Op != ir.OpAnd {
		return true
	}
	x := in.Args[1]
	return x.Kind == plan.Local && body[x.Local].Op != nil && body[x.Local].Op.Bool
}

// truth are the operands of the instruction that computes a connective: a or b is 1 where a is not
// 0, else b; a and b is b where a is not 0, else 0; not a is whether a equals 0.
func (p *stripProgram) truth(op *ir.Op, of [3]register) [3]register {
	number := func(text string) register { return register{aNumber, slotOf(&p.numbers, text)} }
	switch op {
	case ir.OpOr:
		return [3]register{of[0], number("1"), of[1]}
	case ir.OpAnd:
		return [3]register{of[0], of[1], number("0")}
	case ir.OpNot:
		return [3]register{of[0], number("0")}
	}
	return of
}

// writes reports whether the loop writes to the memory that an operand reads.
func (p *stripProgram) writes(o plan.Operand) bool {
	if o.Kind != plan.Load {
		return false
	}
	for b := range p.n.stored {
		if b == o.Buf || b.Where == plan.Temp && o.Buf.Where == plan.Temp && b.Slot == o.Buf.Slot {
			return true
		}
	}
	return false
}

// operand returns the register that an instruction reads.
func (p *stripProgram) operand(o plan.Operand) (register, bool) {
	if o.Kind == plan.Local {
		return p.locals[o.Local], true
	}
	e, err := p.n.operand(o)
	if err != nil {
		return register{}, false
	}
	if o.Kind == plan.Load && p.n.depth(o) == len(p.n.groups)-1 {
		return p.array(e)
	}
	return register{aNumber, slotOf(&p.numbers, e.text)}, true
}

// array returns the register of an entry at the loop's index; false where it is another entry.
func (p *stripProgram) array(e expr) (register, bool) {
	name := p.n.walked[e.text]
	if name == "" {
		return register{}, false
	}
	return register{anArray, slotOf(&p.arrays, name)}, true
}

// slotOf returns where a text is in a list, and adds it where it is not.
func slotOf(list *[]string, text string) int {
	i := slices.Index(*list, text)
	if i < 0 {
		i = len(*list)
		*list = append(*list, text)
	}
	return i
}

// release frees the scratch of locals that instruction i is the last to read.
func (p *stripProgram) release(i int) {
	for k, last := range p.last[:i] {
		r := p.locals[k]
		if last == i && r.kind == someScratch && !p.shared(k, i) {
			p.scratch[r.index] = false
		}
	}
}

// shared reports whether a later instruction reads the register of local k by another name.
func (p *stripProgram) shared(k, i int) bool {
	for j, r := range p.locals[:i] {
		if j != k && r == p.locals[k] && p.last[j] > i {
			return true
		}
	}
	return false
}

// free returns scratch that nothing uses.
func (p *stripProgram) free() register {
	i := slices.Index(p.scratch, false)
	if i < 0 {
		i = len(p.scratch)
		p.scratch = append(p.scratch, false)
	}
	p.scratch[i] = true
	return register{someScratch, i}
}

// text writes the instructions.
func (p *stripProgram) text() string {
	number := func(r register) string {
		i := r.index
		if r.kind != anArray {
			i += len(p.arrays)
		}
		if r.kind == someScratch {
			i += len(p.numbers)
		}
		return strconv.Itoa(i)
	}
	var b strings.Builder
	for _, in := range p.code {
		fmt.Fprintf(&b, "{kernel.%s, %s, %s, %s, %s},\n", in.op, number(in.to), number(in.of[0]),
			number(in.of[1]), number(in.of[2]))
	}
	return b.String()
}

// innermost is the number of entries of the innermost loop.
func (n *nest) innermost() string { return n.m.extent(n.groups[len(n.groups)-1]).text }

// constant returns the number of entries of the innermost loop where that is known.
func (n *nest) constant() (int, bool) {
	k, err := strconv.Atoi(n.innermost())
	return k, err == nil
}
