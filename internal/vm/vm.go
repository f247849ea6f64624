// Package vm executes plans in process: no toolchain, the first draw in
// milliseconds, and the oracle that generated code is compared with bit for bit.
package vm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// Code makes executable functions of a model's programs.
type Code struct {
	Spec     *model.Spec
	Programs map[fn.ID]*plan.Program
	// Source gives the draws of functions that simulate; nil for the others.
	Source *rng.Source

	strips bool // for tests: loops over few entries run over strips, as all others
}

// Func implements model.Code.
func (c *Code) Func(name string, dims map[string]int, capacity int) model.Func {
	p, ok := c.Programs[fn.Parse(name)]
	if !ok {
		return nil
	}
	f := &function{program: p, spec: c.Spec, capacity: capacity, source: c.Source,
		strips: c.strips, now: map[*ir.Axis]*int{}}
	f.slots, f.slots32 = make([][]float64, len(p.Slots)), make([][]float32, len(p.Slots))
	f.rooms = make([][]float32, len(p.Buffers))
	f.turns, f.joins = p.Turns()
	f.fit(dims)
	return f
}

// Join implements model.Joiner.
func (f *function) Join(of model.Func) bool {
	other := of.(*function)
	if !f.joins {
		return false
	}
	for _, b := range f.program.Sums() {
		f.slots[b.Slot], f.slots32[b.Slot] = other.slots[b.Slot], other.slots32[b.Slot]
	}
	f.fits = nil // the arrays lie elsewhere now
	f.fit(f.dims)
	return true
}

// Resize implements model.Resizable. The memory stays.
func (f *function) Resize(dims map[string]int) {
	f.fit(dims)
	f.resized = true
}

// ready makes steps executable.
func (f *function) ready(steps []plan.Step) []func() {
	var out []func()
	for _, s := range steps {
		switch {
		case s.Sequence != nil:
			out = append(out, f.sequence(s.Sequence))
		case s.Ode != nil:
			out = append(out, f.ode(s.Ode))
		case s.Kernel != nil:
			out = append(out, f.kernel(s.Kernel))
		case f.program.NarrowLoop(s.Loop.Axes):
			out = append(out, newLoop[float32](f, s.Loop))
		default:
			out = append(out, f.loop(s.Loop))
		}
	}
	return out
}

// loop makes a loop in double precision ready.
func (f *function) loop(l *plan.Loop) func() {
	if f.strips {
		return newLoop[float64](f, l)
	}
	if len(l.Axes) == 0 {
		if s := newSingle(f, l); s != nil {
			return s.run
		}
	} else if s := newShort(f, l); s != nil {
		return s.run
	}
	return newLoop[float64](f, l)
}

// sequence runs its steps for one index after another.
func (f *function) sequence(q *plan.Sequence) func() {
	now := new(int)
	f.now[q.Axis] = now
	steps := f.ready(q.Steps)
	delete(f.now, q.Axis)
	length := f.extent(q.Axis)
	return func() {
		n := length.now()
		for i := range n {
			*now = i
			if q.Reverse {
				*now = n - 1 - i
			}
			for _, s := range steps {
				s()
			}
		}
	}
}

// A function is a program with memory for the sizes it was made with, made ready
// for sizes that are no larger.
type function struct {
	program  *plan.Program
	capacity int
	source   *rng.Source
	spec     *model.Spec
	strips   bool

	*fitted // for the present sizes
	fits    map[string]*fitted
	names   []string // of the dims, sorted
	key     []byte   // space for a key of fits
	slots   [][]float64
	slots32 [][]float32 // of arrays, in single precision
	// by buffer: of the state and of outputs in single precision, where the caller has none
	rooms     [][]float32
	scratch   scratch[float64]
	scratch32 scratch[float32]
	resized   bool              // since Prepare
	turns     []plan.Turn       // of the segment Rows
	joins     bool              // several may compute blocks of rows at the same time
	now       map[*ir.Axis]*int // the index of the sequences around a step
	frame     *model.Frame
	n         int // rows of the current block
}

// An array is a buffer with its memory.
type array struct {
	buf    *plan.Buffer
	narrow bool // it holds single, not data
	data   []float64
	single []float32
	room   []float32   // buffer of the function, if the caller has no array
	rows   kernel.Rows // of sparse data
	rows32 kernel.Rows32
	offset int   // in the state or the output vector
	datum  int   // index of Spec.Data
	width  int   // numbers a row, or in all without row axis
	shape  []int // without meaning for the row axis
	stride []int
}

func (f *function) size(p size.Poly) int {
	n, ok := p.Eval(f.dims)
	if !ok {
		panic(fmt.Sprintf("vm: size %s is unknown", p))
	}
	return n
}

// An extent is the number of entries over axes, for the sizes that a function is
// fitted to.
type extent struct {
	f    *function
	n    int // without the row axis
	rows bool
}

func (f *function) extent(axes ...*ir.Axis) extent {
	n, rows := f.count(axes)
	return extent{f, n, rows}
}

