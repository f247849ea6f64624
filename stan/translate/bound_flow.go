package translate

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// A frame is a loop that is written turn by turn: the conditions under which it, and its present
// turn, are left. nil is never.
type frame struct {
	loop, turn node
	conds      int // how many conditions held where the loop began
}

// exec translates statements of a program whose data are known. What stands behind a statement
// that leaves the list under a condition holds where the condition does not.
func (t *translator) exec(list []syntax.Stmt) {
	for _, s := range list {
		gone := t.gone()
		if isTrue(gone) {
			return
		}
		if isFalse(gone) {
			t.execOne(s)
			continue
		}
		t.under1(not(gone), func() { t.execOne(s) })
	}
}

// gone is the condition under which the present statement is not reached.
func (t *translator) gone() node {
	b := t.bound
	all := []node{}
	if b.left != nil {
		all = append(all, b.left)
	}
	if k := len(b.frames); k > 0 {
		for _, c := range []node{b.frames[k-1].loop, b.frames[k-1].turn} {
			if c != nil {
				all = append(all, c)
			}
		}
	}
	return either(all)
}

func either(list []node) node {
	out := truth(false)
	for _, c := range list {
		switch {
		case isTrue(c) || isFalse(out):
			out = c
		case isFalse(c) || isTrue(out):
		default:
			out = binary{"or", out, c}
		}
		if isTrue(out) {
			return out
		}
	}
	return out
}

// leave adds the present conditions to those under which something is left.
func (t *translator) leave(left *node, from int) {
	c := t.condition(min(from, len(t.conds)))
	if !isTrue(c) && !isFalse(c) && t.weight(c) > 3 {
		s := t.let(t.blk, "left", &value{n: c, t: typ{intBase, 0}, unk: true})
		t.auto[s] = true
		c = ref{s}
	}
	if *left != nil {
		c = either([]node{*left, c})
	}
	*left = c
}

func (t *translator) execOne(s syntax.Stmt) {
	b := t.bound
	if len(t.blk.stmts) > mostBound {
		t.fail(syntax.SizeUnknown, s.Pos(), "loops that data bind become more than %d statements",
			mostBound)
	}
	switch s := s.(type) {
	case *syntax.Break, *syntax.Continue:
		k := len(b.frames) - 1
		if k < 0 {
			t.fail(syntax.NotStan, s.Pos(), "break and continue stand in loops")
		}
		f := b.frames[k]
		if _, is := s.(*syntax.Break); is {
			t.leave(&f.loop, f.conds)
		} else {
			t.leave(&f.turn, f.conds)
		}
	case *syntax.Return:
		t.statement(s)
		t.leave(&b.left, b.from)
	default:
		t.statement(s)
	}
}

// boundLoop translates a loop as one of the language where it can, and else turn by turn.
func (t *translator) boundLoop(s *syntax.For) {
	known := t.blk == t.before && !t.long(s)
	turned := t.bound.loops.All || t.bound.loops.Loops[s.Pos().Start]
	if !leavesLoop(s.Body) && !known && !turned && t.asLoop(s) {
		return
	}
	t.byTurns(s)
}

// mostKnown is the number of turns up to which loops of transformed data are computed here.
const mostKnown = 20_000

// long reports whether a loop has too many turns to be computed here.
func (t *translator) long(s *syntax.For) bool {
	if s.In != nil {
		return false
	}
	lo, ok1 := t.intOf(t.expr(s.Lo), s.Lo.Pos()).Number()
	hi, ok2 := t.intOf(t.expr(s.Hi), s.Hi.Pos()).Number()
	return ok1 && ok2 && hi-lo > mostKnown
}

// leavesLoop reports whether a loop's body has a statement that ends the loop.
func leavesLoop(list []syntax.Stmt) bool {
	out := false
	var look func(list []syntax.Stmt, inner bool)
	look = func(list []syntax.Stmt, inner bool) {
		for _, s := range list {
			switch s := s.(type) {
			case *syntax.Break:
				out = out || !inner
			case *syntax.Return:
				out = true
			case *syntax.Block:
				look(s.Body, inner)
			case *syntax.If:
				look(s.Then, inner)
				look(s.Else, inner)
			case *syntax.For:
				look(s.Body, true)
			case *syntax.While:
				look(s.Body, true)
			}
		}
	}
	look(list, false)
	return out
}

