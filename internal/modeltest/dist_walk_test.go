package modeltest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A span is points of a support in ascending order with weights, so that sums
// over it are sums or integrals; the integrals are by double exponential
// substitution (Takahasi & Mori 1974), which stands heavy tails.
type span struct {
	x, weight []float64
	whole     bool    // a sum
	tol       float64 // of the integral of a smooth density, looser where it is not
}

func (w *walk) span(args []number) span {
	s := span{tol: 1e-6}
	const n = 4000
	grid := func(f func(s float64) (x, w float64)) {
		for i := range n + 1 {
			u := 4.4 * (2*float64(i)/n - 1)
			x, weight := f(math.Pi / 2 * math.Sinh(u))
			if weight *= math.Pi / 2 * math.Cosh(u) * 2 * 4.4 / n; weight > 0 && !math.IsInf(x, 0) {
				s.x, s.weight = append(s.x, x), append(s.weight, weight)
			}
		}
	}
	count := func(from, n int) {
		s.whole, s.tol = true, 1e-9
		for i := range n {
			s.x, s.weight = append(s.x, float64(from+i)), append(s.weight, 1)
		}
	}
	name := w.d.Name.Name
	switch on := support(w.d); {
	case name == "von_mises": // of period 2π: one turn about the mean direction
		for i := range n {
			s.x, s.weight = append(s.x, args[0].v[0]+2*math.Pi*((float64(i)+0.5)/n-0.5)),
				append(s.weight, 2*math.Pi/n)
		}
	case name == "uniform" || name == "pareto" || name == "pareto_type_2":
		// what starts with a jump, from there
		lo, hi := args[0].v[0], math.Inf(1)
		if name == "uniform" {
			hi = args[1].v[0]
		}
		grid(func(u float64) (float64, float64) {
			if name == "uniform" {
				p := 1 / (1 + math.Exp(-u))
				return lo + (hi-lo)*p, (hi - lo) * p / (1 + math.Exp(u))
			}
			return lo + math.Exp(u), math.Exp(u)
		})
	case name == "double_exponential": // a kink
		grid(func(u float64) (float64, float64) {
			return args[0].v[0] + math.Sinh(u), math.Cosh(u)
		})
		s.tol = 1e-5
	case on == "real":
		grid(func(u float64) (float64, float64) { return math.Sinh(u), math.Cosh(u) })
	case on == "positive":
		grid(func(u float64) (float64, float64) { return math.Exp(u), math.Exp(u) })
	case on == "unit":
		grid(func(u float64) (float64, float64) {
			x := 1 / (1 + math.Exp(-u))
			if x == 1 {
				return x, 0 // rounded to the end, which is outside
			}
			return x, x / (1 + math.Exp(u))
		})
	case on == "bool":
		count(0, 2)
	case on == "count":
		count(0, 3000)
	case on == "int":
		count(-50, 100)
	case on == "index":
		p := point{args: append([]number{{}}, args...)}
		count(0, p.categories(w.d))
	}
	return s
}

// rows evaluates a line of the distribution at every x.
func (w *walk) rows(t *testing.T, method string, xs []float64, args []number) []float64 {
	t.Helper()
	p := &point{method: method, args: append([]number{num(0)}, args...)}
	c := w.compiled(t, p.program(w.d, true))
	if c == nil {
		t.FailNow()
	}
	m, state := p.bind(t, c, xs, len(xs))
	out := make([]float64, len(xs))
	m.Evaluator(0).LogLik(state, nil, out)
	return out
}

// slopes holds the derivatives of a line in the value and every argument to differences.
func (w *walk) slopes(t *testing.T, method string, x float64, args []number) {
	t.Helper()
	p := &point{method: method, args: append([]number{num(x)}, args...)}
	c := w.compiled(t, p.program(w.d, false))
	if c == nil {
		t.FailNow()
	}
	m, state := p.bind(t, c, nil, 1)
	if len(state) > 0 {
		checkSlope(t, fmt.Sprintf("%s(%v) of %v", method, x, args), m, state)
		w.count["slopes"] += len(state)
	}
}

func (w *walk) has(line string) bool {
	for i := range w.d.Items {
		if w.d.Items[i].Name.Name == line {
			return true
		}
	}
	return false
}

// law walks the distribution at one setting of its arguments.
func (w *walk) law(t *testing.T, args []number) {
	s := w.span(args)
	logp := w.rows(t, "logpdf", s.x, args)
	// below: up to x, of a continuous law to the middle of its cell
	mass, below := make([]float64, len(s.x)), make([]float64, len(s.x))
	total, mean := 0.0, 0.0
	for i, v := range logp {
		mass[i] = s.weight[i] * math.Exp(v)
		if below[i] = total + mass[i]; !s.whole {
			below[i] -= 0.5 * mass[i]
		}
		if total += mass[i]; mass[i] > 0 {
			mean += s.x[i] * mass[i]
		}
	}
	if !(math.Abs(total-1) < s.tol) {
		t.Errorf("%v: the density sums to %v", args, total)
	}
	w.count["total"]++
	quantile := func(p float64) float64 {
		i, _ := slices.BinarySearch(below, p)
		return s.x[min(i, len(s.x)-1)]
	}
	middle := []float64{quantile(0.04), quantile(0.35), quantile(0.6), quantile(0.97)}
	for _, x := range middle {
		w.slopes(t, "logpdf", x, args)
	}
	if w.has("cdf") {
		w.cdf(t, args, s, below, middle)
		w.cuts(t, args, s, mass, middle)
	}
	if w.has("sample") {
		w.draws(t, args, s, below)
	}
	if w.has("mean") && s.x[0] != s.x[len(s.x)-1] || w.has("mean") && s.whole {
		w.mean(t, args, mean, s)
	}
	w.ends(t, args, middle[1])
}