// now returns the number in the current block.
func (e extent) now() int {
	if e.rows {
		return e.n * e.f.n
	}
	return e.n
}

// count returns the number of entries over axes without the row axis; rows reports whether the row
// axis was among them.
func (f *function) count(axes []*ir.Axis) (n int, rows bool) {
	n = 1
	for _, a := range axes {
		if a.Rows {
			rows = true
		} else {
			n *= f.size(a.Size)
		}
	}
	return n, rows
}

// bind gives every buffer its place.
func (f *function) bind() {
	slots := f.slots
	for i, s := range f.program.Slots {
		n := f.size(s.Width)
		if s.Rows {
			n *= f.capacity
		}
		if f.program.Single { // numbers share no slot with arrays
			if len(f.slots32[i]) < n {
				f.slots32[i] = make([]float32, n)
			}
			n = 1
		}
		if len(slots[i]) < n {
			slots[i] = make([]float64, n)
		}
	}
	layout := NewLayout(f.spec, f.program.ID.Kind, f.dims)
	for _, b := range f.program.Buffers {
		a := &array{buf: b, narrow: f.program.Narrow(b), width: f.size(b.Width())}
		a.shape, a.stride = make([]int, len(b.Axes)), make([]int, len(b.Axes))
		step := 1
		for i := len(b.Axes) - 1; i >= 0; i-- {
			a.stride[i] = step
			if !b.Axes[i].Rows {
				a.shape[i] = f.size(b.Axes[i].Size)
				step *= a.shape[i]
			}
		}
		switch b.Where {
		case plan.Temp:
			if b.Slot >= 0 {
				a.data, a.single = slots[b.Slot], f.slots32[b.Slot]
				if n := f.size(b.Before()); n > 0 && a.narrow {
					a.single = a.single[n:]
				} else if n > 0 {
					a.data = a.data[n:]
				}
			}
		case plan.Data:
			a.datum = layout.Datum(b)
		case plan.State:
			a.offset = layout.In[b.Name]
		case plan.Out:
			if b.Rows() && f.program.ID.Kind == fn.Locals {
				a.datum = layout.Datum(b)
			}
			a.offset = layout.Out[b.Name] + f.before(b.Name)
		}
		if a.narrow && (b.Where == plan.State || b.Where == plan.Out) {
			n := a.width
			if b.Rows() {
				n *= f.capacity
			}
			if len(f.rooms[b.ID]) < n {
				f.rooms[b.ID] = make([]float32, n)
			}
			a.room = f.rooms[b.ID]
			a.single = a.room
		}
		f.buffers = append(f.buffers, a)
		f.bring(a)
	}
}

// bring lists an array for point where its memory comes with a call.
func (f *function) bring(a *array) {
	b, rows := a.buf, a.buf.Rows()
	if b.Where == plan.Temp {
		return
	}
	both := b.Where == plan.State || b.Where == plan.Out && (a.narrow || !rows)
	for place := range f.brought {
		if both || rows == (place == 1) {
			f.brought[place] = append(f.brought[place], a)
		}
	}
}

// drawn lists the outputs of a simulated draw, in the order of their positions.
var drawn = []string{"draw", "accept", "component"}

// before returns the position of an output of a simulated draw; 0 for all other outputs.
func (f *function) before(name string) int {
	at := 0
	for _, o := range drawn[:max(0, slices.Index(drawn, name))] {
		for _, b := range f.program.Buffers {
			if b.Where == plan.Out && b.Name == o {
				at += f.size(b.Width())
			}
		}
	}
	return at
}

// point sets the memory that a call brings along.
func (f *function) point(frame *model.Frame, rows bool) {
	f.frame = frame
	place := 0
	if rows {
		place = 1
	}
	for _, a := range f.brought[place] {
		switch b := a.buf; {
		case a.narrow && b.Where == plan.State:
			switch {
			case frame.X32 != nil:
				a.single = frame.X32[a.offset : a.offset+a.width]
			case !rows: // at the start of the call
				a.single = a.room
				kernel.Narrow(a.single[:a.width], frame.X[a.offset:])
			}
		case a.narrow && b.Where == plan.Out: // widened when the call or the block ends
			if a.single = a.room; frame.Out32 != nil {
				a.single = frame.Out32[a.offset : a.offset+a.width]
			}
		case a.narrow && b.Where == plan.Data && b.Rows() == rows:
			a.single, a.rows32 = frame.Dense32[a.datum], frame.Sparse32[a.datum]
		case b.Where == plan.State:
			a.data = frame.X[a.offset : a.offset+a.width]
		case b.Where == plan.Data && b.Rows() == rows:
			a.data, a.rows = frame.Dense[a.datum], frame.Sparse[a.datum]
		case b.Where == plan.Out && b.Rows() && f.program.ID.Kind == fn.Locals:
			if rows {
				a.data = frame.Dense[a.datum]
			}
		case b.Where == plan.Out && b.Rows():
			if rows {
				a.data = frame.Out
			}
		case b.Where == plan.Out && frame.Out != nil:
			a.data = frame.Out[a.offset : a.offset+a.width]
		}
	}
}

