package modeltest

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

const partialCredit = `
dim I, S(I), J, N
data item[N] : index[I]
data person[N] : index[J]
data y[N] : count
param beta[I, S] : real
param theta[J] : real ~ normal(0, 1)
fn total(a : real[K]) -> real { log(1 + sum(exp(a[i]) for i in K)) }
for i in I, s in S { beta[i, s] ~ normal(0, 2) }
for n in N {
  let i = item[n]
  let reached = sum((theta[person[n]] - beta[i, s]) * (s < y[n]) for s in S(i))
  factor reached - total(cumsum(theta[person[n]] - beta[item[n]]))
}`

// chosenRows are data for models of items, of which each has steps of its own number.
func chosenRows(seed uint64) (*data.Bound, []int, [3][]int) {
	const items, people, rows, most = 5, 4, 30, 4
	r := rand.New(rand.NewPCG(seed, 6))
	steps := []int{2, 4, 1, 0, 3}
	var at [3][]int // item, person, y
	for range rows {
		i := r.IntN(items)
		at[0], at[1], at[2] = append(at[0], i), append(at[1], r.IntN(people)),
			append(at[2], r.IntN(steps[i]+1))
	}
	value := func(v []int) *data.Value {
		out := make([]float64, len(v))
		for i, x := range v {
			out[i] = float64(x)
		}
		return data.Dense(out, len(out))
	}
	b := &data.Bound{Dims: map[string]int{"I": items, "S": most, "J": people, "N": rows},
		Values: map[string]*data.Value{
			"item": value(at[0]), "person": value(at[1]), "y": value(at[2]),
			data.LengthsOf("S"): value(steps)}}
	return b, steps, at
}

