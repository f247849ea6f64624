package conditional

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// A form is a value as a function of the unknown.
type form struct {
	free *ir.Value // not nil: it does not depend on the unknown
	// Σ powers[p]·u^p at one entry of the unknown, which at reads; at is nil for the other forms.
	at     *ir.Value
	powers map[float64]*ir.Value
	// what is affine in the statistics of the unknown, with leaves for these
	affine *ir.Value
}

// The names of the statistics that are no powers.
const (
	logStatistic  = "log"
	log1mStatstic = "log1m"
)

// mostPowers is the largest number of powers in a law.
const mostPowers = 16

// An expansion writes a log density as a function that is affine in statistics of the unknown.
type expansion struct {
	*reader
	known map[*ir.Value]form
	used  []string // the statistics, in the order of their first use
	// direct has a leaf for every selection of the logarithm in place of one for the unknown; ats are
	// these selections.
	direct bool
	ats    []*ir.Value
}

// exponentialFamily is the conditional of numbers between bounds under a density
// Σ c_j T_j(u) of few statistics T_j: powers, log u and log(1 − u). The numbers c_j are the
// derivatives by the statistics, as they were variables of their own.
func (r *reader) exponentialFamily(density *ir.Value) *Conditional {
	x := &expansion{reader: r, known: map[*ir.Value]form{}}
	for _, v := range ir.Reach(density) {
		if r.reads[v] {
			x.known[v] = x.of(v)
		}
	}
	whole := x.written(x.known[density])
	c := &Conditional{}
	var order []string
	powers := slices.DeleteFunc(slices.Clone(x.used),
		func(s string) bool { return s == logStatistic || s == log1mStatstic })
	plain := slices.DeleteFunc(slices.Clone(powers),
		func(s string) bool { return s != "1" && s != "2" })
	positive := r.u.Kind == types.Positive || r.u.Kind == types.Nonnegative
	switch kind := r.u.Kind; {
	case kind == types.Simplex && len(powers) == 0 && !x.has(log1mStatstic):
		c.Law, c.Joint, order = target.DirichletLaw, r.u.Own, []string{logStatistic}
	case kind == types.Unit && len(powers) == 0:
		c.Law, order = target.BetaLaw, []string{logStatistic, log1mStatstic}
	case !positive || x.has(log1mStatstic):
	case len(powers) > 0 && !x.has(logStatistic) && len(plain) == len(powers):
		c.Law, order = target.PositiveNormalLaw, []string{"1", "2"}
	case len(powers) > 0 && len(powers) <= mostPowers:
		c.Law, order = target.PowersLaw, append([]string{logStatistic}, powers...)
		if len(powers) == 1 {
			c.Law = target.GammaLaw
		}
		for _, s := range powers {
			p, _ := strconv.ParseFloat(s, 64)
			c.Powers = append(c.Powers, p)
		}
	}
	if c.Law == "" {
		r.u.refuse(r.u.Span, "the log density has the terms %s of it, which are those of no law that "+
			"can be drawn from", x.terms())
	}
	for _, s := range order {
		c.Outputs = append(c.Outputs, ir.Output{Name: r.u.Said + " " + s,
			Value: r.gradient(whole, x.leafName(s), r.u.axes()), Axes: r.u.axes()})
	}
	return c
}

func (x *expansion) has(s string) bool { return slices.Contains(x.used, s) }

// terms lists the statistics for people.
func (x *expansion) terms() string {
	text := ""
	for i, s := range x.used {
		if i > 0 {
			text += ", "
		}
		switch name := x.u.Said; s {
		case logStatistic:
			text += "log " + name
		case log1mStatstic:
			text += "log(1 − " + name + ")"
		case "1":
			text += name
		default:
			text += name + "^" + s
		}
	}
	return text
}

// useName names the leaf of a selection.
func (x *expansion) useName(i int) string { return fmt.Sprintf("%s use %d", x.u.Name, i) }

func (x *expansion) leafName(s string) string { return x.u.Name + " " + s }

// statistic is a statistic of the entry that a selection reads.
func (x *expansion) statistic(s string, at *ir.Value) *ir.Value {
	if !x.has(s) {
		x.used = append(x.used, s)
	}
	if x.direct {
		i := slices.Index(x.ats, at)
		if i < 0 {
			i = len(x.ats)
			x.ats = append(x.ats, at)
		}
		return x.b.Leaf(ir.OpState, x.useName(i), at.Axes...)
	}
	return ir.Rewrite(x.b, []*ir.Value{at},
		func(b *ir.Builder, v *ir.Value, _ []*ir.Value) *ir.Value {
			if !x.u.is(v) {
				return nil
			}
			return b.Leaf(ir.OpState, x.leafName(s), v.Axes...)
		})[0]
}

