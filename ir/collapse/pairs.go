package collapse

import (
	"math"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/check"
)

// A conjugate lists, for one prior, the distributions of children that it is conjugate to. The
// children of one unknown may have several of these distributions. Source: Gelman et al. (2013),
// Bayesian Data Analysis, 3rd edition, ch. 2; of directions Mardia & Jupp (2000), Directional
// Statistics, §12.6.
type conjugate struct {
	children map[string]*conjugateChild
	// evidence returns the log marginal likelihood of the children: each per member of the family of
	// unknowns, more for the rest. See Family.Evidence.
	evidence func(f *Family) (each, more *ir.Value)
	// given returns a draw or the mean of the unknown given its children; see Family.Given. It may be
	// nil.
	given func(f *Family, random func(law string) *ir.Value) *ir.Value
}

// A conjugateChild describes one distribution of children and the form that its parameter may have.
type conjugateChild struct {
	arg   int  // index of the argument that is the unknown
	scale bool // the argument may be a multiple of the unknown
	shift bool // another value may be added to it
	// statistics returns the sufficient statistics of an entry of the child, in the order that
	// evidence reads them.
	statistics func(c *child) []*ir.Value
	// base returns the part of an entry's log density that does not depend on the unknown; nil for 0.
	base func(c *child) *ir.Value
}

// A Family is an unknown with its children.
type Family struct {
	Context
	u        *Unknown
	children []*child
}

// arg is an argument of the prior, along the unknown's axes.
func (f *Family) arg(i int) *ir.Value {
	t := f.u.Prior.Args[i]
	v := t.V
	for k, a := range t.Axes {
		v = f.B.Rename(v, a, f.u.Own[k])
	}
	return v
}

// sums returns the statistics of all children, added up for every member of the family, and the sum
// of their parts without the unknown.
func (f *Family) sums() (sums []*ir.Value, base *ir.Value) {
	b := f.B
	base = b.Num(0)
	for _, c := range f.children {
		for i, s := range c.row.statistics(c) {
			if i == len(sums) {
				sums = append(sums, b.Num(0))
			}
			sums[i] = b.Add(sums[i], c.collect(s))
		}
		if c.row.base != nil {
			base = b.Add(base, c.total(c.row.base(c)))
		}
	}
	return sums, base
}

// conjugates is the table of conjugate pairs, by the name of the prior and of the child. It has the
// pairs of check.Pairs, which lists what a model may ask for.
var conjugates map[string]*conjugate

func init() {
	conjugates = map[string]*conjugate{
		"dirichlet": {evidence: polya, given: urnMean, children: map[string]*conjugateChild{
			"categorical": {arg: 0, statistics: func(c *child) []*ir.Value {
				b := c.B
				return []*ir.Value{b.Map(ir.OpEq, c.x, b.Iota(c.u.Own[0])), b.Num(1)}
			}},
		}},
		"vmf": {evidence: func(f *Family) (each, more *ir.Value) {
			return resultant(f, f.arg(1), f.arg(0))
		}, children: directions},
		"uniform_sphere": {evidence: func(f *Family) (each, more *ir.Value) {
			return resultant(f, f.B.Num(0), f.B.Num(0))
		}, children: directions},
		"gamma": {evidence: exposure, children: map[string]*conjugateChild{
			"poisson": {arg: 0, scale: true, statistics: func(c *child) []*ir.Value {
				return []*ir.Value{c.x, c.scale}
			}, base: func(c *child) *ir.Value {
				b := c.B
				return b.Sub(xlogy(b, c.x, c.scale), b.Map(ir.OpLgamma, b.Add(c.x, b.Num(1))))
			}},
			"exponential": {arg: 0, scale: true, statistics: func(c *child) []*ir.Value {
				return []*ir.Value{c.B.Num(1), c.B.Mul(c.scale, c.x)}
			}, base: func(c *child) *ir.Value { return c.B.Map(ir.OpLog, c.scale) }},
		}},
		"beta": {evidence: betaBinomial, children: map[string]*conjugateChild{
			"bernoulli": {arg: 0, statistics: func(c *child) []*ir.Value {
				return []*ir.Value{c.x, c.B.Sub(c.B.Num(1), c.x)}
			}},
			"binomial": {arg: 1, statistics: func(c *child) []*ir.Value {
				return []*ir.Value{c.x, c.B.Sub(c.arg(0), c.x)}
			}, base: func(c *child) *ir.Value {
				b := c.B
				return b.Map(ir.OpSelect, b.Map(ir.OpGt, c.x, c.arg(0)), b.Num(math.Inf(-1)),
					b.Map(ir.OpLchoose, c.arg(0), c.x))
			}},
		}},
		"normal": {evidence: leastSquares, given: leastSquaresDraw,
			children: map[string]*conjugateChild{
				"normal": {arg: 0, scale: true, shift: true,
					statistics: func(c *child) []*ir.Value {
						b := c.B
						slope := b.Div(c.scale, c.arg(1))
						centre := b.Add(c.rest,
							b.Mul(c.scale, c.read((&Family{Context: c.Context, u: c.u}).arg(0))))
						return []*ir.Value{b.Mul(slope, slope),
							b.Mul(slope, b.Div(b.Sub(c.x, centre), c.arg(1)))}
					}},
			}},
	}
}

