package plan

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// Build schedules a function. It fails when sparse data would have to be made
// dense, or when rows of the minibatch are coupled by more than sums.
func Build(b *ir.Builder, f *ir.Func) (*Program, error) {
	p, err := scheduled(b, f, true)
	if err != nil {
		return nil, err
	}
	for seg := range p.program.Steps {
		p.program.Steps[seg] = p.vectorise(p.program.Steps[seg])
		rectify(p.program.Steps[seg])
		recurrences(p.program.Steps[seg])
		p.program.Steps[seg] = p.program.logistic(p.program.Steps[seg])
		inPlace(p.program.Steps[seg])
	}
	p.program.views()
	allocate(p.program)
	return p.program, nil
}

// BuildWhole is Build for a device on which a loop costs little however many functions it calls,
// and a pass over memory much: loops stay whole, no function of every entry is a kernel of its
// own, and no function is called for some of the entries alone.
func BuildWhole(b *ir.Builder, f *ir.Func) (*Program, error) {
	p, err := scheduled(b, f, false)
	if err != nil {
		return nil, err
	}
	allocate(p.program)
	return p.program, nil
}

// scheduled puts the values of a function into steps. With choosy, costly ops are called where
// their numbers are needed alone.
func scheduled(b *ir.Builder, f *ir.Func, choosy bool) (*planner, error) {
	f, err := layout(b, sequence(b, keepSteps(b, apart(b, f))))
	if err != nil {
		return nil, err
	}
	if err := ir.Verify(f); err != nil {
		return nil, fmt.Errorf("after layout: %w", err)
	}
	p := &planner{
		program: &Program{ID: f.ID},
		f:       f,
		values:  f.Values(),
		buffer:  map[*ir.Value]*Buffer{},
		place:   map[*ir.Value]place{},
		users:   map[*ir.Value][]*ir.Value{},
		output:  map[*ir.Value]string{},
		region:  map[*ir.Value]*recurrence{},
		scan:    map[*ir.Value]*recurrence{},
	}
	p.recurrences(b)
	if err := p.places(); err != nil {
		return nil, err
	}
	p.sink()
	p.materialise()
	if choosy {
		p.costs()
	}
	for seg := range p.program.Steps {
		p.program.Steps[seg] = p.schedule(Segment(seg), nil)
	}
	p.finishOutputs()
	return p, nil
}

type planner struct {
	program *Program
	f       *ir.Func
	values  []*ir.Value
	users   map[*ir.Value][]*ir.Value
	place   map[*ir.Value]place
	buffer  map[*ir.Value]*Buffer // of materialised values
	output  map[*ir.Value]string  // values written directly to an output

	region map[*ir.Value]*recurrence // the recurrence in whose steps a value is computed; nil for none
	scan   map[*ir.Value]*recurrence // the recurrence that has the value as a result
	needed map[*ir.Value][]need      // the conditions under which a value is needed, see costs
	now    *[]Step                   // the list to which steps are being added
}

// A place is the segment of a value and its depth in the segment. Values with the same depth and
// axes share a loop.
type place struct {
	seg   Segment
	in    *recurrence // the recurrence in whose steps the value is computed
	depth int
}

// view reports whether a value is a view: its entries are entries of a stored argument, so that a
// loop reads them by loads.
func view(v *ir.Value) bool {
	return v.Op.Class == ir.Move && v.Op != ir.OpScatter && v.Op != ir.OpCumSum &&
		v.Op != ir.OpStack
}

// kernelled reports whether a value is computed by a kernel instead of in a loop.
func kernelled(v *ir.Value) bool {
	switch v.Op.Class {
	case ir.Reduce, ir.Product, ir.Structured, ir.Sequential:
		return true
	}
	return v.Op == ir.OpScatter || v.Op == ir.OpCumSum || countsRows(v)
}

func countsRows(v *ir.Value) bool { return v.Op == ir.OpSize && len(v.Over) > 0 }

// leaf reports whether a value needs no step. The number of rows does: it is counted by a kernel.
func leaf(v *ir.Value) bool { return v.Op.Class == ir.Leaf && !countsRows(v) }

// inLoop reports whether a value is computed by an instruction of a loop.
func inLoop(v *ir.Value) bool { return !leaf(v) && !kernelled(v) }

// cut reports whether a value is a sum over the row axis, to which every block of rows adds.
func cut(v *ir.Value) bool {
	if countsRows(v) {
		return true
	}
	if v.RowAxis() != nil || !kernelled(v) {
		return false
	}
	for _, a := range v.Args {
		if a.RowAxis() != nil {
			return true
		}
	}
	return false
}

