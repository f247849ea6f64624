package plan

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/kernels"
)

// fewEntries is the number of entries below which a loop is not vectorised.
const fewEntries = 8

// vectorise replaces elementwise ops in loops by kernels where there is one, since a kernel is
// several times as fast as a function call for every entry:
//
//	for n { d[n] = y[n] - sigmoid(b + x[n]) }
//
// becomes
//
//	for n { t[n] = b + x[n] }
//	sigmoid t
//	for n { d[n] = y[n] - t[n] }
//
// A kernel gives the same bits as the function.
func (p *planner) vectorise(steps []Step) []Step {
	var out []Step
	for _, s := range steps {
		switch {
		case s.Sequence != nil:
			s.Sequence.Steps = p.vectorise(s.Sequence.Steps)
			out = append(out, s)
		case s.Loop != nil && worthwhile(s.Loop):
			x := &splitter{p: p, loop: s.Loop}
			out = append(out, x.split()...)
		default:
			out = append(out, s)
		}
	}
	return out
}

func hasKernel(in Instr) bool {
	return in.Op != nil && len(in.Args) == 1 && kernels.Elementwise(in.Op.Name)
}

// worthwhile reports whether a loop has an op with a kernel and may have many entries. Loops with
// draws are kept as they are, since the order of draws must not change.
func worthwhile(l *Loop) bool {
	found := false
	for _, in := range l.Body {
		if in.Op != nil && in.Op.Class == ir.Random {
			return false
		}
		found = found || hasKernel(in)
	}
	return found && many(l.Axes)
}

// A splitter cuts a loop into stages. An instruction belongs to the stage after the last kernel
// whose result it needs.
type splitter struct {
	p      *planner
	loop   *Loop
	stage  []int
	last   []int     // the last stage that reads the number
	stored []*Buffer // the buffers of numbers that a kernel or a later stage reads
}

func (x *splitter) split() []Step {
	body := x.loop.Body
	n := len(body)
	x.stage, x.last, x.stored = make([]int, n), make([]int, n), make([]*Buffer, n)
	end := 0
	for i, in := range body {
		in.Locals(func(d int) {
			at := x.stage[d]
			if hasKernel(body[d]) {
				at++
			}
			x.stage[i] = max(x.stage[i], at)
		})
		in.Locals(func(d int) { x.last[d] = max(x.last[d], x.stage[i]) })
		end = max(end, x.stage[i])
		if hasKernel(in) && len(x.otherStores(i)) > 0 {
			end = max(end, x.stage[i]+1) // the instruction's other stores are made in the next stage
		}
	}
	x.sink()
	var out []Step
	for s := range end + 1 {
		out = append(out, x.emit(s)...)
	}
	return out
}

// sink moves instructions that only later stages read to the first of these, so that their results
// are not stored: those whose arguments are read from memory that the loop does not write.
func (x *splitter) sink() {
	written := map[*Buffer]bool{}
	for _, in := range x.loop.Body {
		for _, s := range in.Stores {
			written[s.Buf] = true
		}
	}
	reads := func(in Instr) bool { // what the loop writes
		return slices.ContainsFunc(in.Args,
			func(o Operand) bool { return o.Kind == Load && written[o.Buf] })
	}
	first := make([]int, len(x.stage)) // the first stage that reads the number
	for i := range first {
		first[i] = len(first)
	}
	for i := len(x.stage) - 1; i >= 0; i-- {
		in := x.loop.Body[i]
		free := in.Op != nil && !hasKernel(in) && len(in.Stores) == 0 && first[i] < len(first) &&
			!reads(in)
		in.Locals(func(d int) { free = free && again(x.loop.Body[d]) && !reads(x.loop.Body[d]) })
		if free {
			x.stage[i] = first[i]
		}
		in.Locals(func(d int) { first[d] = min(first[d], x.stage[i]) })
	}
}

// emit returns the loop of a stage and the kernels that follow it.
func (x *splitter) emit(stage int) []Step {
	body := x.loop.Body
	var instrs []Instr
	var calls []Step
	at := map[int]int{} // where this stage has its numbers
	var place func(i int) int
	read := func(o Operand) Operand { return x.operand(o, stage, place) }
	place = func(i int) int {
		if k, ok := at[i]; ok {
			return k
		}
		in := x.copyOf(body[i], read)
		at[i] = len(instrs)
		instrs = append(instrs, in)
		return at[i]
	}
	for i, in := range body {
		switch {
		case hasKernel(in) && x.stage[i]+1 == stage:
			// The kernel has made the first store.
			if rest := x.otherStores(i); len(rest) > 0 {
				instrs = append(instrs,
					Instr{Args: []Operand{x.load(x.stored[i])}, Value: in.Value, Stores: rest})
			}
		case x.stage[i] != stage || again(in) && len(in.Stores) == 0:
		case !hasKernel(in):
			k := place(i)
			for _, s := range in.Stores {
				instrs[k].Stores = append(instrs[k].Stores,
					Store{Buf: s.Buf, At: x.indices(s.At, read)})
			}
			if x.last[i] > stage && !again(in) && x.stored[i] == nil {
				x.keep(i, &instrs[k])
			}
		default:
			dst := x.result(i)
			src := dst
			arg := in.Args[0]
			if arg.Kind == Local && again(body[arg.Local]) && len(body[arg.Local].Stores) == 0 {
				arg = body[arg.Local].Args[0]
			}
			switch {
			case arg.Kind == Local && hasKernel(body[arg.Local]):
				src = x.stored[arg.Local]
			case arg.Kind == Local && x.kept(arg.Local, stage):
				k := place(arg.Local)
				if x.stored[arg.Local] == nil {
					x.keep(arg.Local, &instrs[k])
				}
				src = x.stored[arg.Local]
			case arg.Kind == Local:
				k := place(arg.Local)
				instrs[k].Stores = append(instrs[k].Stores, Store{Buf: dst})
			case arg.Kind == Load && x.whole(arg):
				src = arg.Buf
			default:
				instrs = append(instrs,
					Instr{Args: []Operand{read(arg)}, Value: in.Value, Stores: []Store{{Buf: dst}}})
			}
			calls = append(calls,
				Step{Kernel: &Kernel{Name: in.Op.Name, Dst: dst, Args: []*Buffer{src},
					Along: x.loop.Axes}})
		}
	}
	var out []Step
	if len(instrs) > 0 {
		out = append(out, Step{Loop: &Loop{Axes: x.loop.Axes, Body: instrs}})
	}
	return append(out, calls...)
}

