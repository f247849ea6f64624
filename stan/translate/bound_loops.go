package translate

import "slices"

// comp computes a comprehension or a reduction.
func (e *evaluation) comp(n comp) *Given {
	inner := &evaluation{t: e.t, env: map[*sym]*Given{}}
	for k, v := range e.env {
		inner.env[k] = v
	}
	out := &Given{}
	var sizes []int
	ok := true
	var walk func(k int)
	walk = func(k int) {
		if !ok {
			return
		}
		if k == len(n.binds) {
			v := inner.of(n.elem)
			if v == nil {
				ok = false
				return
			}
			out.Shape = v.Shape
			out.X = append(out.X, v.X...)
			return
		}
		b := n.binds[k]
		lo, ok1 := inner.size(b.lo)
		hi, ok2 := inner.size(b.hi)
		if !ok1 || !ok2 {
			ok = false
			return
		}
		if k == len(sizes) {
			sizes = append(sizes, max(0, hi-lo))
		}
		for i := lo; i < hi && ok; i++ {
			inner.env[b.v] = scalar(float64(i))
			walk(k + 1)
		}
	}
	walk(0)
	if !ok {
		return nil
	}
	for len(sizes) < len(n.binds) {
		sizes = append(sizes, 0)
	}
	out.Shape = append(sizes, out.Shape...)
	if n.fun != "" {
		return reduced(n.fun, out)
	}
	return out
}

// scan computes a scan whose steps data alone give.
func (e *evaluation) scan(n *scan) *Given {
	if len(n.carries) != 1 {
		return nil
	}
	lo, ok1 := e.size(n.lo)
	hi, ok2 := e.size(n.hi)
	state := e.of(n.carries[0].init)
	if !ok1 || !ok2 || state == nil {
		return nil
	}
	inner := &evaluation{t: e.t, env: map[*sym]*Given{}}
	for k, v := range e.env {
		inner.env[k] = v
	}
	out := &Given{Shape: append([]int{max(0, hi-lo) + 1}, state.Shape...), X: slices.Clone(state.X)}
	for i := lo; i < hi; i++ {
		inner.env[n.v] = scalar(float64(i))
		inner.env[n.carries[0].s] = state
		for _, s := range n.body.stmts {
			if s.kind != letStmt || len(s.syms) != 1 {
				return nil
			}
			v := inner.of(s.value)
			if v == nil {
				return nil
			}
			inner.env[s.syms[0]] = v
		}
		if state = inner.of(n.next[0]); state == nil {
			return nil
		}
		out.X = append(out.X, state.X...)
	}
	return out
}
