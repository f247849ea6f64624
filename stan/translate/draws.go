package translate

import (
	"strings"

	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// Calls of _rng functions become calls of the sample of a law. Each of them is a let that is never
// written twice, as two texts would be two draws.

// drawCall translates a call of a function with the suffix _rng of Stan's library.
func (t *translator) drawCall(c *syntax.Call) *value {
	name := strings.TrimSuffix(c.Fun, "_rng")
	t.mayDraw(c)
	var args []*value
	for _, a := range c.Args {
		args = append(args, t.expr(a))
	}
	_, isLaw := dists[name]
	if _, isGlm := glms[name]; !isLaw && !isGlm && !strings.HasSuffix(name, "_glm") {
		t.noFunction(c)
	}
	var more []node // arguments of the generator alone
	if strings.HasSuffix(name, "multinomial") || name == "multinomial_logit" {
		if len(args) != 2 || !args[1].isIntScalar() {
			t.fail(syntax.WrongType, c.Pos(), "%s takes probabilities and a number of trials", c.Fun)
		}
		more, args = []node{args[1].n}, args[:1]
	}
	var known map[*sym]*Given
	if !t.inRNG {
		args, known = t.knownArgs(c, args)
	}
	quiet := t.quiet
	t.quiet = true
	l := t.lawOf(name, t.sampleValue(name, args), args, c.Pos())
	t.quiet = quiet
	v := t.sampleOf(l, more)
	if !t.inRNG {
		return t.shifted(l, t.drawKnown(c, v, v.n, known))
	}
	return t.drawn(l, v)
}

// sampleValue is a value as the law draws it, of which only the type and the shape are looked at.
func (t *translator) sampleValue(name string, args []*value) *value {
	d := dists[name]
	y := &value{n: num(0), t: typ{realBase, 0}}
	switch {
	case d.axes > 0:
		y.t = typ{[]base{realBase, vectorBase, matrixBase}[d.axes], 0}
		for i, own := range d.args {
			if own > 0 && i < len(args) && len(args[i].sh) > 0 {
				k := args[i].sh[len(args[i].sh)-1]
				y.sh = []size.Poly{k, k}[:d.axes]
			}
		}
		y.n = zeros(y.sh)
		if d.discrete {
			y.t = typ{intBase, 1}
		}
	case d.discrete, strings.HasSuffix(name, "_glm") && !strings.HasPrefix(name, "normal"):
		y.t = typ{intBase, 0}
	}
	return y
}

// shifted counts categories that are drawn from 1.
func (t *translator) shifted(l *lawCall, v *value) *value {
	if !l.d.shift || v.t.base != intBase {
		return v
	}
	out := *v
	if v.t.arr == 0 {
		out.n = whole{t.intOf(v, l.at).Add(size.Const(1))}
	} else {
		out.n = binary{"+", v.n, num(1)}
	}
	return &out
}

// sampleOf is the expression that draws for every entry of the arguments of a law.
func (t *translator) sampleOf(l *lawCall, more []node) *value {
	var fam []size.Poly
	for i, a := range l.args {
		if k := a.t.rank() - l.d.args[i]; k > len(fam) {
			fam = a.sh[:k]
		}
	}
	one := func(r []size.Poly) node {
		var args []node
		for i, a := range l.args {
			if k := a.t.rank() - l.d.args[i]; k > 0 {
				a = t.atAll(a, r[:k])
			}
			args = append(args, t.raw(a))
		}
		return call{fun: l.to() + ".sample", args: append(args, more...)}
	}
	plain := l.d.axes == 0
	for i, a := range l.args {
		plain = plain && l.d.args[i] == 0 && !t.lazy(a)
	}
	v := &value{t: l.y.t, sh: append(append([]size.Poly{}, fam...), l.y.sh...), unk: true}
	v.t.arr += len(fam)
	switch {
	case len(fam) == 0:
		v.n = one(nil)
	case plain:
		var args []node
		for _, a := range l.args {
			args = append(args, t.reshaped(t.raw(a), a.sh, shapeOr(fam, a)))
		}
		v.n = call{fun: l.to() + ".sample", args: args}
	default:
		v.n = t.eachOf(fam, one)
	}
	return v
}

// drawn is a let of a draw.
func (t *translator) drawn(l *lawCall, v *value) *value {
	s := t.let(t.blk, l.name+"_draw", v)
	t.auto[s], s.unk = true, true
	out := *v
	out.n = ref{s}
	if v.t.base != intBase {
		return &out
	}
	info := intInfo{neg: true}
	if l.d.shift {
		k := l.args[len(l.args)-1].sh
		n := k[len(k)-1]
		if strings.HasPrefix(l.name, "ordered") {
			n = n.Add(size.Const(1))
		}
		info = intInfo{typed: &n, top: &n, shift: 1}
	}
	if v.t.arr == 0 {
		p := t.atom(out.n, &sym{typed: info.typed, top: info.top, neg: info.neg})
		out.n = whole{p.Add(size.Const(info.shift))}
	}
	t.ints[s] = info
	return &out
}

// draws reports whether a value has a draw in it: written twice it would be two draws.
func (t *translator) draws(n node) bool {
	found := false
	t.walk(n, func(x node) {
		if c, ok := x.(call); ok && strings.HasSuffix(c.fun, ".sample") {
			found = true
		}
	})
	return found
}

// afterRun marks the lets that are computed after a run: those with draws, and those that read
// such a let.
func (t *translator) afterRun(b *block) {
	for _, s := range b.stmts {
		if s.kind != letStmt {
			continue
		}
		s.generated = t.draws(s.value)
		t.walk(s.value, func(x node) {
			if r, ok := x.(ref); ok && r.s.generated {
				s.generated = true
			}
		})
		for _, y := range s.syms {
			y.generated = s.generated
		}
	}
}