// cdf holds the distribution function to the sums of the density, its
// logarithms to it, and its derivative to the density.
func (w *walk) cdf(t *testing.T, args []number, s span, below, middle []float64) {
	f, lower, upper := w.rows(t, "cdf", s.x, args), w.rows(t, "logcdf", s.x, args),
		w.rows(t, "logccdf", s.x, args)
	for i, x := range s.x {
		tol := 2e-3 // the rectangles of the integral
		if s.whole {
			tol = 1e-9
		}
		if !(math.Abs(f[i]-below[i]) < tol) {
			t.Errorf("%v: cdf(%v) is %v, by the density %v", args, x, f[i], below[i])
			return
		}
		if !(math.Abs(math.Exp(lower[i])-f[i]) < 1e-12) ||
			!(math.Abs(math.Exp(upper[i])-(1-f[i])) < 1e-12) {
			t.Errorf("%v: at %v cdf, logcdf, logccdf are %v, %v, %v", args, x, f[i], lower[i],
				upper[i])
			return
		}
	}
	for _, x := range middle {
		for _, method := range []string{"cdf", "logcdf", "logccdf"} {
			w.slopes(t, method, x, args)
		}
		if s.whole {
			continue
		}
		p := &point{method: "cdf", args: append([]number{num(x)}, args...)}
		m, state := p.bind(t, w.compiled(t, p.program(w.d, false)), nil, 1)
		grad := make([]float64, len(state))
		m.Evaluator(0).Gradient(state, nil, 1, 0, grad)
		at := slices.IndexFunc(w.compiled(t, p.program(w.d, false)).Spec.Params,
			func(q model.Param) bool { return q.Name == "a0" })
		if want := math.Exp(w.rows(t, "logpdf", []float64{x}, args)[0]); !near(grad[at],
			want, 1e-9) {
			t.Errorf("%v: the derivative of cdf at %v is %v, the density %v", args, x,
				grad[at], want)
		}
	}
	w.count["cdf"]++
}

// draws compares draws with the density by the statistic of Kolmogorov and
// Smirnov: √n D is over 2.2 with probability 1.2e-4 for a generator that agrees.
func (w *walk) draws(t *testing.T, args []number, s span, below []float64) {
	const n = 2000
	x := w.simulate(t, args, n)
	slices.Sort(x)
	worst, seen := 0.0, 0
	for i, at := range s.x {
		for seen < n && x[seen] <= at {
			seen++
		}
		worst = max(worst, math.Abs(below[i]-float64(seen)/n))
	}
	if worst *= math.Sqrt(n); !(worst < 2.2) {
		t.Errorf("%v: draws and density differ by √n D = %.2f", args, worst)
	}
	w.count["draws"]++
}

// simulate draws n values by the compiled generator.
func (w *walk) simulate(t *testing.T, args []number, n int) []float64 {
	t.Helper()
	var texts []string
	for _, a := range args {
		texts = append(texts, literal(a))
	}
	on := w.d.On.Name.Name
	if on == "index" {
		p := point{args: append([]number{{}}, args...)}
		on = fmt.Sprintf("index[%d]", p.categories(w.d))
	}
	text := fmt.Sprintf("dim N\ndata x[N] : %s\nx ~ %s(%s)\n", on, w.d.Name.Name,
		strings.Join(texts, ", "))
	out, diags, errs, err := driver.Simulate(source.New("draws.sg", text),
		driver.SimulateOptions{Sets: []string{fmt.Sprint("N=", n)}, Seed: 20240611})
	if out == nil {
		t.Fatal(text, diags, errs, err)
	}
	for _, d := range out.Data {
		if d.Name == "x" {
			if d.Value.F64 != nil {
				return d.Value.F64
			}
			t.Fatalf("draws of %s are not numbers", text)
		}
	}
	t.Fatal("no draws")
	return nil
}

func literal(a number) string {
	if a.list == nil {
		return fmt.Sprint(a.v[0])
	}
	return strings.ReplaceAll(fmt.Sprint(a.v), " ", ", ")
}

// mean compares the line `mean` with the integral, where that is finite.
func (w *walk) mean(t *testing.T, args []number, want float64, s span) {
	var texts []string
	for _, a := range args {
		texts = append(texts, literal(a))
	}
	text := fmt.Sprintf("param z : real\nfactor %s.mean(%s)\n", w.d.Name.Name,
		strings.Join(texts, ", "))
	c := w.compiled(t, text)
	if c == nil {
		return
	}
	m, err := c.VM(bound(nil, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := m.Evaluator(0).LogDensity([]float64{0}, nil, 1, 0)
	if math.IsInf(got, 1) {
		if want < 1e3 {
			t.Errorf("%v: mean is infinite, the integral of x %v", args, want)
		}
	} else if !(math.Abs(got-want) < 20*s.tol*(1+math.Abs(want))) {
		t.Errorf("%v: mean is %v, the integral of x %v", args, got, want)
	}
	w.count["mean"]++
}
