package check

import (
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
)

// call returns the flow of a function's result.
func (a *coupling) call(e *ast.Call) flow {
	callee := a.c.m.Callees[e]
	if callee == nil {
		return flow{}
	}
	var name string
	switch {
	case callee.Builtin != nil:
		name = callee.Builtin.Name
		if callee.Builtin.Class == builtin.Reduction && len(callee.Args) == 1 {
			return a.reduce(e, callee)
		}
		if callee.Builtin.Class == builtin.Elementwise || callee.Elementwise {
			return a.each(e, name, callee.Args...)
		}
		return a.whole(e, callee, name)
	case callee.Dist != nil:
		name = callee.Dist.Name
		if callee.Elementwise {
			return a.each(e, name, callee.Args...)
		}
		return a.whole(e, callee, name)
	case callee.Fn != nil:
		name = callee.Fn.Decl.Name.Name
		if callee.Elementwise {
			return a.each(e, name, callee.Args...)
		}
		return a.inside(e, callee)
	}
	return flow{}
}

// whole returns the flow of a function of whole arrays: its argument may be an array of a row, but
// not have the rows as an axis.
func (a *coupling) whole(e *ast.Call, callee *Callee, name string) flow {
	out := flow{axis: -1}
	for i, arg := range append(append([]ast.Expr{}, callee.Args...), callee.Rest...) {
		if arg == nil || callee.Ode != nil && i == 0 ||
			callee.Builtin != nil && callee.Builtin.Rule == builtin.Pool && i > 0 {
			continue
		}
		f := a.expr(arg)
		out.local = pick(out.local, f.local)
		switch {
		case f.kind == flowBad:
			return f
		case f.kind == flowSum:
			return coupled(e.Span, "%s of a sum over %s is no sum over %s", name, a.dim, a.dim)
		case f.kind == flowRow && f.axis >= 0 && name == "transpose":
			out.kind, out.axis = flowRow, 1-f.axis
		case f.kind == flowRow && f.axis >= 0 && name == "dot":
			return flow{kind: flowSum, local: out.local}
		case f.kind == flowRow && f.axis >= 0 && callee.Ode != nil:
			return coupled(e.Span, "ode goes through the rows of %s in order", a.dim)
		case f.kind == flowRow && f.axis >= 0:
			return coupled(e.Span, "%s needs all rows of %s at once", name, a.dim)
		case f.kind == flowRow && out.kind == flowRow && out.index != f.index:
			return coupled(e.Span, "this puts a row of %s together with others", a.dim)
		case f.kind == flowRow:
			out.kind, out.index = flowRow, f.index
		}
	}
	return out
}

// reduce is sum(a), sum(e for i in I) and their like.
func (a *coupling) reduce(e *ast.Call, callee *Callee) flow {
	name := callee.Builtin.Name
	adds := name == "sum" || name == "mean"
	var f flow
	over := false
	if callee.Comp != nil {
		g, opened, _ := a.bound(callee.Comp)
		f, over = g, len(opened) > 0
		if over && f.kind == flowRow && (len(opened) > 1 || f.index != opened[0]) {
			return coupled(e.Span, "this has an entry for every pair of rows of %s", a.dim)
		}
		if over && f.kind == flowNone {
			f.kind = flowRow
		}
	} else {
		f = a.expr(callee.Args[0])
		over = f.kind == flowRow && f.axis >= 0
	}
	switch {
	case f.kind == flowBad:
		return f
	case over && !adds:
		return coupled(e.Span, "%s over the rows of %s is no sum over them", name, a.dim)
	case over && f.kind == flowSum:
		return coupled(e.Span, "a sum over all rows of %s enters each of them", a.dim)
	case over:
		return flow{kind: flowSum, local: f.local}
	case f.kind == flowSum && !adds:
		return coupled(e.Span, "%s of a sum over %s is no sum over %s", name, a.dim, a.dim)
	}
	return f
}

// inside follows the arguments into a function's body.
func (a *coupling) inside(e *ast.Call, callee *Callee) flow {
	plain := true
	var local *Symbol
	for i, arg := range callee.Args {
		f := flow{}
		if arg != nil {
			f = a.expr(arg)
		}
		if f.kind == flowBad {
			return f
		}
		plain = plain && f.kind == flowNone
		local = pick(local, f.local)
		if i < len(callee.Fn.Params) {
			a.env[callee.Fn.Params[i]] = f
		}
	}
	index := flow{axis: -1}
	for _, sub := range callee.Subs {
		if f := a.expr(sub); f.kind == flowBad || f.kind == flowRow {
			index = f
		}
	}
	if index.kind == flowBad {
		return index
	}
	a.inFn++
	f := a.block(callee.Fn.Decl.Body)
	a.inFn--
	if f.kind == flowNone && index.kind == flowRow {
		f = index
	}
	f.local = pick(f.local, local)
	if f.kind == flowBad {
		// The span of a body says little at the call; name both.
		f.at = e.Span
	}
	return f
}
