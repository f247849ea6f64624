package modeltest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A law of vectors or matrices: a prior of the type on, or, where observed, of
// positive definite matrices that are data, whose Cholesky factor is then the unknown.
type matrixLaw struct {
	on, call string
	observed bool
}

var matrixLaws = []matrixLaw{
	{on: "real[1]", call: "multi_normal([0.3], [[2]])"},
	{on: "real[2]", call: "multi_normal([0.3, -1], [[2, 0.6], [0.6, 1]])"},
	{on: "real[3]", call: "multi_normal([0.3, -1, 2], [[2, 0.5, -0.3], [0.5, 1, 0.2], [-0.3, " +
		"0.2, 1.5]])"},
	{on: "real[2]", call: "multi_normal_cholesky([0.3, -1], [[1.5, 0], [-0.5, 0.7]])"},
	{on: "real[1]", call: "multi_normal_prec([0.3], [[2]])"},
	{on: "real[2]", call: "multi_normal_prec([0.3, -1], [[2, 0.6], [0.6, 1]])"},
	{on: "real[3]", call: "multi_normal_prec([0, 1, 2], [[2, 0.5, -0.3], [0.5, 1, 0.2], [-0.3, " +
		"0.2, 1.5]])"},
	{on: "real[1]", call: "multi_student_t(3, [0.3], [[2]])"},
	{on: "real[2]", call: "multi_student_t(4.5, [0.3, -1], [[2, 0.6], [0.6, 1]])"},
	{on: "real[2]", call: "multi_student_t_cholesky(6, [0, 1], [[1.5, 0], [-0.5, 0.7]])"},
	{on: "real[3]", call: "multi_student_t_cholesky(5, [0, 1, 0], [[1.5, 0, 0], [-0.5, 0.7, 0], " +
		"[0.2, 0.1, 1]])"},
	{on: "simplex[2]", call: "dirichlet([0.6, 0.8])"},
	{on: "simplex[3]", call: "dirichlet([2, 1.5, 3])"},
	{on: "corr_chol[2]", call: "lkj_corr_cholesky(1)"},
	{on: "corr_chol[2]", call: "lkj_corr_cholesky(0.4)"},
	{on: "corr_chol[3]", call: "lkj_corr_cholesky(2.5)"},
	{on: "corr_chol[4]", call: "lkj_corr_cholesky(1)"},
	{on: "cov_chol[1]", call: "wishart_cholesky(2.5, [[0.7]])"},
	{on: "cov_chol[2]", call: "wishart_cholesky(3.5, [[0.7, 0], [-0.4, 1.2]])"},
	{on: "cov_chol[3]",
		call: "wishart_cholesky(7, [[0.7, 0, 0], [-0.4, 1.2, 0], [0.1, 0.3, 0.5]])"},
	{on: "cov_chol[1]", call: "inv_wishart_cholesky(2.5, [[0.7]])"},
	{on: "cov_chol[2]", call: "inv_wishart_cholesky(4.5, [[0.7, 0], [-0.4, 1.2]])"},
	{on: "cov_chol[3]",
		call: "inv_wishart_cholesky(8, [[0.7, 0, 0], [-0.4, 1.2, 0], [0.1, 0.3, 0.5]])"},
	{on: "cov_chol[1]", call: "wishart(2.5, [[0.7]])", observed: true},
	{on: "cov_chol[2]", call: "wishart(3.5, [[0.7, -0.4], [-0.4, 1.2]])", observed: true},
	{on: "cov_chol[1]", call: "inv_wishart(2.5, [[0.7]])", observed: true},
	{on: "cov_chol[2]", call: "inv_wishart(4.5, [[0.7, -0.4], [-0.4, 1.2]])", observed: true},
	{on: "cov_chol[2]", call: "inv_wishart(9, [[0.7, -0.4], [-0.4, 1.2]])", observed: true},
}

// texts are the programs of the density of one value and of n draws.
func (w matrixLaw) texts() (density, draws string) {
	if !w.observed {
		return fmt.Sprintf("param x : %s ~ %s\n", w.on, w.call),
			fmt.Sprintf("dim N\nparam x[N] : %s ~ %s\n", w.on, w.call)
	}
	name, args, _ := strings.Cut(w.call, "(")
	k := strings.TrimSuffix(strings.TrimPrefix(w.on, "cov_chol["), "]")
	return fmt.Sprintf("param x : %s\nfactor %s.logpdf(x @ transpose(x), %s + "+
			"log_jacobian_cholesky(x)\n", w.on, name, args),
		fmt.Sprintf("dim N\ndata x[N] : real[%s, %s]\nx ~ %s\n", k, k, w.call)
}

