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
	"github.com/sgppl/sgppl/runtime/math/size"
)

// Models in which two reads of one array differ in their index alone.
var readsModels = map[string]string{
	"an entry of the row and entries by data in a sum": `
dim N, J
data g[N] : index[J]
data h[J] : index[N]
data y[N] : real
param q[N] : real ~ normal(0, 1)
param r[J] : real ~ normal(0, 1)
for i in N {
  factor -0.5 * (y[i] - sum(q[i] - q[h[j]] - r[g[i]] for j in J))^2
  factor -0.5 * r[g[i]]^2
}`,
	"an unknown of the row at a sum of differences": `
dim N, J
data g[N] : index[J]
data h[J] : index[N]
param q[N] : real ~ normal(0, 1)
param r[J] : real ~ normal(0, 1)
param z[N] : real
for i in N {
  z[i] ~ normal(sum(q[i] - q[h[j]] - r[g[i]] for j in J), 1)
  factor tanh(r[g[i]])
}`,
	"pairs of which one is found by data": `
dim N, J
data h[J] : index[N]
data y[N, J] : bool
param q[N] : real ~ normal(0, 1)
for i in N, j in J { y[i, j] ~ bernoulli_logit(q[i] - q[h[j]]) }`,
	"counts of pairs": `
dim N, J
data h[J] : index[N]
data y[N, J] : count
param q[N] : real ~ normal(0, 1)
for i in N, j in J { y[i, j] ~ poisson_log(q[i] + q[h[j]]) }`,
	"a scan by data beside its terms": `
dim N, J
data h[J] : index[N]
param q[N] : real ~ normal(0, 1)
let t = scan i in N from s = 1 { s + q[i] }
for j in J { for i in N { factor tanh(q[i] + t[h[j] + 1]) } }`,
	"an unknown that cancels": `
dim N
data y[N] : real
param p : real ~ normal(0, 1)
let A = [p for i in N]
y ~ normal(A[N-1] + (1.25 - A[1]), 1.5)`,
}

func init() {
	for name, text := range readsModels {
		tricky["two reads, "+name] = text
	}
}

// A reader writes a random term of a model, with a function that computes it. With rows, nothing
// but rows has the dim N, so that the model has minibatches.
type reader struct {
	*rand.Rand
	rows bool
}

// A term is a text and what it means at the indices i and j.
type term struct {
	text string
	at   func(v *numbers, i, j int) float64
}

// numbers are the values of data and params.
type numbers struct{ g, h, k, o, y, q, r, t, a []float64 }

func entryOf(list func(v *numbers) []float64, at func(v *numbers, i, j int) int) func(
	*numbers, int, int) float64 {
	return func(v *numbers, i, j int) float64 { return list(v)[at(v, i, j)] }
}

// An index is a place along the dim N or J, and the indices of loops that it needs.
type index struct {
	text, needs string
	at          func(v *numbers, i, j int) int
}

var alongN = []index{
	{"i", "i", func(v *numbers, i, j int) int { return i }},
	{"i", "i", func(v *numbers, i, j int) int { return i }},
	{"h[j]", "j", func(v *numbers, i, j int) int { return int(v.h[j]) }},
	{"h[j]", "j", func(v *numbers, i, j int) int { return int(v.h[j]) }},
	{"o[i]", "i", func(v *numbers, i, j int) int { return int(v.o[i]) }},
	{"N - 1 - i", "i", func(v *numbers, i, j int) int { return len(v.q) - 1 - i }},
	{"max(0, i - 1)", "i", func(v *numbers, i, j int) int { return max(0, i-1) }},
	{"1", "", func(v *numbers, i, j int) int { return 1 }},
	{"N - 1", "", func(v *numbers, i, j int) int { return len(v.q) - 1 }},
}

var alongJ = []index{
	{"j", "j", func(v *numbers, i, j int) int { return j }},
	{"g[i]", "i", func(v *numbers, i, j int) int { return int(v.g[i]) }},
	{"g[i]", "i", func(v *numbers, i, j int) int { return int(v.g[i]) }},
	{"k[i]", "i", func(v *numbers, i, j int) int { return int(v.k[i]) }},
	{"g[h[j]]", "j", func(v *numbers, i, j int) int { return int(v.g[int(v.h[j])]) }},
	{"J - 1", "", func(v *numbers, i, j int) int { return len(v.r) - 1 }},
}

