package stdlib_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
	"github.com/sgppl/sgppl/stdlib"
)

// load parses every file once.
var load = sync.OnceValues(func() (*library, error) {
	lib := &library{map[string]*ast.Dist{}, map[string]*ast.Fn{}}
	for _, name := range stdlib.Names() {
		text, _ := stdlib.Source(name)
		file, diags := parser.Parse(source.New("stdlib/"+name+".sg", text))
		if len(diags) > 0 {
			return nil, &parseError{name, diags[0].Message}
		}
		for _, s := range file.Stmts {
			switch s := s.(type) {
			case *ast.Dist:
				lib.dists[s.Name.Name] = s
			case *ast.Fn:
				lib.fns[s.Name.Name] = s
			}
		}
	}
	return lib, nil
})

type parseError struct{ name, message string }

func (e *parseError) Error() string { return e.name + ".sg: " + e.message }

func mustLoad(t *testing.T) *library {
	t.Helper()
	lib, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

// TestPoints evaluates every line `check logpdf(…) == v` to the digits written.
func TestPoints(t *testing.T) {
	lib := mustLoad(t)
	for _, name := range distributions {
		if !strings.Contains(lib.dists[name].Doc, "Source: ") {
			t.Errorf("%s: the parsed dist has lost its doc: %q", name, lib.dists[name].Doc)
		}
		points := 0
		for _, it := range lib.dists[name].Items {
			if it.Check == nil {
				continue
			}
			points++
			sc := scope{map[string]value{}, lib, nil}
			var args []value
			for _, a := range it.Check.Args {
				args = append(args, sc.eval(a.Value))
			}
			which := it.Check.Fun.(*ast.Name).Name
			want := sc.eval(it.Body).num()
			got := lib.call(lib.dists[name], which, args, nil, nil).num()
			if !agrees(got, want) {
				t.Errorf("%s: %s of %v is %.15g, written %.12g", name, which, args, got, want)
			}
		}
		if points < 4 {
			t.Errorf("%s: %d test points", name, points)
		}
	}
}

// agrees allows half a unit of the twelfth digit, and the rounding of terms
// near 1 that cancel.
func agrees(got, want float64) bool {
	if math.IsInf(want, 0) {
		return got == want
	}
	text := strconv.FormatFloat(math.Abs(want), 'e', 11, 64)
	exponent, _ := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	return math.Abs(got-want) <= math.Max(0.6*math.Pow(10, float64(exponent-11)), 2e-15*math.Min(1, 1e3*math.Abs(want)))
}

// settings are ordinary parameters, at which densities are integrated and
// generators drawn from.
var settings = []struct {
	name string
	args []value
}{
	{"normal", numbers(0.7, 1.3)},
	{"std_normal", nil},
	{"student_t", numbers(4.5, -0.4, 0.8)},
	{"cauchy", numbers(0.3, 0.6)},
	{"double_exponential", numbers(-0.5, 0.9)},
	{"logistic", numbers(0.2, 0.7)},
	{"lognormal", numbers(-0.3, 0.6)},
	{"exponential", numbers(1.7)},
	{"gamma", numbers(2.3, 1.4)},
	{"gamma", numbers(0.6, 0.8)},
	{"inv_gamma", numbers(3.2, 2.1)},
	{"beta", numbers(2.4, 1.3)},
	{"uniform", numbers(-1.5, 0.75)},
	{"weibull", numbers(1.6, 0.9)},
	{"bernoulli", numbers(0.37)},
	{"bernoulli_logit", numbers(-0.7)},
	{"binomial", numbers(9, 0.42)},
	{"binomial_logit", numbers(7, 0.6)},
	{"poisson", numbers(3.4)},
	{"poisson_log", numbers(0.9)},
	{"neg_binomial_2", numbers(2.6, 1.9)},
	{"point_mass", numbers(3)},
	{"von_mises", numbers(2.5, 1.8)},
	{"von_mises", numbers(-0.4, 0.2)},
	{"categorical", []value{vector(0.15, 0.35, 0.3, 0.2)}},
	{"categorical_logit", []value{vector(0.4, -0.9, 0.1)}},
}

func numbers(x ...float64) (out []value) {
	for _, v := range x {
		out = append(out, scalar(v))
	}
	return out
}

func vector(x ...float64) value { return value{[]int{len(x)}, x} }

// A grid is points of a support with weights: a sum over the whole numbers,
// or the trapezoidal rule after a double-exponential change of variable
// (Takahasi & Mori 1974).
func grid(on string) (points, weights []float64) {
	switch on {
	case "bool", "count", "int", "index":
		for y := range 200 {
			points, weights = append(points, float64(y)), append(weights, 1)
		}
		return points, weights
	}
	const h = 1.0 / 2048
	for i := -4 * 2048; i <= 4*2048; i++ {
		u := float64(i) * h
		s, c := math.Pi/2*math.Sinh(u), math.Pi/2*math.Cosh(u)
		x, w := math.Sinh(s), c*math.Cosh(s)
		switch on {
		case "positive":
			x, w = math.Exp(s), c*math.Exp(s)
		case "unit":
			x = 1 / (1 + math.Exp(-s))
			w = c * x / (1 + math.Exp(s))
			if x == 1 {
				continue
			}
		}
		points, weights = append(points, x), append(weights, w*h)
	}
	return points, weights
}

// rough is what the trapezoidal rule leaves where a density has a kink or steps.
var rough = map[string]float64{"double_exponential": 1e-6, "uniform": 1e-3}

// TestDensities integrates each density: to one, to the mean, and up to a
// point to the cdf, of which the logarithms are those of both sides.
func TestDensities(t *testing.T) {
	lib := mustLoad(t)
	for _, s := range settings {
		d := lib.dists[s.name]
		points, weights := support(d, s.args)
		total, mean, worst := 0.0, 0.0, 0.0
		for i, x := range points {
			mass := weights[i] * math.Exp(lib.call(d, "logpdf", at(x, s.args), nil, nil).num())
			if mass == 0 {
				continue
			}
			if item(d, "cdf") != nil {
				f := lib.call(d, "cdf", at(x, s.args), nil, nil).num()
				worst = math.Max(worst, math.Abs(total+0.5*mass-f))
				lower := lib.call(d, "logcdf", at(x, s.args), nil, nil).num()
				upper := lib.call(d, "logccdf", at(x, s.args), nil, nil).num()
				worst = math.Max(worst, math.Max(math.Abs(math.Exp(lower)-f), math.Abs(math.Exp(upper)-(1-f))))
			}
			total += mass
			mean += x * mass
		}
		slack := max(1e-9, rough[s.name])
		if math.Abs(total-1) > slack {
			t.Errorf("%s%v integrates to %.12g", s.name, s.args, total)
		}
		if worst > 1e-3 {
			t.Errorf("%s%v: cdf and integral differ by %.3g", s.name, s.args, worst)
		}
		if item(d, "mean") != nil {
			if want := lib.call(d, "mean", s.args, nil, nil).num(); math.Abs(mean-want) > 10*slack {
				t.Errorf("%s%v: the integral of x is %.12g, mean says %.12g", s.name, s.args, mean, want)
			}
		}
	}
}

// support is the grid of a setting, without what lies beyond its last index;
// for angles one turn.
func support(d *ast.Dist, args []value) (points, weights []float64) {
	if d.Name.Name == "von_mises" {
		const n = 2000 // of the midpoint rule, exact for what is periodic and smooth
		for i := range n {
			points = append(points, args[0].num()+2*math.Pi*((float64(i)+0.5)/n-0.5))
			weights = append(weights, 2*math.Pi/n)
		}
		return points, weights
	}
	points, weights = grid(d.On.Name.Name)
	switch d.On.Name.Name {
	case "bool":
		return points[:2], weights[:2]
	case "index":
		n := args[0].shape[0]
		return points[:n], weights[:n]
	}
	return points, weights
}

func at(x float64, args []value) []value { return append([]value{scalar(x)}, args...) }

// TestGenerators compares the distribution function of the draws with that of
// the density, by the statistic of Kolmogorov and Smirnov: sqrt(n) D is over
// 2.2 with probability 1.2e-4 for a generator that agrees.
func TestGenerators(t *testing.T) {
	const n = 4000
	lib := mustLoad(t)
	for k, s := range settings {
		d := lib.dists[s.name]
		rng := rand.New(rand.NewPCG(20240611, uint64(k)))
		points, weights := support(d, s.args)
		counts := make([]float64, len(points)+1) // draws in (points[i-1], points[i]]
		for range n {
			x := lib.call(d, "sample", s.args, nil, rng).num()
			lo, hi := 0, len(points)
			for lo < hi {
				if mid := (lo + hi) / 2; points[mid] < x {
					lo = mid + 1
				} else {
					hi = mid
				}
			}
			counts[lo]++
		}
		cdf, empirical, worst := 0.0, 0.0, 0.0
		discrete := weights[0] == 1 && points[0] == 0
		for i, x := range points {
			mass := weights[i] * math.Exp(lib.call(d, "logpdf", at(x, s.args), nil, nil).num())
			empirical += counts[i] / n
			if discrete {
				cdf += mass
				worst = math.Max(worst, math.Abs(cdf-empirical))
			} else {
				worst = math.Max(worst, math.Abs(cdf+0.5*mass-empirical))
				cdf += mass
			}
		}
		if worst*math.Sqrt(n) > 2.2 {
			t.Errorf("%s%v: draws and density differ by %.3g (√n D = %.2f)", s.name, s.args, worst, worst*math.Sqrt(n))
		}
	}
}
