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

// Long loops of arithmetic are printed twice: as text of Go, for few entries, and as a call of
// kernel.Loop, whose instructions take strips of entries by vectors:
//
//	if rows >= kernel.LeastEntries {
//		kernel.Loop(evaluateLoop1, rows, f.strips, []float64{mu}, y, d, t)
//	} else {
//		for n := range rows { d[n] = y[n] - mu; t[n] = d[n]*d[n] }
//	}
//
// Steps over the same entries, one after another, are one call (fuse.go). In a loop within another,
// the call takes the entries of the inner one. Both texts have the same bits.

// fewestOps is how many ops a call has at least. Comparisons, choices and functions count twice: in
// Go the truth of a comparison becomes a number, or it waits for a branch.
const fewestOps = 4

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

// A register of a strip program is an array, a number, a sum or scratch, by its place among these.
type register struct {
	kind  registerKind
	index int
}

type registerKind int

const (
	anArray registerKind = iota
	aNumber
	aSum
	someScratch
)

// A stripProgram is what a call of kernel.Loop does. Scratch has a number for every value, until
// these become registers.
type stripProgram struct {
	n       *nest // the loop whose instructions are added
	arrays  []string
	numbers []string
	scratch int
	code    []stripInstruction
	locals  []register
	ops     int
	fused   *fusion // the steps that the call is for; nil for a loop alone
}

type stripInstruction struct {
	op string
	to register
	of [3]register
}

// strips returns the call of kernel.Loop for the body of a loop within another; none where it has
// what that does not compute, or does not pay.
func (n *nest) strips(body []plan.Instr) string {
	if len(n.groups) != 2 || n.single || len(n.m.now) > 0 || !arithmetic(n, body) {
		return ""
	}
	if k, ok := n.constant(); ok && k < kernel.LeastEntries {
		return ""
	}
	p := &stripProgram{}
	if !p.loop(n, body) {
		return ""
	}
	return p.call()
}

// loop adds the instructions of a loop.
func (p *stripProgram) loop(n *nest, body []plan.Instr) bool {
	p.n, p.locals = n, make([]register, len(body))
	uses := n.uses(body)
	for i, in := range body {
		stores := n.kept(in.Stores)
		if uses[i] == 0 && len(stores) == 0 {
			continue
		}
		if in.Op != nil {
			p.ops++
			if in.Op.Bool || in.Op == ir.OpSelect {
				p.ops++
			}
		}
		if !p.instruction(i, in, stores) {
			return false
		}
	}
	return true
}

// call returns the text of the call; none where it does not pay or needs too many registers.
func (p *stripProgram) call() string {
	if p.ops < fewestOps {
		return ""
	}
	p.compose()
	scratch := p.registers()
	strips := len(p.numbers) + p.sums() + scratch
	if len(p.arrays)+strips > kernel.MostRegisters {
		return ""
	}
	f := p.n.m.f
	f.strips = max(f.strips, strips)
	name := fmt.Sprintf("%sLoop%d", f.typ, len(f.loops)+1)
	f.loops = append(f.loops, fmt.Sprintf("// %s has the instructions of a loop, see kernel.Loop.\n"+
		"var %s = []kernel.Instruction{\n%s}\n", name, name, p.text()))
	numbers := "nil"
	if len(p.numbers) > 0 {
		numbers = "[]float64{" + strings.Join(p.numbers, ", ") + "}"
	}
	room, function := "nil", "Loop"
	if strips > 0 {
		room = "f." + f.stripField
	}
	if p.sums() > 0 {
		function, numbers = "LoopSums", numbers+", "+sumsPlace
	}
	return fmt.Sprintf("kernel.%s(%s, %s, %s, %s, %s)\n", function, name, p.n.innermost(), room,
		numbers, strings.Join(p.arrays, ", "))
}

// sumsPlace stands for the array of sums in a call.
const sumsPlace = "$sums"

// sums returns how many sums there are.
func (p *stripProgram) sums() int {
	if p.fused == nil {
		return 0
	}
	return len(p.fused.sums)
}