// directions is the row of von Mises–Fisher children with an unknown mean direction.
var directions = map[string]*conjugateChild{
	"vmf": {arg: 0, statistics: func(c *child) []*ir.Value {
		return []*ir.Value{c.B.Mul(c.arg(1), c.B.Rename(c.x, c.law.Own[0], c.u.Own[0]))}
	}, base: func(c *child) *ir.Value { return c.u.vmfConstant(c.B, c.arg(1)) }},
}

// exposure is the law of Poisson counts y_i of rates e_i u under a gamma prior
// of shape a and rate r: with Y = Σ y_i and E = Σ e_i,
// a log r − log Γ(a) + log Γ(a + Y) − (a + Y) log(r + E), and of each entry
// y_i log e_i − log y_i!. Of exponential times y_i of rates e_i u, Y is their
// number and E = Σ e_i y_i, and of each entry it is log e_i.
func exposure(f *Family) (each, more *ir.Value) {
	b := f.B
	s, base := f.sums()
	a, r := f.arg(0), f.arg(1)
	shape := b.Add(a, s[0])
	prior := b.Sub(b.Mul(a, b.Map(ir.OpLog, r)), b.Map(ir.OpLgamma, a))
	posterior := b.Sub(b.Mul(shape, b.Map(ir.OpLog, b.Add(r, s[1]))), b.Map(ir.OpLgamma, shape))
	return b.Sub(prior, posterior), base
}

// betaBinomial is log B(α + successes, β + failures) − log B(α, β), and the
// numbers of ways of binomial children.
func betaBinomial(f *Family) (each, more *ir.Value) {
	b := f.B
	s, base := f.sums()
	alpha, beta := f.arg(0), f.arg(1)
	after := b.Map(ir.OpLbeta, b.Add(alpha, s[0]), b.Add(beta, s[1]))
	return b.Sub(after, b.Map(ir.OpLbeta, alpha, beta)), base
}

// leastSquares is the law of y_i = a_i + b_i u + σ_i ε_i for u ~ N(m, s²). With
// g = s² Σ b_i²/σ_i² and h = s Σ b_i (y_i − a_i − b_i m)/σ_i² it is the density
// of all at the mean û = m + s h / (1 + g) of u given y, times the width there:
// Σ log N(y_i; a_i + b_i û, σ_i) − ½ (h / (1 + g))² − ½ log(1 + g).
// Squares of residuals have no cancellation, which Σ y² − h² has.
func leastSquares(f *Family) (each, more *ir.Value) {
	b := f.B
	at, step, g, more := f.leastSquares()
	for _, c := range f.children {
		sigma := c.arg(1)
		z := b.Div(b.Sub(c.x, b.Add(c.rest, b.Mul(c.scale, c.read(at)))), sigma)
		entry := b.Sub(b.Mul(b.Num(-0.5), b.Mul(z, z)),
			b.Add(b.Map(ir.OpLog, sigma), b.Num(logSqrt2Pi)))
		more = b.Add(more, c.total(entry))
	}
	return b.Mul(b.Num(-0.5), b.Add(b.Mul(step, step), b.Map(ir.OpLog1p, g))), more
}

