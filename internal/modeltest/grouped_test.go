package modeltest

import (
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// Models with discrete params of several entries. `unknown` stands for a
// declaration: of a param that is summed out, or of data with that law.
var groupedModels = map[string]string{
	"Dawid and Skene in long format": `
dim I, J, K = 3, N
data ii[N] : index[I]
data jj[N] : index[J]
data y[N] : index[K]
param pi : simplex[K] ~ dirichlet(1)
param theta[J, K] : simplex[K] ~ dirichlet(1)
unknown z[I] : index[K] ~ categorical(pi)
for n in N { y[n] ~ categorical(theta[jj[n], z[ii[n]]]) }`,
	"without plates": `
dim I, N
data ii[N] : index[I]
data y[N] : real
param p : unit
param mu[2] : real ~ normal(0, 1)
unknown z[I] : bool ~ bernoulli(p)
let m = mu[z]
y ~ normal(m[ii], 1 + z[ii])`,
	"a prior of each entry": `
dim I, G, N
data ii[N] : index[I]
data g[I] : index[G]
data y[N] : count
param p[G] : unit
param a, b : positive ~ gamma(2, 1)
unknown z[I] : bool ~ bernoulli(p[g])
for n in N { y[n] ~ poisson(if z[ii[n]] then a else b) }`,
	"two statements, a factor and a covariate of the entries": `
dim I, N, M
data ii[N], kk[M] : index[I]
data y[N], x[M], w[I] : real
param a, b : real ~ normal(0, 1)
unknown z[I] : index[3] ~ categorical([0.2, 0.3, 0.5])
for n in N { y[n] ~ normal(a * z[ii[n]], 1) }
for m in M { x[m] ~ normal(b, 1 + z[kk[m]]) }
for i in I { w[i] ~ normal(a + z[i], 2) }
factor sum(0.1 * a * z[i] * w[i] for i in I) - 0.3 * b * z[0] + a * z[I - 1] / 2
factor sum(log(1 + exp(b * z[ii[n]] * y[n])) for n in N)`,
	"presence in a history of captures": `
dim I, N
data ii[N] : index[I]
data y[N] : bool
param psi, p : unit
unknown here[I] : bool ~ bernoulli(psi)
for n in N { y[n] ~ bernoulli(if here[ii[n]] then p else 0.01) }`,
	"groups of mixtures, with a class of each row": `
dim I, N
data ii[N] : index[I]
data y[N] : real
param mu[2, 2] : real ~ normal(0, 1)
param q[2] : unit
unknown z[I] : index[2] ~ categorical([0.3, 0.7])
for n in N {
  local c : bool ~ bernoulli(q[z[ii[n]]])
  y[n] ~ normal(mu[z[ii[n]], c], 1)
}`,
	"two unknowns of the same entries": `
dim I, N
data ii[N] : index[I]
data y[N] : real
param A[2] : simplex[3] ~ dirichlet(1)
param mu[2, 3] : real ~ normal(0, 1)
unknown z[I] : index[2] ~ categorical([0.4, 0.6])
unknown w[I] : index[3] ~ categorical(A[z])
for n in N { y[n] ~ normal(mu[z[ii[n]], w[ii[n]]], 1) }`,
	"entries by two indices": `
dim I, J, N
data ii[N] : index[I]
data jj[N] : index[J]
data y[N], x[I, J], v[J, N] : real
param a, b : real ~ normal(0, 1)
unknown z[I, J] : bool ~ bernoulli(0.3)
for n in N { y[n] ~ normal(if z[ii[n], jj[n]] then a else b, 1) }
for i in I, j in J { x[i, j] ~ normal(a * z[i, j], 1) }
for j in J, n in N { v[j, n] ~ normal(b * z[ii[n], j], 3) }
factor a * z[1, 0]`,
	"entries that no row has, and a shift": `
dim I, N
data y[N] : real
param a, b : real ~ normal(0, 1)
unknown z[N + I] : bool ~ bernoulli(sigmoid(a))
for n in 1:N { y[n] ~ normal(if z[n + 1] then a else b, 1) }`,
	"with an unknown that all rows share": `
dim I, N
data ii[N] : index[I]
data y[N] : real
param a, b : real ~ normal(0, 1)
param s : bool ~ bernoulli(0.4)
unknown z[I] : index[2] ~ categorical([0.4, 0.6])
param t : index[3] ~ categorical(softmax([a, 0, b * z[1]]))
for n in N { y[n] ~ normal(a * z[ii[n]] + b * s, 1 + t) }`,
	"ragged rows": `
dim S, T(S), I
data ii[S, T] : index[I]
data y[S, T] : real
param a, b : real ~ normal(0, 1)
unknown z[I] : bool ~ bernoulli(0.3)
for s in S, t in T { y[s, t] ~ normal(if z[ii[s, t]] then a else b, 1) }`,
	"a sum over what came before": `
dim I, T
data ii[T] : index[I]
data y[T] : real
param a, b : real ~ normal(0, 1)
unknown z[I] : bool ~ bernoulli(0.3)
for t in T { factor sum((if z[ii[s]] then a else b) * y[s] * y[t] for s in 0:t) }`,
	"an end of each row, and entries by the row and by data": `
dim I, J, T
data jj[T] : index[J]
data kk[I] : index[T]
data y[I, T] : real
param a, b : real ~ normal(0, 1)
unknown z[I, J] : bool ~ bernoulli(0.3)
for i in I, t in 0:kk[i] { factor (if z[i, jj[t]] then a else b) * y[i, t] }`,
	"functions of arrays": `
dim I, N
data ii[N] : index[I]
data y[N] : index[3]
param eta[2, 3] : real ~ normal(0, 1)
unknown z[I] : index[2] ~ categorical([0.4, 0.6])
let p = [softmax(eta[z[i]]) for i in I]
for n in N { y[n] ~ categorical(p[ii[n]]) }`,
	"branches, pairs of rows, and two unknowns that meet in no term": `
dim I, N
data ii[N] : index[I]
data y[N] : real
param a, b : real ~ normal(0, 1)
unknown z[I] : bool ~ bernoulli(0.3)
unknown w[I] : bool ~ bernoulli(sigmoid(b))
for n in N { y[n] ~ normal(if z[ii[n]] then a else b, 1) }
for n in N { factor if y[n] < 0 then 0 else a * w[ii[n]] }
for n in N, m in N { factor 0.1 * a * z[ii[n]] * y[m] }
for n in N { factor sum(b * w[ii[n]] * k for k in 0:ii[n]) }`,
	"priors as statements": `
dim I, N
data ii[N] : index[I]
data y[N] : real
param a : real ~ normal(0, 1)
unknown z[I] : index[2]
for i in I { z[i] ~ categorical(softmax([a, i])) }
for n in N { y[n] ~ student_t(4, a * z[ii[n]], 1) truncated(-3, 3) }`,
}

var unknownDeclaration = regexp.MustCompile(`unknown ((\w+)(\[[^:]*\])?) : ([^~\n]*)(~ .*)?`)

func summedOut(text string) string {
	return unknownDeclaration.ReplaceAllStringFunc(text, func(s string) string {
		return strings.Replace(s, "unknown", "param", 1) + " by marginal"
	})
}

func givenAsData(text string) string {
	return unknownDeclaration.ReplaceAllStringFunc(text, func(s string) string {
		m := unknownDeclaration.FindStringSubmatch(s)
		out := "data " + m[1] + " : " + m[4]
		if m[5] != "" {
			out += "\n" + m[2] + " " + m[5]
		}
		return out
	})
}

func init() {
	for name, text := range groupedModels {
		tricky["summed out by entry, "+name] = summedOut(text)
	}
}

func bindText(
	t *testing.T, text string, dims map[string]int, values map[string]*data.Value,
) (*driver.Compiled, *model.Model) {
	t.Helper()
	c, diags := driver.Compile(source.New("model.sg", text), driver.Options{})
	if c == nil {
		t.Fatal(diags[0].Message)
	}
	b := &data.Bound{Dims: dims, Values: values}
	m, err := c.VM(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c, m
}

// The density and the gradient are those of the sum over every value that the
// unknowns can take together, with each of which the model is evaluated as data.
func TestGroupedIsTheSum(t *testing.T) {
	dims := map[string]int{"I": 3, "J": 2, "G": 2, "K": 3, "N": 5, "M": 4, "S": 3, "T": 4}
	for name, text := range groupedModels {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			given, _ := driver.Compile(source.New("model.sg", givenAsData(text)), driver.Options{})
			if given == nil {
				t.Fatal("the model with data in the place of the unknowns is refused")
			}
			bound := randomData(&given.Spec.Schema, dims, rand.New(rand.NewPCG(8, 1)))
			pad(bound, &given.Spec.Schema)
			_, m := bindText(t, summedOut(text), bound.Dims, bound.Values)
			x := make([]float64, m.Dim())
			r := rand.New(rand.NewPCG(4, 7))
			for i := range x {
				x[i] = 0.7 * r.NormFloat64()
			}
			var at [][]float64 // of every unknown: its entries
			var top []int
			for i := range given.Spec.Schema.Inputs {
				in := &given.Spec.Schema.Inputs[i]
				if declared := strings.Contains(text, "unknown "+in.Name+"["); declared {
					k := 2
					if in.Kind == data.Index {
						k = eval(in.Below, dims)
					}
					at, top = append(at, bound.Values[in.Name].F64), append(top, k)
				}
			}
			sum, weights, grads := math.Inf(-1), []float64{}, [][]float64{}
			everyValue(at, top, func() {
				e, err := given.VM(bound, nil)
				if err != nil {
					t.Fatal(err)
				}
				v := e.Evaluator(0)
				g := make([]float64, len(x))
				f := v.LogDensity(x, nil, 1, 1)
				v.Gradient(x, nil, 1, 1, g)
				sum = logAdd(sum, f)
				weights, grads = append(weights, f), append(grads, g)
			})
			want := make([]float64, len(x))
			for k, g := range grads {
				for i := range g {
					want[i] += math.Exp(weights[k]-sum) * g[i]
				}
			}
			e := m.Evaluator(0)
			if f := e.LogDensity(x, nil, 1, 1); !near(f, sum, 1e-10) {
				t.Errorf("the log density is %.12g, the sum over %d values %.12g", f,
					len(weights), sum)
			}
			got := make([]float64, len(x))
			e.Gradient(x, nil, 1, 1, got)
			for i := range got {
				if !near(got[i], want[i], 1e-9) {
					t.Errorf("gradient[%d] is %.12g, that of the sum %.12g", i, got[i], want[i])
				}
			}
		})
	}
}