// registers replaces the scratch of values by as few registers as hold those that are still read,
// and returns how many these are.
func (p *stripProgram) registers() int {
	last := make([]int, p.scratch)
	for i, in := range p.code {
		for _, r := range in.reads() {
			if r.kind == someScratch {
				last[r.index] = i
			}
		}
	}
	var taken []bool
	at := make([]int, p.scratch)
	for i := range p.code {
		in := &p.code[i]
		for k, r := range in.reads() {
			if r.kind == someScratch {
				in.of[k].index = at[r.index]
				if last[r.index] == i {
					taken[at[r.index]] = false
				}
			}
		}
		if in.to.kind != someScratch {
			continue
		}
		k := slices.Index(taken, false)
		if k < 0 {
			k = len(taken)
			taken = append(taken, false)
		}
		taken[k] = last[in.to.index] > i
		at[in.to.index], in.to.index = k, k
	}
	return len(taken)
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
	var to []register
	var inside []plan.Store
	for _, s := range stores {
		if p.fused.holds(s.Buf) {
			inside = append(inside, s)
			continue
		}
		places, err := p.n.places(s.Buf, storeAt(s), false)
		if err != nil {
			return false
		}
		r, ok := p.array(p.n.element(s.Buf, places))
		if !ok {
			return false
		}
		to = append(to, r)
	}
	if in.Op == nil && len(to) == 0 && !p.changes(in.Args[0], of[0], len(inside) > 0) {
		p.locals[i] = of[0]
	} else {
		if len(to) == 0 || len(inside) > 0 {
			to = slices.Insert(to, 0, p.value())
		}
		p.locals[i] = to[0]
		p.add(op, to[0], of)
		for _, r := range to[1:] {
			p.add("OpCopy", r, [3]register{to[0]})
		}
	}
	for _, s := range inside {
		p.fused.keep(s, p.locals[i])
	}
	return true
}

func (p *stripProgram) add(op string, to register, of [3]register) {
	p.code = append(p.code, stripInstruction{op, to, of})
}

// value is scratch for a new value.
func (p *stripProgram) value() register {
	p.scratch++
	return register{someScratch, p.scratch - 1}
}

// changes reports whether an operand, in a register, may be overwritten while it is read under
// another name: in the loop, or in a later step.
func (p *stripProgram) changes(o plan.Operand, r register, later bool) bool {
	if r.kind != anArray {
		return false
	}
	if o.Kind != plan.Load {
		return later
	}
	return p.writes(o) || later && (o.Buf.Where == plan.Temp || o.Buf.Where == plan.Out)
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
	number := p.number
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

// number is the register of a number.
func (p *stripProgram) number(text string) register {
	return register{aNumber, slotOf(&p.numbers, text)}
}

// writes reports whether the loop writes to the memory that an operand reads.
func (p *stripProgram) writes(o plan.Operand) bool {
	for b := range p.n.stored {
		if sameMemory(b, o.Buf) {
			return true
		}
	}
	return false
}

// sameMemory reports whether two buffers are the same, or lie in the same place.
func sameMemory(a, b *plan.Buffer) bool {
	return a == b || a.Where == plan.Temp && b.Where == plan.Temp && len(a.Axes) > 0 &&
		len(b.Axes) > 0 && a.Slot == b.Slot
}

// operand returns the register that an instruction reads.
func (p *stripProgram) operand(o plan.Operand) (register, bool) {
	if o.Kind == plan.Local {
		return p.locals[o.Local], true
	}
	if o.Kind == plan.Load && p.fused.holds(o.Buf) {
		return p.fused.values[o.Buf], true
	}
	e, err := p.n.operand(o)
	if err != nil {
		return register{}, false
	}
	if o.Kind == plan.Load && p.n.depth(o) == len(p.n.groups)-1 {
		return p.array(e)
	}
	return p.number(e.text), true
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

// text writes the instructions.
func (p *stripProgram) text() string {
	number := func(r register) string {
		i := r.index
		if r.kind != anArray {
			i += len(p.arrays)
		}
		if r.kind == aSum || r.kind == someScratch {
			i += len(p.numbers)
		}
		if r.kind == someScratch {
			i += p.sums()
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