// asLoop tries a loop as one of the language, and reports whether it has become one.
func (t *translator) asLoop(s *syntax.For) bool {
	m := t.remember()
	diags, after := len(t.diags), t.after
	var observed []*given
	for _, g := range t.data {
		if g.observed == nil {
			observed = append(observed, g)
		}
	}
	d := t.trying(func() {
		t.closeCells(t.assignedIn(s.Body), s.Pos())
		t.forLoop(s)
	})
	if d == nil {
		return true
	}
	t.forget(m)
	for _, g := range observed {
		g.observed = nil
	}
	t.diags, t.after, t.spies = t.diags[:diags], after, nil
	return false
}

// byTurns writes a loop turn by turn.
func (t *translator) byTurns(s *syntax.For) {
	var turns []*value
	if s.In != nil {
		turns = t.entriesIn(s)
	} else {
		lo, ok1 := t.intOf(t.expr(s.Lo), s.Lo.Pos()).Number()
		hi, ok2 := t.intOf(t.expr(s.Hi), s.Hi.Pos()).Number()
		if !ok1 || !ok2 {
			t.fail(syntax.LoopCarried, s.Pos(), "how often this loop turns the data do not decide")
		}
		if hi-lo >= MostTurns {
			t.fail(syntax.LoopCarried, s.Pos(), "this loop has more than %d turns", MostTurns)
		}
		for i := lo; i <= hi; i++ {
			turns = append(turns, intVal(size.Const(i)))
		}
	}
	t.inTurns(func(f *frame) {
		for _, x := range turns {
			if !t.nextTurn(f, s.Pos().Start) {
				return
			}
			t.open()
			t.bindVar(s.Var, x)
			t.exec(s.Body)
			t.close()
		}
	})
}

// entriesIn are the entries of a container that a loop goes over; those of a matrix by columns.
func (t *translator) entriesIn(s *syntax.For) []*value {
	in := t.expr(s.In)
	sh, ok := constantsOf(in.sh)
	if !ok || len(sh) == 0 {
		t.fail(syntax.WrongType, s.In.Pos(), "a loop goes over a range or an array, and this is %v", in.t)
	}
	var out []*value
	if in.t == (typ{matrixBase, 0}) {
		for j := range sh[1] {
			for i := range sh[0] {
				out = append(out, t.atAll(in, []size.Poly{size.Const(i), size.Const(j)}))
			}
		}
		return out
	}
	for i := range sh[0] {
		out = append(out, t.folded(t.at(in, size.Const(i))))
	}
	return out
}

// inTurns runs f inside a loop that is written turn by turn.
func (t *translator) inTurns(f func(*frame)) {
	b := t.bound
	fr := &frame{conds: len(t.conds)}
	frames := b.frames
	b.frames = append(slices.Clone(frames), fr)
	b.open++
	defer func() { b.frames = frames; b.open-- }()
	f(fr)
}

// nextTurn begins a turn; false where the loop is left for certain.
func (t *translator) nextTurn(f *frame, at int) bool {
	b := t.bound
	if b.turns++; b.turns > MostTurns {
		t.fail(syntax.LoopCarried, t.here, "the loops of the program have more than %d turns", MostTurns)
	}
	f.turn = nil
	return !(f.loop != nil && isTrue(f.loop) || b.left != nil && isTrue(b.left))
}

// boundWhile writes a while loop turn by turn: data decide when it ends. One that unknowns end is
// translated as it is without data.
func (t *translator) boundWhile(s *syntax.While) {
	m, left := t.remember(), t.bound.left
	diags, after := len(t.diags), t.after
	if !t.byTurnsWhile(s) {
		t.forget(m)
		t.bound.left, t.diags, t.after = left, t.diags[:diags], after
		t.closeCells(t.assignedIn(s.Body), s.Pos())
		t.while(s)
	}
}

// byTurnsWhile writes a while loop turn by turn, and reports whether data decide when it ends.
func (t *translator) byTurnsWhile(s *syntax.While) bool {
	known := true
	t.inTurns(func(f *frame) {
		for t.nextTurn(f, s.Pos().Start) {
			if gone := t.gone(); !isFalse(gone) && !isTrue(gone) {
				known = false
				return
			}
			c := t.decided(t.truthOf(t.expr(s.Cond), s.Cond.Pos()))
			if isFalse(c) {
				return
			}
			if known = isTrue(c); !known {
				return
			}
			t.open()
			t.exec(s.Body)
			t.close()
		}
	})
	return known
}