// pad puts a number far off behind the ends of ragged rows, and 0 where entries are indices, as the
// reader does.
func pad(b *data.Bound, s *data.Schema) {
	for i := range s.Inputs {
		in := &s.Inputs[i]
		for _, d := range s.Dims {
			if d.Of == "" || len(in.Shape) != 2 || in.Shape[1].String() != d.Name {
				continue
			}
			n := b.Dims[d.Name]
			for row, length := range b.Values[data.LengthsOf(d.Name)].F64 {
				with := 70.0
				if in.Kind == data.Index {
					with = 0
				}
				for k := int(length); k < n; k++ {
					b.Values[in.Name].F64[row*n+k] = with
				}
			}
		}
	}
}

// everyValue sets arrays to all that they can hold, each entry below its top.
func everyValue(at [][]float64, top []int, f func()) {
	var entries []*float64
	var below []int
	for i, a := range at {
		for k := range a {
			entries, below = append(entries, &a[k]), append(below, top[i])
		}
	}
	var next func(k int)
	next = func(k int) {
		if k == len(entries) {
			f()
			return
		}
		for v := range below[k] {
			*entries[k] = float64(v)
			next(k + 1)
		}
	}
	next(0)
}

func logAdd(a, b float64) float64 {
	m := math.Max(a, b)
	if math.IsInf(m, -1) {
		return m
	}
	return m + math.Log(math.Exp(a-m)+math.Exp(b-m))
}