// read is an entry of an array, of which the loops give the indices in within.
func (r reader) read(within string) term {
	arrays := []struct {
		name string
		list func(v *numbers) []float64
		by   []index
	}{
		{"q", func(v *numbers) []float64 { return v.q }, alongN},
		{"q", func(v *numbers) []float64 { return v.q }, alongN},
		{"q", func(v *numbers) []float64 { return v.q }, alongN},
		{"r", func(v *numbers) []float64 { return v.r }, alongJ},
		{"r", func(v *numbers) []float64 { return v.r }, alongJ},
		{"y", func(v *numbers) []float64 { return v.y }, alongN},
		{"a", func(v *numbers) []float64 { return v.a }, alongN},
		{"t", func(v *numbers) []float64 { return v.t[1:] }, alongN},
	}
	for {
		a := arrays[r.IntN(len(arrays))]
		at := a.by[r.IntN(len(a.by))]
		row := a.name == "r" && at.text != "g[h[j]]" || a.name == "y" && at.text == "i"
		if !strings.Contains(within, at.needs) || r.rows && !row {
			continue
		}
		text := fmt.Sprintf("%s[%s]", a.name, at.text)
		if a.name == "t" {
			text = fmt.Sprintf("t[%s + 1]", at.text)
		}
		return term{text, entryOf(a.list, at.at)}
	}
}

// form is a sum or difference of reads and of their products, and sums of such over another loop.
func (r reader) form(within string, depth int) term {
	switch kind := r.IntN(10); {
	case depth == 0 || kind == 0:
		return r.read(within)
	case kind == 1:
		x, y := r.form(within, depth-1), r.read(within)
		return term{"(" + x.text + ") * " + y.text, func(v *numbers, i, j int) float64 {
			return x.at(v, i, j) * y.at(v, i, j)
		}}
	case kind < 4 && len(within) < 2 && (within == "i" || !r.rows):
		if within == "i" {
			x := r.form("ij", depth-1)
			return term{"sum(" + x.text + " for j in J)", func(v *numbers, i, _ int) (s float64) {
				for j := range v.r {
					s += x.at(v, i, j)
				}
				return s
			}}
		}
		x := r.form("ij", depth-1)
		return term{"sum(" + x.text + " for i in N)", func(v *numbers, _, j int) (s float64) {
			for i := range v.q {
				s += x.at(v, i, j)
			}
			return s
		}}
	}
	if depth == 3 && r.IntN(2) == 0 {
		return r.other(within)
	}
	x, y, sign := r.form(within, depth-1), r.form(within, depth-1), 1-2*r.IntN(2)
	text := fmt.Sprintf("%s %c (%s)", x.text, ",+-"[2-(sign+1)/2], y.text)
	return term{text, func(v *numbers, i, j int) float64 {
		return x.at(v, i, j) + float64(sign)*y.at(v, i, j)
	}}
}

// other is a form where an entry of data is positive and another elsewhere, or a form over a scale.
func (r reader) other(within string) term {
	x, y := r.form(within, 2), r.read(within)
	if strings.Contains(within, "i") && r.IntN(2) == 0 {
		text := "(if y[i] > 0 then " + x.text + " else " + y.text + ")"
		return term{text, func(v *numbers, i, j int) float64 {
			if v.y[i] > 0 {
				return x.at(v, i, j)
			}
			return y.at(v, i, j)
		}}
	}
	return term{"(" + x.text + ") / exp(0.3 * " + y.text + ")",
		func(v *numbers, i, j int) float64 {
			return x.at(v, i, j) / math.Exp(0.3*y.at(v, i, j))
		}}
}

var functions = []struct {
	text string
	of   func(x float64) float64
}{
	{"-0.1 * (%s)^2", func(x float64) float64 { return -0.1 * x * x }},
	{"-0.1 * (%s)^2", func(x float64) float64 { return -0.1 * x * x }},
	{"tanh(%s)", math.Tanh},
	{"-log1p_exp(%s)", func(x float64) float64 { return -math.Log1p(math.Exp(x)) }},
	{"-log1p_exp(-(%s))", func(x float64) float64 { return -math.Log1p(math.Exp(-x)) }},
	{"0.3 * (%s)", func(x float64) float64 { return 0.3 * x }},
}

// statement is a factor in a loop, or in two.
func (r reader) statement() term {
	within := []string{"i", "j", "ij", "ji"}[r.IntN(4)]
	x, f := r.form(within, 3), functions[r.IntN(len(functions))]
	text := "factor " + fmt.Sprintf(f.text, x.text)
	for _, k := range []byte{within[len(within)-1], within[0]}[2-len(within):] {
		text = fmt.Sprintf("for %c in %c { %s }", k, "NJ"[k-'i'], text)
	}
	return term{text, func(v *numbers, _, _ int) (s float64) {
		for i := range v.q {
			for j := range v.r {
				if len(within) == 2 || within == "i" && j == 0 || within == "j" && i == 0 {
					s += f.of(x.at(v, i, j))
				}
			}
		}
		return s
	}}
}

// readsHead declares what terms read.
const readsHead = `dim N, J
data g[N] : index[J]
data h[J] : index[N]
data k[N] : index[J]
data o[N] : index[N]
data y[N] : real
param r[J] : real ~ normal(0, 1)
`