// Prepare implements model.Func.
func (f *function) Prepare(frame *model.Frame) {
	f.resized = false
	f.point(frame, false)
	for _, a := range f.buffers {
		if a.buf.Acc && frame.Turn == nil {
			if a.narrow {
				clear(a.single[:a.width])
			} else {
				clear(a.data[:a.width])
			}
		}
	}
	f.run(plan.Prepare)
}

// Rows implements model.Func.
func (f *function) Rows(frame *model.Frame) {
	f.n = frame.N
	if f.resized { // between Prepare and here
		f.point(frame, false)
	}
	f.point(frame, true)
	at := 0
	for place, t := range f.turns {
		f.runSteps(plan.Rows, at, t.From)
		frame.Turn.Begin(place)
		f.runSteps(plan.Rows, t.From, t.To)
		frame.Turn.End(place)
		at = t.To
	}
	f.runSteps(plan.Rows, at, len(f.steps[plan.Rows]))
	f.widen(true)
}

// widen writes what a function in single precision gives out: by row or else.
func (f *function) widen(rows bool) {
	for _, a := range f.buffers {
		switch {
		case !a.narrow || a.buf.Where != plan.Out || a.buf.Rows() != rows:
		case rows:
			kernel.Widen(f.frame.Out[:f.n*a.width], a.single)
		default:
			f.frame.Widen(a.offset, a.single[:a.width])
		}
	}
}

// Finish implements model.Func.
func (f *function) Finish(frame *model.Frame) {
	f.frame = frame
	if f.resized {
		f.point(frame, false)
	}
	f.run(plan.Finish)
	f.widen(false)
}

func (f *function) run(seg plan.Segment) { f.runSteps(seg, 0, len(f.steps[seg])) }

func (f *function) runSteps(seg plan.Segment, from, to int) {
	for _, s := range f.steps[seg][from:to] {
		s()
	}
}

// A Layout gives the position of each name of a function in the vectors of a frame.
type Layout struct {
	spec    *model.Spec
	In, Out map[string]int
}

// NewLayout computes the offsets for given sizes.
func NewLayout(spec *model.Spec, kind fn.Kind, dims map[string]int) *Layout {
	l := &Layout{spec: spec, In: map[string]int{}, Out: map[string]int{}}
	state, value := map[string]int{}, map[string]int{}
	at, out := 0, 0
	for i := range spec.Params {
		p := &spec.Params[i]
		state[p.Name], value[p.Name] = at, out
		at += p.StateLen(dims)
		out += p.Len(dims)
	}
	for i := range spec.Tracks {
		t := &spec.Tracks[i]
		value[t.Name] = out
		out += t.Len(dims)
	}
	length := at
	for i := range spec.Hidden {
		h := &spec.Hidden[i]
		state[model.ValuePrefix+h.Name] = at
		at += h.Len(dims)
	}
	switch kind {
	case fn.Gradient:
		l.In, l.Out = state, state
	case fn.Conditional:
		for i := range spec.Params {
			l.In[model.ValuePrefix+spec.Params[i].Name] = value[spec.Params[i].Name]
		}
		for i := range spec.Hidden {
			l.In[model.ValuePrefix+spec.Hidden[i].Name] = out
			out += spec.Hidden[i].Len(dims)
		}
		for i := range spec.Conditionals {
			at := 0
			for _, d := range spec.Conditionals[i].Outputs {
				l.Out[d.Name] = at
				at += d.Len(dims)
			}
		}
	case fn.Difference:
		l.In, l.Out = maps.Clone(state), state
		for i := range spec.Params {
			name := spec.Params[i].Name
			l.In[model.AnchorPrefix+name] = at + state[name]
		}
	case fn.Evaluate, fn.Full, fn.Weighted:
		l.In, l.Out = state, maps.Clone(state)
		l.Out[model.DensityOutput] = length
	case fn.Constrain:
		l.In, l.Out = state, value
	case fn.Unconstrain:
		l.In, l.Out = value, state
	case fn.Generate: // each function has its part of the values of all lines
		l.In = state
		at := 0
		for i := range spec.Latent {
			l.Out[strings.TrimPrefix(spec.Latent[i].Name, model.DrawnPrefix)] = at
			at += spec.Latent[i].Len(dims)
		}
	case fn.Constants, fn.Derive, fn.Statistics, fn.Totals:
		list := spec.Derived
		switch kind {
		case fn.Constants:
			list = spec.Constants
		case fn.Statistics:
			list = spec.StatisticData()
		case fn.Totals:
			list = spec.Totals
		}
		at := 0
		for i := range list {
			l.Out[list[i].Name] = at
			at += list[i].Len(dims)
		}
	default:
		l.In = state
	}
	return l
}

// Datum finds the entry of Spec.Data that a buffer reads.
func (l *Layout) Datum(b *plan.Buffer) int {
	for i, d := range l.spec.Data {
		if d.Name == b.Name && d.Rows == b.Rows() && d.Sparse == b.Sparse {
			return i
		}
	}
	panic("vm: no datum " + b.Name)
}