// The model of Dawid and Skene against sums written out here, and with its rows
// in another order.
func TestDawidSkene(t *testing.T) {
	const items, raters, classes, rows = 40, 5, 3, 300
	r := rand.New(rand.NewPCG(2, 9))
	ii, jj, y := make([]float64, rows), make([]float64, rows), make([]float64, rows)
	for n := range rows {
		// the last item has no row
		ii[n], jj[n], y[n] = float64(r.IntN(items-1)), float64(r.IntN(raters)),
			float64(r.IntN(classes))
	}
	dims := map[string]int{"I": items, "J": raters, "K": classes, "N": rows}
	bind := func(order []int) (*driver.Compiled, *model.Model) {
		take := func(v []float64) *data.Value {
			out := make([]float64, rows)
			for n, k := range order {
				out[n] = v[k]
			}
			return data.Dense(out, rows)
		}
		return bindText(t, summedOut(groupedModels["Dawid and Skene in long format"]), dims,
			map[string]*data.Value{"ii": take(ii), "jj": take(jj), "y": take(y)})
	}
	order := make([]int, rows)
	for n := range order {
		order[n] = n
	}
	_, m := bind(order)
	e := m.Evaluator(0)
	x := make([]float64, m.Dim())
	for i := range x {
		x[i] = r.NormFloat64()
	}
	out := make([]float64, m.OutputLen())
	e.Constrain(x, out)
	pi, theta := out[:classes], out[classes:]
	want := 0.0
	for i := range items {
		total := math.Inf(-1)
		for k := range classes {
			f := math.Log(pi[k])
			for n := range rows {
				if int(ii[n]) == i {
					f += math.Log(theta[(int(jj[n])*classes+k)*classes+int(y[n])])
				}
			}
			total = logAdd(total, f)
		}
		want += total
	}
	// A Dirichlet prior of ones is a constant: (K − 1)! a simplex.
	want += (1 + raters*classes) * math.Log(2)
	if f := e.LogDensity(x, nil, 1, 0); !near(f, want, 1e-12) {
		t.Errorf("the log density is %.15g, by hand %.15g", f, want)
	}
	g, h := make([]float64, len(x)), make([]float64, len(x))
	e.Gradient(x, nil, 1, 1, g)
	_, mixed := bind(r.Perm(rows))
	mixed.Evaluator(0).Gradient(x, nil, 1, 1, h)
	for i := range g {
		if !near(g[i], h[i], 1e-12) {
			t.Errorf("gradient[%d] is %.15g, with rows in another order %.15g", i, g[i], h[i])
		}
	}
}

