package model

import (
	"sync/atomic"

	"github.com/sgppl/sgppl/runtime/base/team"
	"github.com/sgppl/sgppl/runtime/engine/fn"
)

// A crew shares the blocks of rows of a call among the members of a team. Every member takes the
// next block that nobody has; the member that made the call takes the first. Sums over rows are
// added to in the order of the blocks (team.Turns), so they have the bits of one member.
type crew struct {
	e       *Evaluator
	team    *team.Team
	helpers []*Evaluator      // of the members from 1 on, made at the first call that is shared
	funcs   map[Func][]Joiner // of the helpers, by the caller's function; nil: it is not shared
	numbers int               // that a row has in memory
	heavy   int               // that functions hold for a row, if there may be many

	spread bool // the last call's blocks of rows were shared
	pace   team.Pace
	turns  team.Turns
	turn   []team.Turn // of the members
	next   atomic.Int64
	blocks int
	size   int // rows of a block
	now    sharedCall
}

// A sharedCall is what the members of a crew work at.
type sharedCall struct {
	f      Func
	joined []Joiner
	rows   []int
	n      int
	perRow []float64
	width  int
}

// leastNumbers is how many numbers of rows a call reads, or holds for its rows, at least for it to
// be shared: about five times as long as the members need to find each other.
const leastNumbers = 1 << 12

// blocksEach is how many blocks each member has on average at least, where products are large: with
// fewer, the products of each block are shared instead (Frame.Team).
const blocksEach = 4

// largeRow is how many numbers of a row make products large.
const largeRow = 512

// Share implements target.Sharer.
func (e *Evaluator) Share(t *team.Team) {
	if w := e.weighed; w != nil {
		w.e.Share(t)
	}
	if e.crew, e.frame.Team = nil, nil; t == nil {
		return
	}
	c := &crew{e: e, team: t, funcs: map[Func][]Joiner{}, turn: make([]team.Turn, t.Size())}
	for i, x := range e.m.columns {
		if x != nil && e.m.Spec.Data[i].Rows {
			c.numbers += max(x.Width(), 1)
		}
	}
	for _, w := range e.m.Spec.Work {
		if n, ok := w.Eval(e.m.Dims); ok {
			c.heavy = max(c.heavy, n)
		}
	}
	e.crew = c
}

// use follows the evaluator to another page of rows.
func (c *crew) use(m *Model) {
	if c != nil {
		for _, h := range c.helpers {
			h.use(m)
		}
	}
}

// run does a call of Evaluator.run, by the way that is the fastest now.
func (c *crew) run(f Func, x []float64, rows []int, out, perRow []float64, width int) {
	e := c.e
	n := e.m.rows
	if rows != nil {
		n = len(rows)
	}
	if c.spread = false; n*max(c.numbers, c.heavy) < leastNumbers {
		e.alone(f, x, rows, out, perRow, width)
		return
	}
	shares := c.pace.Begin(c.team)
	c.spread = shares && c.blocksOf(f, x, rows, n, out, perRow, width)
	if !c.spread {
		if shares {
			e.frame.Team = c.team
		}
		e.alone(f, x, rows, out, perRow, width)
		e.frame.Team = nil
	}
	c.pace.End(float64(n))
}

// blocksOf shares the blocks of rows of a call. It returns false if they must be computed by one
// function, or if it is better to share the products in them.
func (c *crew) blocksOf(
	f Func, x []float64, rows []int, n int, out, perRow []float64, width int,
) bool {
	e := c.e
	if e.m.Spec.Chain != nil || e.masks != nil || e.trim != nil ||
		e.variate != nil && e.variate.running {
		return false
	}
	c.size = e.m.block
	if rows != nil {
		c.size = min(c.size, e.capacity)
	}
	c.blocks = (n + c.size - 1) / c.size
	if c.blocks < 2 || max(c.numbers, c.heavy) >= largeRow && c.blocks < blocksEach*c.team.Size() {
		return false
	}
	joined, known := c.funcs[f]
	if !known {
		joined = c.join(f)
		c.funcs[f] = joined
	}
	if joined == nil {
		return false
	}
	c.now.f, c.now.joined, c.now.rows, c.now.n = f, joined, rows, n
	c.now.perRow, c.now.width = perRow, width
	for _, h := range c.helpers { // for outputs of their functions, which nobody reads
		if len(h.scratch) < len(out) {
			h.scratch = make([]float64, len(out))
		}
	}
	e.frame.X, e.frame.Out = x, out
	if perRow != nil {
		e.frame.Out = nil
	}
	f.Prepare(&e.frame)
	c.turns.Reset()
	c.next.Store(1) // the first block is the caller's
	c.team.Run(c)
	e.frame.Turn = nil
	if perRow == nil {
		f.Finish(&e.frame)
	}
	c.now = sharedCall{}
	return true
}

// join makes functions for the helpers that add to the sums of f; nil if they cannot.
func (c *crew) join(f Func) []Joiner {
	var id fn.ID
	found := false
	for i, g := range c.e.funcs {
		if g == f {
			id, found = i, true
		}
	}
	if !found {
		return nil
	}
	if c.helpers == nil {
		for range c.team.Size() - 1 {
			h := &Evaluator{m: c.e.m, funcs: map[fn.ID]Func{}, capacity: c.e.capacity, dims: c.e.dims}
			h.makeRoom()
			c.helpers = append(c.helpers, h)
		}
	}
	var out []Joiner
	for _, h := range c.helpers {
		h.dims = c.e.dims // of a stream that grows
		delete(h.funcs, id)
		g, ok := h.fn(id).(Joiner)
		if !ok || !g.Join(f) {
			return nil
		}
		out = append(out, g)
	}
	return out
}

// Do implements team.Job.
func (c *crew) Do(member int) {
	defer func() {
		if p := recover(); p != nil {
			c.turns.Break() // others may wait for this member's block
			panic(p)
		}
	}()
	e, f, block := c.e, c.now.f, 0
	if member > 0 {
		e = c.helpers[member-1]
		f = c.now.joined[member-1]
		block = int(c.next.Add(1)) - 1
	}
	turn := &c.turn[member]
	e.frame.Turn = turn
	if member > 0 && block < c.blocks {
		c.follow(e)
		f.Prepare(&e.frame)
	}
	for ; block < c.blocks; block = int(c.next.Add(1)) - 1 {
		turn.Of(&c.turns, block)
		start := block * c.size
		count := e.block(c.now.rows, start, c.now.n)
		if p := c.now.perRow; p != nil {
			e.frame.Out = p[start*c.now.width : (start+count)*c.now.width]
		}
		f.Rows(&e.frame)
	}
}

// follow gives the frame of a helper what the caller's has, apart from rows and outputs.
func (c *crew) follow(h *Evaluator) {
	h.arranged = c.e.arranged
	from, to := &c.e.frame, &h.frame
	to.X, to.X32, to.Scale, to.Jacobian = from.X, from.X32, from.Scale, from.Jacobian
	to.Out, to.Out32 = h.scratch, nil
	for i := range c.e.m.Spec.Data {
		if d := &c.e.m.Spec.Data[i]; !d.Rows && !d.Filled {
			to.Dense[i], to.Sparse[i] = from.Dense[i], from.Sparse[i]
			if c.e.m.Spec.Single {
				to.Dense32[i], to.Sparse32[i] = from.Dense32[i], from.Sparse32[i]
			}
		}
	}
}