// leastSquares returns û, h / (1 + g), g and the part of the evidence that does not go by member.
func (f *Family) leastSquares() (at, step, g, more *ir.Value) {
	b := f.B
	m, sd := f.arg(0), f.arg(1)
	sums, more := f.sums()
	g = b.Mul(b.Mul(sd, sd), sums[0])
	step = b.Div(b.Mul(sd, sums[1]), b.Add(b.Num(1), g))
	return b.Add(m, b.Mul(sd, step)), step, g, more
}

// leastSquaresDraw is a draw from u given y, which is N(û, s² / (1 + g)).
func leastSquaresDraw(f *Family, random func(law string) *ir.Value) *ir.Value {
	b := f.B
	at, _, g, _ := f.leastSquares()
	sd := b.Div(f.arg(1), b.Map(ir.OpSqrt, b.Add(b.Num(1), g)))
	return b.Add(at, b.Mul(sd, random("normal")))
}

// alone reports whether an entry of a row has at most one of the children, that is, no two children
// run over the same entries. The probability of the entry is then linear in the unknown wherever
// that of each child is.
func (f *Family) alone() bool {
	for i, c := range f.children {
		for _, other := range f.children[i+1:] {
			if len(ir.Without(c.over, other.over)) == 0 ||
				len(ir.Without(other.over, c.over)) == 0 {
				return false
			}
		}
	}
	return true
}

// urnMean returns the posterior mean (α + n) / (A + N). The probability of one entry is linear in
// the unknown, so its mean can replace it.
func urnMean(f *Family, _ func(law string) *ir.Value) *ir.Value {
	if !f.alone() {
		return nil
	}
	b, k := f.B, f.u.Own[0]
	s, _ := f.sums()
	alpha := f.arg(0)
	return b.Div(b.Add(alpha, s[0]), b.Add(b.Sum(alpha, k), s[1]))
}

// polya is the Dirichlet-multinomial law of counts n, that of Pólya's urn:
// log Γ(A) − log Γ(A + n) + Σ_k log Γ(α_k + n_k) − log Γ(α_k), where A = Σ α_k.
func polya(f *Family) (each, more *ir.Value) {
	b, k := f.B, f.u.Own[0]
	s, base := f.sums()
	alpha := f.arg(0)
	total := b.Sum(alpha, k)
	classes := b.Sub(b.Map(ir.OpLgamma, b.Add(alpha, s[0])), b.Map(ir.OpLgamma, alpha))
	whole := b.Sub(b.Map(ir.OpLgamma, total), b.Map(ir.OpLgamma, b.Add(total, s[1])))
	return b.Add(whole, b.Sum(classes, k)), base
}

// resultant integrates exp(r·u) over the sphere, for r = κ m + Σ κ_i x_i under
// a von Mises–Fisher prior of direction m and concentration κ, 0 of a uniform
// one: its logarithm is −C(‖r‖), with C the log constant of the density.
func resultant(f *Family, kappa, m *ir.Value) (each, more *ir.Value) {
	b, u := f.B, f.u
	s, base := f.sums()
	r := b.Add(b.Mul(kappa, m), s[0])
	// 1e-300 is far below any length that matters; it keeps the square root differentiable at r = 0.
	length := b.Map(ir.OpSqrt, b.Add(b.Sum(b.Mul(r, r), u.Own[0]), b.Num(1e-300)))
	return b.Sub(u.vmfConstant(b, kappa), u.vmfConstant(b, length)), base
}

func (u *Unknown) vmfConstant(b *ir.Builder, kappa *ir.Value) *ir.Value {
	return b.Map(ir.OpVMFLogConstant, b.Size(u.dimension()), kappa)
}

// xlogy is x log y, and 0 at x = 0.
func xlogy(b *ir.Builder, x, y *ir.Value) *ir.Value {
	return b.Map(ir.OpSelect, b.Map(ir.OpEq, x, b.Num(0)), b.Num(0), b.Mul(x, b.Map(ir.OpLog, y)))
}

// logSqrt2Pi is ½ log 2π.
var logSqrt2Pi = 0.5 * math.Log(2*math.Pi)

// pairNames returns the names that package check has for the pairs.
func pairNames() []string {
	var out []string
	for _, p := range check.Pairs {
		out = append(out, p.Name())
	}
	return out
}