// places assigns segments and depths to values.
func (p *planner) places() error {
	after := map[*ir.Value]bool{} // values that depend on a cut
	for _, v := range p.values {
		for _, a := range v.Args {
			p.users[a] = append(p.users[a], v)
			after[v] = after[v] || after[a] || cut(a)
		}
		at := place{seg: Prepare, in: p.region[v]}
		switch {
		case v.RowAxis() != nil || cut(v):
			if cut(v) && at.in != nil {
				return fmt.Errorf("%s: a step of a scan sums over rows", p.f.ID)
			}
			if after[v] && !leaf(v) {
				return fmt.Errorf("%s: a value of a row (%s) depends on a sum over rows", p.f.ID, v)
			}
			if cut(v) && !additive(v) {
				return fmt.Errorf("%s: %s couples the rows", p.f.ID, v.Op.Name)
			}
			at.seg = Rows
		case after[v]:
			at.seg = Finish
		}
		for _, a := range v.Args {
			b, ok := p.place[a]
			if !ok || b.in != at.in || leaf(a) || at.in == nil && b.seg != at.seg {
				continue // the steps of a scan get their segment together
			}
			d := b.depth + 1
			if inLoop(v) && inLoop(a) && p.fuses(v, a) {
				d = b.depth
			}
			at.depth = max(at.depth, d)
		}
		p.place[v] = at
		if r := p.scan[v]; r != nil {
			if err := p.placeScan(r, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// placeScan puts the steps of a scan into one segment, and the scan after all values that its steps
// read.
func (p *planner) placeScan(r *recurrence, v *ir.Value) error {
	at := p.place[v]
	if r.planned {
		p.place[v] = p.place[r.first]
		return nil
	}
	r.planned, r.first = true, v
	steps := p.stepsOf(r)
	for _, x := range append(steps, r.inits...) {
		at.seg = max(at.seg, min(p.place[x].seg, Rows))
	}
	for _, x := range append(steps, r.inits...) {
		switch s := p.place[x].seg; {
		case s == Finish && at.seg == Rows:
			return fmt.Errorf("%s: a scan of a row depends on a sum over rows", p.f.ID)
		case s == Finish:
			at.seg = Finish
		}
	}
	for _, x := range steps {
		q := p.place[x]
		q.seg = at.seg
		p.place[x] = q
		for _, a := range x.Args {
			if b, ok := p.place[a]; ok && b.seg == at.seg && b.in == at.in && !leaf(a) {
				at.depth = max(at.depth, b.depth+1)
			}
		}
	}
	p.place[v] = at
	for _, x := range r.parts {
		if x != nil {
			p.place[x] = at
		}
	}
	return nil
}

// stepsOf returns the values computed in the steps of a scan and of scans within it.
func (p *planner) stepsOf(r *recurrence) []*ir.Value {
	var out []*ir.Value
	for _, v := range p.values {
		for in := p.region[v]; in != nil; in = in.up {
			if in == r && !leaf(v) {
				out = append(out, v)
				break
			}
		}
	}
	return out
}

// sink moves values into the loop that uses them first, where they are local numbers; otherwise a
// separate loop would store them.
//
// Draws are not moved, since their order is the order of the random stream.
func (p *planner) sink() {
	stays := map[*ir.Value]bool{}
	for _, o := range p.f.Outputs {
		stays[o.Value] = true
	}
	for i := len(p.values) - 1; i >= 0; i-- {
		v := p.values[i]
		if leaf(v) || !inLoop(v) || v.Op == ir.OpStack || v.Op.Class == ir.Random || stays[v] ||
			len(p.users[v]) == 0 {
			continue
		}
		to, ok := p.place[p.users[v][0]], true
		for _, u := range p.users[v] {
			ok = ok && inLoop(u) && p.fuses(u, v)
			if at := p.place[u]; at.before(to) {
				to = at
			}
		}
		if ok && p.place[v].in == to.in && p.place[v].before(to) {
			p.place[v] = to
		}
	}
}

func (p place) before(q place) bool {
	return p.seg < q.seg || p.seg == q.seg && p.depth < q.depth
}

// fuses reports whether v may read a as a local number of the same loop.
func (p *planner) fuses(v, a *ir.Value) bool {
	if p.region[v] != p.region[a] {
		return false
	}
	if !ir.SameAxes(v.Axes, a.Axes) || a.Op == ir.OpStack {
		return false
	}
	if view(v) {
		// A view needs its source in a buffer; a gather may have its index as a local number.
		return v.Op == ir.OpGather && v.Args[1] == a && v.Args[0] != a
	}
	return v.Op != ir.OpStack
}

// additive reports whether a cut may be computed as a sum over blocks of rows.
func additive(v *ir.Value) bool {
	return v.Op == ir.OpSum || v.Op == ir.OpContract || v.Op == ir.OpScatter || countsRows(v)
}

// materialise decides which values get buffers.
func (p *planner) materialise() {
	for _, o := range p.f.Outputs {
		if _, taken := p.output[o.Value]; !taken && !leaf(o.Value) && p.scan[o.Value] == nil &&
			equal(o.Axes, o.Value.Axes) {
			p.output[o.Value] = o.Name
		}
	}
	copied := map[*ir.Value]bool{}
	for _, o := range p.f.Outputs {
		copied[o.Value] = p.output[o.Value] != o.Name
	}
	for _, v := range p.values {
		if leaf(v) {
			if v.Op == ir.OpState || v.Op == ir.OpData || v.Op == ir.OpLocal {
				where := State
				if v.Op != ir.OpState {
					where = Data
				}
				p.newBuffer(v, where, v.Name)
			}
			if r := p.region[v]; v.Op == ir.OpCarry && r.up != nil && r.up.slope == r {
				p.newBuffer(v, Temp, v.Hint) // the time or the point of an ode
			}
			continue
		}
		if name, ok := p.output[v]; ok {
			p.newBuffer(v, Out, name)
			continue
		}
		if r := p.scan[v]; r != nil {
			for k, part := range r.parts {
				if part == nil || p.buffer[part] != nil {
					continue
				}
				hint := v.Hint
				if r.solution == nil {
					hint = r.carries[k].Hint
				}
				stored := p.newBuffer(part, Temp, hint)
				if p.rolls(r, k) {
					stored.Axes = ir.Without(part.Axes, []*ir.Axis{r.to})
				}
			}
			p.buffer[v] = p.buffer[r.parts[v.Part]]
			continue
		}
		if !inLoop(v) || v.Op == ir.OpStack || copied[v] {
			p.newBuffer(v, Temp, v.Hint)
			continue
		}
		for _, u := range p.users[v] {
			if r := p.scan[u]; r != nil && p.direct(r, v) {
				continue
			}
			if !inLoop(u) || !p.fuses(u, v) || p.place[u] != p.place[v] {
				p.newBuffer(v, Temp, v.Hint)
				break
			}
		}
	}
}

// direct reports whether a value is only a next value of the scan, so that it is written to the
// carry's buffer at once.
func (p *planner) direct(r *recurrence, v *ir.Value) bool {
	if !inLoop(v) || v.Op == ir.OpStack || p.region[v] != r || !slices.Contains(r.nexts, v) {
		return false
	}
	for k, x := range r.nexts {
		if x == v && !ir.SameAxes(v.Axes, r.carries[k].Axes) {
			return false
		}
	}
	for _, x := range r.inits {
		if x == v {
			return false
		}
	}
	for k, x := range r.nexts {
		if x == v && p.rolls(r, k) && !p.last(r.carries[k], v) {
			return false
		}
	}
	return true
}

// last reports whether nothing reads a carry after its next value is computed, or at another place
// in the same loop.
func (p *planner) last(carry, next *ir.Value) bool {
	for _, u := range p.users[carry] {
		if u == next && !view(u) {
			continue
		}
		at, end := p.place[u], p.place[next]
		if r := p.scan[u]; r != nil && slices.Contains(r.carries, carry) {
			continue // the scan that owns the carry
		}
		if at.in != end.in || !at.before(end) {
			return false
		}
	}
	return true
}

func (p *planner) newBuffer(v *ir.Value, where Where, name string) *Buffer {
	b := &Buffer{ID: len(p.program.Buffers), Where: where, Name: name, Axes: v.Axes,
		Sparse: v.Sparse, Slot: -1, Acc: cut(v), Value: v}
	p.program.Buffers = append(p.program.Buffers, b)
	p.buffer[v] = b
	return b
}

// finishOutputs copies values to outputs where they are leaves or go to several outputs.
func (p *planner) finishOutputs() {
	done := map[string]bool{}
	for _, v := range p.values {
		if name, ok := p.output[v]; ok {
			done[name] = true
		}
	}
	for _, o := range p.f.Outputs {
		if done[o.Name] {
			continue
		}
		out := &Buffer{ID: len(p.program.Buffers), Where: Out, Name: o.Name, Axes: o.Axes, Slot: -1,
			Value: o.Value}
		p.program.Buffers = append(p.program.Buffers, out)
		seg := Finish
		if out.Rows() {
			seg = Rows
		}
		p.program.Steps[seg] = append(p.program.Steps[seg], Step{Loop: &Loop{
			Axes: o.Axes,
			Body: []Instr{{Args: []Operand{p.stored(o.Value)}, Value: o.Value,
				Stores: []Store{{Buf: out}}}},
		}})
	}
}