// What ties entries together, or has no value, is refused with what it is.
func TestGroupedRefuses(t *testing.T) {
	const head = "dim I, N\ndata ii[N], jj[N] : index[I]\ndata y[N] : real\n" +
		"param a : real ~ normal(0, 1)\nparam mu[2] : real ~ normal(0, 1)\n" +
		"param z[I] : index[2] ~ categorical([0.4, 0.6])\n"
	for _, c := range []struct{ text, want string }{
		{"for n in N { y[n] ~ normal(a * z[ii[n]] + z[jj[n]], 1) }", "two of its entries"},
		{"for n in N { y[n] ~ normal(a * z[0] + z[1], 1) }", "two of its entries"},
		{"factor log(1 + a^2 + sum(z[i] for i in I))", "many of its entries"},
		{"param w[N] : bool ~ bernoulli(0.3)\nfor n in N { y[n] ~ normal(a * z[ii[n]] + w[n], 1) }",
			"not chosen by one index"},
		{"for n in N { y[n] ~ normal(a * z[ii[n]], 1) }\ntrack t = z[0] + a",
			"has no value in a draw"},
		{"let s = scan i in I from h = 0 { h + z[i] }\nfactor s[I] * a", "recurrence"},
		{"param u[2] : real ~ normal(0, 1) by collapse\n" +
			"for n in N { y[n] ~ normal(u[z[ii[n]]], 1) }", "leave out by collapse"},
		{"param h : interval(0, 1 + z[0])\nfor n in N { y[n] ~ normal(h, 1) }",
			"has no value in a draw"},
		{"param k : index[I] ~ categorical(ones(I) / I)\nfor n in N { y[n] ~ normal(a * z[k], 1) }",
			"many of its entries"},
	} {
		checked, diags := driver.Compile(source.New("model.sg", head+c.text), driver.Options{})
		if checked != nil {
			t.Errorf("%s: compiled", c.text)
		} else if !slices.ContainsFunc([]string{diags[0].Message}, func(s string) bool {
			return strings.Contains(s, c.want)
		}) {
			t.Errorf("%s: %s", c.text, diags[0].Message)
		}
	}
}