// The rows of a ragged param that data choose: the partial credit model, with
// items of different numbers of steps, against what is written out here.
func TestChosenRows(t *testing.T) {
	bound, steps, at := chosenRows(1)
	c, diags := driver.Compile(source.New("model.sg", partialCredit), driver.Options{})
	if c == nil {
		t.Fatal(diags[0].Message)
	}
	if c.Spec.RowDim != "N" {
		t.Errorf("rows of %q", c.Spec.RowDim)
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	const most = 4
	want := func(x []float64) float64 {
		beta, theta := x[:len(steps)*most], x[len(steps)*most:]
		f := 0.0
		for i, n := range steps {
			for s := range most {
				b := beta[i*most+s]
				if s < n {
					f += -b*b/8 - math.Log(2) - 0.5*math.Log(2*math.Pi)
				} else {
					f -= b * b / 2 // padding has a law of its own
				}
			}
		}
		for _, b := range theta {
			f += -b*b/2 - 0.5*math.Log(2*math.Pi)
		}
		for n, i := range at[0] {
			sum, total, reached := 0.0, 1.0, 0.0
			for s := range steps[i] {
				sum += theta[at[1][n]] - beta[i*most+s]
				total += math.Exp(sum)
				if s+1 == at[2][n] {
					reached = sum
				}
			}
			f += reached - math.Log(total)
		}
		return f
	}
	x := make([]float64, m.Dim())
	r := rand.New(rand.NewPCG(2, 2))
	for i := range x {
		x[i] = r.NormFloat64()
	}
	e := m.Evaluator(3)
	if f := e.LogDensity(x, nil, 1, 1); !near(f, want(x), 1e-12) {
		t.Errorf("the log density is %.15g, by hand %.15g", f, want(x))
	}
	g := make([]float64, len(x))
	e.Gradient(x, nil, 1, 1, g)
	for i, v := range x {
		const h = 1e-5
		x[i] = v + h
		up := want(x)
		x[i] = v - h
		d := (up - want(x)) / (2 * h)
		x[i] = v
		if !near(g[i], d, 1e-8) {
			t.Errorf("gradient[%d] is %.12g, by hand %.12g", i, g[i], d)
		}
	}
	checkRows(t, m, x)
}

// A function counts the entries of the row that it is given, and no padding,
// also where it binds an index of the name that chose the row.
func TestFunctionsOfRows(t *testing.T) {
	const text = `
dim I, S(I), N
data x[I, S] : real
data item[N] : index[I]
param a : real ~ normal(0, 1)
fn total(v : real[K]) -> real { sum(exp(v)) }
fn each(v : real[K]) -> real { sum(exp(v[i]) for i in K) + K }
fn nested(v : real[K]) -> real { each(v) + total(2 * v) }
track t = [total(x[i]) for i in I]
track u = [each(x[i]) for i in I]
track v = [nested(x[item[n]]) for n in N]
track w = [sum(x[item[n], s] * s for s in S(item[n])) + S(item[n]) for n in N]
track z = [max(x[item[n]]) + x[item[n], S(item[n]) - 1] for n in N]`
	c, diags := driver.Compile(source.New("model.sg", text), driver.Options{})
	if c == nil {
		t.Fatal(diags[0].Message)
	}
	rows := [][]float64{{1}, {-1, 2, 0.5}, {3, -2}}
	item := []int{2, 0, 1, 1}
	b := &data.Bound{Dims: map[string]int{"I": 3, "S": 3, "N": 4}, Values: map[string]*data.Value{
		"x":                 data.Dense([]float64{1, 9, 9, -1, 2, 0.5, 3, -2, 9}, 3, 3),
		"item":              data.Dense([]float64{2, 0, 1, 1}, 4),
		data.LengthsOf("S"): data.Dense([]float64{1, 3, 2}, 3)}}
	m, err := c.VM(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float64, m.OutputLen())
	m.Evaluator(0).Constrain([]float64{0}, out)
	total := func(v []float64, k float64) (sum float64) {
		for _, x := range v {
			sum += math.Exp(k * x)
		}
		return sum
	}
	want := []float64{0}
	for _, v := range rows {
		want = append(want, total(v, 1))
	}
	for _, v := range rows {
		want = append(want, total(v, 1)+float64(len(v)))
	}
	for _, i := range item {
		want = append(want, total(rows[i], 1)+float64(len(rows[i]))+total(rows[i], 2))
	}
	for _, i := range item {
		sum := float64(len(rows[i]))
		for s, x := range rows[i] {
			sum += x * float64(s)
		}
		want = append(want, sum)
	}
	for _, i := range item {
		top := math.Inf(-1)
		for _, x := range rows[i] {
			top = math.Max(top, x)
		}
		want = append(want, top+rows[i][len(rows[i])-1])
	}
	for i := range want {
		if !near(out[i], want[i], 1e-14) {
			t.Errorf("output %d is %v, want %v", i, out[i], want[i])
		}
	}
}

// Rows that no data choose, and lengths that would leave the row, are refused.
func TestChosenRowsRefused(t *testing.T) {
	const head = "dim I, S(I), N\ndata item[N] : index[I]\ndata y[N], w[I] : real\n" +
		"param beta[I, S] : real ~ normal(0, 1)\n"
	for _, c := range []struct{ text, want string }{
		{"for n in N {\nlocal z : index[I] ~ categorical(ones(I) / I)\n" +
			"y[n] ~ normal(sum(beta[z]), 1)\n}", "E0312"},
		{"let a = [beta[item[n]] for n in N]\nfactor sum(a)", "E0312"},
		{"for n in N { factor sum(beta[item[n]] + beta[item[N - 1 - n]]) }", "E0401"},
		{"for n in N { factor sum(beta[item[n], s] for s in S(n)) }", "E0312"},
		{"param c[I] : ordered[S]\nfactor -sum(c[0, :1])", "E0"},
	} {
		compiled, diags := driver.Compile(source.New("model.sg", head+c.text), driver.Options{})
		if compiled != nil {
			t.Errorf("%s: compiled", c.text)
		} else if !strings.HasPrefix(string(diags[0].Code), c.want) {
			t.Errorf("%s: %s %s", c.text, diags[0].Code, diags[0].Message)
		}
	}
}

func init() {
	tricky["ragged rows chosen by data, of items with steps"] = partialCredit
	tricky["ragged rows by a plate and chosen by data"] = `
dim I, S(I), N
data item[N] : index[I]
data x[I, S] : real
data y[N], w[I] : real
param m, b : real ~ normal(0, 1)
for i in I { w[i] ~ normal(m * sum(x[i]) + b, 1) }
for n in N { y[n] ~ normal(m * sum(exp(b * x[item[n]])) + S(item[n]), 1) }`
}