func compiledAlone(t *testing.T, text string) *model.Model {
	t.Helper()
	c, diags := driver.Compile(source.New("law.sg", text), driver.Options{})
	if c == nil {
		t.Fatalf("%s%s %v", text, diags[0].Message, diags[0].Notes)
	}
	m, err := c.VM(bound(map[string]int{}, map[string]*data.Value{}), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// drawsOf draws n values of x, one after another.
func drawsOf(t *testing.T, text string, n int, seed uint64) []float64 {
	t.Helper()
	out, diags, errs, err := driver.Simulate(source.New("draws.sg", text),
		driver.SimulateOptions{Sets: []string{fmt.Sprintf("N=%d", n)}, Seed: seed})
	if out == nil {
		t.Fatal(text, diags, errs, err)
	}
	for _, v := range append(out.Params, out.Data...) {
		if v.Name == "x" {
			return v.Value.F64
		}
	}
	t.Fatal("no draws of x")
	return nil
}

// factorOf is the Cholesky factor of a k by k matrix.
func factorOf(a []float64, k int) []float64 {
	l := make([]float64, k*k)
	for i := range k {
		for j := range i + 1 {
			s := a[i*k+j]
			for q := range j {
				s -= l[i*k+q] * l[j*k+q]
			}
			if i == j {
				l[i*k+i] = math.Sqrt(s)
			} else {
				l[i*k+j] = s / l[j*k+j]
			}
		}
	}
	return l
}

// walk integrates a law of vectors and matrices to one in the coordinates of its
// type, so that the chart's Jacobian is tested with it, and tests that its draws obey the
// density: of coordinates y with the score s, E s = 0 and E y sᵀ = −I.
func (w matrixLaw) walk(t *testing.T) {
	density, draws := w.texts()
	m := compiledAlone(t, density)
	const n = 3000
	ys := coordinatesOf(t, m, w, drawsOf(t, draws, n, 5), n)
	checkScores(t, m, ys)
	if m.Dim() <= 2 {
		if total := gridTotal(m, strings.HasPrefix(w.on, "real")); !(math.Abs(total-1) < 1e-6) {
			t.Errorf("the density integrates to %v", total)
		}
		return
	}
	total, se := importance(m, ys)
	if !(math.Abs(total-1) < 5*se) || se > 0.03 {
		t.Errorf("the density integrates to %v ± %v", total, se)
	}
}

// coordinatesOf takes draws to the coordinates of the type.
func coordinatesOf(t *testing.T, m *model.Model, w matrixLaw, x []float64, n int) [][]float64 {
	t.Helper()
	e, size := m.Evaluator(0), len(x)/n
	ys := make([][]float64, n)
	for i := range ys {
		one := x[i*size : (i+1)*size]
		if w.observed {
			one = factorOf(one, int(math.Sqrt(float64(size))))
		}
		ys[i] = make([]float64, m.Dim())
		if err := e.Unconstrain(one, ys[i]); err != nil {
			t.Fatalf("draw %v: %v", one, err)
		}
	}
	return ys
}

// checkScores holds the moments that Stein's identity gives to 5 standard errors.
func checkScores(t *testing.T, m *model.Model, ys [][]float64) {
	t.Helper()
	e, d := m.Evaluator(0), m.Dim()
	score := make([]float64, d)
	sum, square := make([]float64, d*(d+1)), make([]float64, d*(d+1))
	for _, y := range ys {
		e.Gradient(y, nil, 1, 1, score)
		for j, s := range score {
			for i := range d + 1 {
				v := s
				if i < d {
					v = y[i] * s
					if i == j {
						v++
					}
				}
				sum[i*d+j] += v
				square[i*d+j] += v * v
			}
		}
	}
	n := float64(len(ys))
	for i := range sum {
		mean := sum[i] / n
		se := math.Sqrt((square[i]/n - mean*mean) / n)
		if !(math.Abs(mean) < 5*se) {
			t.Errorf("moment %d, %d of the draws is %v ± %v, by the density 0", i/d, i%d, mean, se)
		}
	}
}

// gridTotal is the trapezoidal rule in one or two coordinates, wide by sinh
// where the tails may be heavy.
func gridTotal(m *model.Model, heavy bool) float64 {
	e, d := m.Evaluator(0), m.Dim()
	const points, end = 321, 20.0
	h, total := 2*end/(points-1), 0.0
	y := make([]float64, d)
	all := points
	if d == 2 {
		all *= points
	}
	for p := range all {
		weight := 1.0
		for i := range y {
			u := -end + h*float64(p%points)
			p /= points
			y[i], weight = u, weight*h
			if heavy {
				y[i], weight = math.Sinh(u), weight*math.Cosh(u)
			}
		}
		total += weight * math.Exp(e.LogDensity(y, nil, 1, 1))
	}
	return total
}

// importance is the integral with draws from a Student's t of two degrees of
// freedom with the moments of ys, and its standard error.
func importance(m *model.Model, ys [][]float64) (total, se float64) {
	e, d := m.Evaluator(0), m.Dim()
	mean, cov := make([]float64, d), make([]float64, d*d)
	for _, y := range ys {
		for i, v := range y {
			mean[i] += v / float64(len(ys))
		}
	}
	for _, y := range ys {
		for i := range d {
			for j := range d {
				cov[i*d+j] += (y[i] - mean[i]) * (y[j] - mean[j]) / float64(len(ys))
			}
		}
	}
	l := factorOf(cov, d)
	const n, nu = 30000, 2.0
	a, _ := math.Lgamma((nu + float64(d)) / 2)
	logc := a - float64(d)/2*math.Log(nu*math.Pi) // and Γ(ν/2) = 1
	for i := range d {
		logc -= math.Log(l[i*d+i])
	}
	rng := rand.New(rand.NewPCG(3, 9))
	y, z, square, lost := make([]float64, d), make([]float64, d), 0.0, 0
	for range n {
		stretch := 1 / math.Sqrt(rng.ExpFloat64()) // √(ν / χ²_ν) for ν = 2
		r := 0.0
		for i := range d {
			z[i] = rng.NormFloat64() * stretch
			r += z[i] * z[i]
			y[i] = mean[i]
			for j := range i + 1 {
				y[i] += l[i*d+j] * z[j]
			}
		}
		w := math.Exp(e.LogDensity(y, nil, 1, 1) - logc + (nu+float64(d))/2*math.Log1p(r/nu))
		if math.IsNaN(w) { // far out, where x xᵀ has lost its factor to rounding
			lost++
			continue
		}
		total, square = total+w/n, square+w*w/n
	}
	if lost > n/1000 {
		return math.NaN(), 0
	}
	return total, math.Sqrt((square - total*total) / n)
}

// countLaws are laws of three counts whose total is 5.
var countLaws = []string{
	"multinomial([0.2, 0.5, 0.3], 5)", "multinomial([0.6, 0, 0.4], 5)",
	"multinomial_logit([0.3, -0.4, 1], 5)",
	"dirichlet_multinomial([0.7, 2, 1.1], 5)", "dirichlet_multinomial([1e6, 2e6, 3e6], 5)",
}

// walkCounts sums a law of counts to one over all counts of the total, and tests
// that draws are as frequent as they say.
func walkCounts(t *testing.T, call string) {
	var cells []float64
	for a := range 6 {
		for b := range 6 - a {
			cells = append(cells, float64(a), float64(b), float64(5-a-b))
		}
	}
	k := len(cells) / 3
	c, diags := driver.Compile(source.New("law.sg",
		"dim N\ndata x[N] : count[3]\nparam m : real\nfor n in N { x[n] ~ "+call+" }\n"),
		driver.Options{})
	if c == nil {
		t.Fatal(diags[0].Message)
	}
	m, err := c.VM(bound(map[string]int{"N": k},
		map[string]*data.Value{"x": data.Dense(cells, k, 3)}), nil)
	if err != nil {
		t.Fatal(err)
	}
	loglik, total := make([]float64, k), 0.0
	m.Evaluator(0).LogLik([]float64{0}, nil, loglik)
	for _, v := range loglik {
		total += math.Exp(v)
	}
	if !(math.Abs(total-1) < 1e-9) {
		t.Errorf("the probabilities sum to %v", total)
	}
	const n = 4000
	seen := map[[2]float64]float64{}
	x := drawsOf(t, "dim N\ndata x[N] : count[3]\nx ~ "+call+"\n", n, 8)
	for i := range n {
		seen[[2]float64{x[3*i], x[3*i+1]}]++
		if x[3*i]+x[3*i+1]+x[3*i+2] != 5 {
			t.Fatalf("draw %v", x[3*i:3*i+3])
		}
	}
	chi := 0.0
	for i := range k {
		want, got := n*math.Exp(loglik[i]), seen[[2]float64{cells[3*i], cells[3*i+1]}]
		if want == 0 && got == 0 {
			continue
		}
		chi += (got - want) * (got - want) / want
	}
	if !(chi < 60) { // of at most 20 degrees of freedom: beyond 99.999 %
		t.Errorf("χ² = %v", chi)
	}
}

// Without its number of trials a draw of counts is refused.
func TestCountsWithoutTotal(t *testing.T) {
	_, diags, _, _ := driver.Simulate(source.New("draws.sg",
		"dim N\ndata x[N] : count[3]\nx ~ multinomial([0.2, 0.5, 0.3])\n"),
		driver.SimulateOptions{Sets: []string{"N=2"}})
	if !diags.Errors() || !strings.Contains(diags[len(diags)-1].Message, "multinomial(…, n = …)") {
		t.Errorf("simulated without a number of trials: %v", diags)
	}
}