// Rows that share an entry are no minibatch axis; where the plate's index is the
// entry, its axis is.
func TestGroupedRows(t *testing.T) {
	const wide = `
dim I, J
data y[I, J] : bool
data x[I] : real
param p[2] : unit
param b : real ~ normal(0, 1)
unknown z[I] : bool ~ bernoulli(sigmoid(b * x))
for i in I, j in J { y[i, j] ~ bernoulli(p[z[i]]) }`
	for text, want := range map[string]string{wide: "I",
		strings.Replace(wide, "z[i]]", "z[I - 1 - i]]", 1):                       "",
		groupedModels["Dawid and Skene in long format"]:                          "",
		groupedModels["two statements, a factor and a covariate of the entries"]: ""} {
		c, diags := driver.Compile(source.New("model.sg", summedOut(text)), driver.Options{})
		if c == nil {
			t.Fatal(diags[0].Message)
		}
		if c.Spec.RowDim != want {
			t.Errorf("rows of %q, want %q\n%s", c.Spec.RowDim, want, text)
		}
		if got := len(c.Check.Batchable) > 0; got != (want != "") {
			t.Errorf("the check says %v", c.Check.Batchable)
		}
	}
	_, m := bindText(t, summedOut(wide), map[string]int{"I": 6, "J": 3}, map[string]*data.Value{
		"y": data.Dense([]float64{1, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, 6, 3),
		"x": data.Dense([]float64{1, -1, 0.5, 2, 0, -2}, 6)})
	x := []float64{0.3, -0.4, 0.8}
	checkRows(t, m, x)
	checkGradient(t, m, x)
}

// After a run entries are left out with all their rows; what depends on an entry
// is not predicted, nor is an entry drawn.
func TestGroupedAfterARun(t *testing.T) {
	src := source.New("model.sg", summedOut(groupedModels["Dawid and Skene in long format"]))
	p, diags := driver.Pointwise(src, driver.Options{})
	if p == nil {
		t.Fatal(diags[0].Message)
	}
	if len(p.Terms) != 1 || p.Terms[0].Site != "y" ||
		!slices.Equal(p.Terms[0].Dims, []string{"I"}) {
		t.Errorf("left out are %+v, want the entries of I", p.Terms)
	}
	if p, diags := driver.Predict(src, driver.Options{}); p != nil || diags[0].Code != "E0712" ||
		!strings.Contains(diags[0].Message, "summed out") {
		t.Errorf("predicted, or refused otherwise: %v", diags)
	}
	if r, diags := driver.Latents(src, driver.Options{}, []string{"z"}); r != nil ||
		!strings.Contains(diags[0].Message, "a param that was summed out") {
		t.Errorf("drawn, or refused otherwise: %v", diags)
	}
}