// kept reports whether a number gets a buffer: a later stage reads it, or it has one anyway.
func (x *splitter) kept(i, stage int) bool {
	return x.stored[i] != nil || x.last[i] > stage && !again(x.loop.Body[i]) ||
		x.ownStore(x.loop.Body[i]) != nil
}

// again reports whether repeating an instruction is as fast as reading its stored result: it reads
// one number from memory, at a position that no other instruction computes.
func again(in Instr) bool {
	computed := false
	in.Locals(func(int) { computed = true })
	return in.Op == nil && !computed
}

// keep stores a number for later stages.
func (x *splitter) keep(i int, in *Instr) {
	if b := x.ownStore(x.loop.Body[i]); b != nil {
		x.stored[i] = b
		return
	}
	x.stored[i] = x.buffer(x.loop.Body[i].Value)
	in.Stores = append(in.Stores, Store{Buf: x.stored[i]})
}

// result returns the buffer that a kernel writes: the first store of the instruction if possible,
// else a new one.
func (x *splitter) result(i int) *Buffer {
	in := x.loop.Body[i]
	if x.stored[i] = x.ownStore(in); x.stored[i] == nil {
		x.stored[i] = x.buffer(in.Value)
	}
	return x.stored[i]
}

// ownStore returns the first buffer written by an instruction that has the axes of the loop in its
// order; nil without one.
func (x *splitter) ownStore(in Instr) *Buffer {
	for _, s := range in.Stores {
		if s.At == nil && equal(s.Buf.Axes, x.loop.Axes) {
			return s.Buf
		}
	}
	return nil
}

// otherStores returns the stores of an instruction that a kernel does not make.
func (x *splitter) otherStores(i int) []Store {
	in := x.loop.Body[i]
	own := x.ownStore(in)
	done := own == nil
	return slices.DeleteFunc(slices.Clone(in.Stores), func(s Store) bool {
		if !done && s.At == nil && s.Buf == own {
			done = true
			return true
		}
		return false
	})
}

// buffer makes a temporary with the axes of the loop.
func (x *splitter) buffer(v *ir.Value) *Buffer {
	b := &Buffer{ID: len(x.p.program.Buffers), Where: Temp, Axes: x.loop.Axes, Slot: -1, Value: v}
	if v != nil {
		b.Name = v.Hint
	}
	x.p.program.Buffers = append(x.p.program.Buffers, b)
	return b
}

func (x *splitter) load(b *Buffer) Operand {
	at := make([]Index, len(b.Axes))
	for i, a := range b.Axes {
		at[i] = Index{Axis: a}
	}
	return Operand{Kind: Load, Buf: b, At: at}
}

// whole reports whether an operand reads all of a buffer in the order of the loop.
func (x *splitter) whole(o Operand) bool {
	return walks(o, x.loop.Axes)
}

func sameSize(a, b *ir.Axis) bool {
	return a == b || a.Rows == b.Rows && (a.Rows || a.Size.Equal(b.Size))
}

// operand rewrites an operand for a stage: the result of an earlier stage is read from its buffer,
// or computed again.
func (x *splitter) operand(o Operand, stage int, place func(int) int) Operand {
	switch o.Kind {
	case Local:
		in := x.loop.Body[o.Local]
		if x.stage[o.Local] == stage && !hasKernel(in) || again(in) && x.stored[o.Local] == nil {
			o.Local = place(o.Local)
			return o
		}
		return x.load(x.stored[o.Local])
	case Load:
		o.At = x.indices(o.At, func(o Operand) Operand { return x.operand(o, stage, place) })
	}
	return o
}

func (x *splitter) indices(at []Index, read func(Operand) Operand) []Index {
	at = slices.Clone(at)
	for i := range at {
		if at[i].From != nil {
			from := read(*at[i].From)
			at[i].From = &from
		}
	}
	return at
}

// copyOf is an instruction with its operands rewritten, without its stores.
func (x *splitter) copyOf(in Instr, read func(Operand) Operand) Instr {
	out := Instr{Op: in.Op, When: in.When, Value: in.Value}
	for _, o := range in.Args {
		out.Args = append(out.Args, read(o))
	}
	return out
}

// Locals calls f for every local number that an instruction reads.
func (in Instr) Locals(f func(i int)) {
	for _, o := range in.Args {
		o.locals(f)
	}
	for _, s := range in.Stores {
		for _, i := range s.At {
			if i.From != nil {
				i.From.locals(f)
			}
		}
	}
}

func (o Operand) locals(f func(i int)) {
	if o.Kind == Local {
		f(o.Local)
	}
	for _, i := range o.At {
		if i.From != nil {
			i.From.locals(f)
		}
	}
}