// written is a form as a value that is affine in the statistics.
func (x *expansion) written(f form) *ir.Value {
	switch {
	case f.free != nil:
		return f.free
	case f.affine != nil:
		return f.affine
	}
	sum := x.b.Num(0)
	for _, p := range f.order() {
		term := f.powers[p]
		if p != 0 {
			term = x.b.Mul(term, x.statistic(fmt.Sprint(p), f.at))
		}
		sum = x.b.Add(sum, term)
	}
	return sum
}

// order lists the powers of a form, the least first.
func (f form) order() []float64 {
	var out []float64
	for p := range f.powers {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

// monomial is c and p of c·u^p; false for other forms.
func (f form) monomial() (c *ir.Value, p float64, is bool) {
	if f.at == nil || len(f.powers) != 1 {
		return nil, 0, false
	}
	p = f.order()[0]
	return f.powers[p], p, true
}

// arg is the form of an argument.
func (x *expansion) arg(v *ir.Value) form {
	if !x.reads[v] {
		return form{free: v}
	}
	return x.known[v]
}

// with is a form with each of its coefficients changed by a function that is linear.
func (f form) with(change func(*ir.Value) *ir.Value) form {
	out := form{at: f.at, powers: map[float64]*ir.Value{}}
	if f.affine != nil {
		return form{affine: change(f.affine)}
	}
	for p, c := range f.powers {
		out.powers[p] = change(c)
	}
	return out
}

// together are two forms with the same entry, as polynomials; false where they are not.
func together(f, g form) (at *ir.Value, x, y map[float64]*ir.Value, ok bool) {
	polynomial := func(f form) map[float64]*ir.Value {
		if f.free != nil {
			return map[float64]*ir.Value{0: f.free}
		}
		return f.powers
	}
	at = f.at
	if at == nil {
		at = g.at
	}
	ok = at != nil && f.affine == nil && g.affine == nil &&
		(f.at == nil || g.at == nil || f.at == g.at)
	return at, polynomial(f), polynomial(g), ok
}

// of is the form of a value that depends on the unknown, after those of its arguments.
func (x *expansion) of(v *ir.Value) form {
	b := x.b
	first := form{}
	if len(v.Args) > 0 {
		first = x.arg(v.Args[0])
	}
	switch {
	case x.u.is(v):
		return form{at: v, powers: map[float64]*ir.Value{1: b.Num(1)}}
	case selects(v.Op) && !x.anyReads(v.Args[1:]):
		like := func(y *ir.Value) *ir.Value {
			return b.Like(v, append([]*ir.Value{y}, v.Args[1:]...))
		}
		out := first.with(like)
		if out.at != nil {
			out.at = like(out.at)
		}
		return out
	case v.Op == ir.OpSum && first.at != nil && !slices.ContainsFunc(v.Over, first.at.Has):
		return first.with(func(c *ir.Value) *ir.Value { return b.Sum(c, v.Over...) })
	case linear(v.Op) && !x.anyReads(v.Args[1:]):
		return form{affine: b.Like(v, append([]*ir.Value{x.written(first)}, v.Args[1:]...))}
	case v.Op == ir.OpNeg:
		return first.with(b.Neg)
	case v.Op == ir.OpAdd, v.Op == ir.OpSub:
		return x.sum(v.Op, first, x.arg(v.Args[1]))
	case v.Op == ir.OpMul, v.Op == ir.OpMul0:
		if out, ok := x.product(v.Op, first, x.arg(v.Args[1])); ok {
			return out
		}
	case v.Op == ir.OpDiv:
		if out, ok := x.quotient(first, x.arg(v.Args[1])); ok {
			return out
		}
	case v.Op == ir.OpSelect:
		return x.choice(v, x.arg(v.Args[1]), x.arg(v.Args[2]))
	case v.Op == ir.OpPow, v.Op == ir.OpSqrt:
		if out, ok := x.power(v, first); ok {
			return out
		}
	case v.Op == ir.OpLog, v.Op == ir.OpLog1p, v.Op == ir.OpLogit:
		if out, ok := x.logarithm(v.Op, first); ok {
			return out
		}
	case v.Op.Bool:
		if out, ok := x.truth(v); ok {
			return form{free: b.Num(out)}
		}
	case v.Op == ir.OpStack:
		args := make([]*ir.Value, len(v.Args))
		for i, a := range v.Args {
			args[i] = x.written(x.arg(a))
		}
		return form{affine: b.Like(v, args)}
	}
	x.u.refuse(v.Span, "%s", within(v.Op))
	return form{}
}

func (x *expansion) sum(op *ir.Op, f, g form) form {
	at, p, q, ok := together(f, g)
	if !ok {
		return form{affine: x.b.Map(op, x.written(f), x.written(g))}
	}
	out := form{at: at, powers: map[float64]*ir.Value{}}
	for k, c := range p {
		out.powers[k] = c
	}
	for k, c := range q {
		have := out.powers[k]
		if have == nil {
			have = x.b.Num(0)
		}
		out.powers[k] = x.b.Map(op, have, c)
	}
	return out
}

func (x *expansion) product(op *ir.Op, f, g form) (form, bool) {
	b := x.b
	switch {
	case f.free != nil:
		return g.with(func(c *ir.Value) *ir.Value { return b.Map(op, f.free, c) }), true
	case g.free != nil:
		return f.with(func(c *ir.Value) *ir.Value { return b.Map(op, c, g.free) }), true
	}
	at, p, q, ok := together(f, g)
	if !ok {
		return form{}, false
	}
	out := form{at: at, powers: map[float64]*ir.Value{}}
	for _, i := range f.order() {
		for _, j := range g.order() {
			c := b.Mul(p[i], q[j])
			if have := out.powers[i+j]; have != nil {
				c = b.Add(have, c)
			}
			out.powers[i+j] = c
		}
	}
	return out.reduced(), true
}

// reduced is a form whose only power is 0 as one that is free of the unknown.
func (f form) reduced() form {
	if c, p, is := f.monomial(); is && p == 0 {
		return form{free: c}
	}
	return f
}

func (x *expansion) quotient(f, g form) (form, bool) {
	if g.free != nil {
		return f.with(func(c *ir.Value) *ir.Value { return x.b.Div(c, g.free) }), true
	}
	c, k, is := g.monomial()
	at, p, _, ok := together(f, g)
	if !is || !ok {
		return form{}, false
	}
	out := form{at: at, powers: map[float64]*ir.Value{}}
	for i, a := range p {
		out.powers[i-k] = x.b.Div(a, c)
	}
	return out.reduced(), true
}

func (x *expansion) choice(v *ir.Value, f, g form) form {
	b := x.b
	when := v.Args[0]
	if x.reads[when] {
		when = x.known[when].free
	}
	if n, known := when.Const(); known && n != 0 {
		return f
	} else if known {
		return g
	}
	return form{affine: b.Map(ir.OpSelect, when, x.written(f), x.written(g))}
}

// power is a power of a monomial. Roots are of numbers above 0.
func (x *expansion) power(v *ir.Value, f form) (form, bool) {
	to := 0.5
	if v.Op == ir.OpPow {
		n, known := v.Args[1].Const()
		if !known {
			return form{}, false
		}
		to = n
	}
	c, p, is := f.monomial()
	if is {
		if v.Op == ir.OpPow {
			c = x.b.Map(ir.OpPow, c, x.b.Num(to))
		} else {
			c = x.b.Map(ir.OpSqrt, c)
		}
		return form{at: f.at, powers: map[float64]*ir.Value{p * to: c}}.reduced(), true
	}
	if to != 2 || f.at == nil {
		return form{}, false
	}
	return x.product(ir.OpMul, f, f)
}

// logarithm is log(c u^p) = log c + p log u, and log(1 − u).
func (x *expansion) logarithm(op *ir.Op, f form) (form, bool) {
	b := x.b
	c, p, is := f.monomial()
	switch {
	case op == ir.OpLogit && is && p == 1 && c.Is(1):
		return form{affine: b.Sub(x.statistic(logStatistic, f.at),
			x.statistic(log1mStatstic, f.at))}, true
	case op == ir.OpLog && is:
		return form{affine: b.Add(b.Map(ir.OpLog, c),
			b.Mul(b.Num(p), x.statistic(logStatistic, f.at)))}, true
	case op == ir.OpLog1p && is && p == 1 && c.Is(-1),
		op == ir.OpLog && len(f.powers) == 2 && f.powers[0] != nil && f.powers[0].Is(1) &&
			f.powers[1] != nil && f.powers[1].Is(-1):
		return form{affine: x.statistic(log1mStatstic, f.at)}, true
	}
	return form{}, false
}

// truth is a comparison of the unknown with a number that its type decides.
func (x *expansion) truth(v *ir.Value) (value float64, ok bool) {
	if len(v.Args) != 2 {
		return 0, false
	}
	side := func(v *ir.Value) float64 { // a number that compares as the argument does; NaN: unknown
		f := x.arg(v)
		if n, known := v.Const(); known {
			return n
		}
		if c, p, is := f.monomial(); is && p > 0 && c.Is(1) {
			return 0.5
		}
		return math.NaN()
	}
	a, b := side(v.Args[0]), side(v.Args[1])
	for _, n := range []float64{a, b} {
		if math.IsNaN(n) || n != 0.5 && n > 0 && (n < 1 || x.u.Kind != types.Unit &&
			x.u.Kind != types.Simplex) {
			return 0, false
		}
	}
	return v.Op.Eval([3]float64{a, b}), true
}