// ofDimN is added where terms may read entries of other rows.
const ofDimN = `param q[N] : real ~ normal(0, 1)
let a = [tanh(q[i]) * y[i] for i in N]
let t = scan i in N from s = 1 { 0.5 * s + q[i] }
`

// fold makes full passes use sums of data whatever that saves.
func fold(c *driver.Compiled) *driver.Compiled {
	c.Spec.Collapse.Direct = size.Const(1)
	c.Spec.Collapse.Collapsed, c.Spec.Collapse.Once = size.Poly{}, size.Poly{}
	return c
}

func TestReadsFolded(t *testing.T) {
	for name, text := range readsModels {
		t.Run(name, func(t *testing.T) {
			c, diags := driver.Compile(source.New("model.sg", text), driver.Options{})
			if c == nil {
				t.Fatal(diags[0].Message)
			}
			m, x := bindRandom(t, fold(c), map[string]int{"N": 5, "J": 3}, 1)
			checkGradient(t, m, x)
			e, g := m.Evaluator(0), make([]float64, len(x))
			want := e.LogDensity(x, nil, 1, 1)
			if got := e.LogDensityGradient(x, nil, 1, 1, g); !near(got, want, 1e-11) {
				t.Errorf("with the gradient the density is %.12g, alone %.12g", got, want)
			}
		})
	}
}

// Densities of random terms are what the terms mean, by the function density and by the function of
// full passes, and gradients are those of these numbers.
func TestReads(t *testing.T) {
	folded, withRows := 0, 0
	for seed := range uint64(160) {
		r, head := reader{rand.New(rand.NewPCG(seed, 5)), seed%2 == 0}, readsHead
		if !r.rows {
			head += ofDimN
		}
		terms := []term{r.statement(), r.statement()}
		text := head + terms[0].text + "\n" + terms[1].text + "\n"
		c, diags := driver.Compile(source.New("model.sg", text), driver.Options{})
		if c == nil {
			t.Fatalf("%s\n%s", text, diags[0].Message)
		}
		bound := randomData(&c.Spec.Schema, map[string]int{"N": 5, "J": 3}, r.Rand)
		m, err := fold(c).VM(bound, nil)
		if err != nil {
			t.Fatalf("%s\n%s", text, err)
		}
		checkReads(t, text, m, bound, terms, r)
		if m.Collapses() {
			folded++
		}
		if m.Spec.RowDim != "" {
			withRows++
		}
	}
	if folded < 80 || withRows < 60 {
		t.Errorf("sums of data in %d models, rows in %d", folded, withRows)
	}
}

func checkReads(
	t *testing.T, text string, m *model.Model, bound *data.Bound, terms []term, r reader,
) {
	of := func(name string) []float64 { return bound.Values[name].F64 }
	v := &numbers{g: of("g"), h: of("h"), k: of("k"), o: of("o"), y: of("y"),
		a: make([]float64, 5), t: make([]float64, 6), q: make([]float64, 5)}
	density := func(x []float64) float64 {
		v.r, v.t[0] = x[:3], 1
		copy(v.q, x[3:])
		sum := 0.0
		for i, q := range v.q {
			v.a[i], v.t[i+1] = math.Tanh(q)*v.y[i], 0.5*v.t[i]+q
		}
		for _, u := range x {
			sum -= 0.5*u*u + 0.5*math.Log(2*math.Pi)
		}
		return sum + terms[0].at(v, 0, 0) + terms[1].at(v, 0, 0)
	}
	x, g := make([]float64, m.Dim()), make([]float64, m.Dim())
	for i := range x {
		x[i] = 0.5 * r.NormFloat64()
	}
	e, want := m.Evaluator(0), density(x)
	if got := e.LogDensity(x, nil, 1, 1); !near(got, want, 1e-10) {
		t.Errorf("%s\nthe density is %.12g, want %.12g", text, got, want)
	}
	for _, rows := range [][]int{{0, 1, 2, 3, 4}, nil} {
		if rows != nil && m.Spec.RowDim == "" {
			continue
		}
		if got := e.LogDensityGradient(x, rows, 1, 1, g); !near(got, want, 1e-10) {
			t.Errorf("%s\nwith the gradient of rows %v the density is %.12g, want %.12g", text,
				rows, got, want)
		}
		checkDifferences(t, text, density, x, g)
	}
}

func checkDifferences(
	t *testing.T, text string, density func(x []float64) float64, x, g []float64,
) {
	for i, at := range x {
		const h = 1e-5
		x[i] = at + h
		up := density(x)
		x[i] = at - h
		want := (up - density(x)) / (2 * h)
		if x[i] = at; !near(g[i], want, 1e-6) {
			t.Errorf("%s\ngradient[%d] is %.9g, want %.9g", text, i, g[i], want)
		}
	}
}
