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

// A movingModel has ranges whose ends change with an index or with data. want is
// its log density at params [a, b, c[0], …], without constants, for data of T
// numbers w and N counts k below K.
type movingModel struct {
	text string
	want func(x, w []float64, k []int) float64
}

const movingHead = `
dim T, N, K
data w[T] : real
data k[N] : index[K]
data m[T, T] : real
param a, b, c[K] : real
`

var movingModels = map[string]movingModel{
	"a sum over what came before": {
		"for t in T { factor w[t] * sum(exp(a * s) * w[t - s - 1] for s in 0:t) }",
		func(x, w []float64, k []int) (f float64) {
			for t := range w {
				for s := range t {
					f += w[t] * math.Exp(x[0]*float64(s)) * w[t-s-1]
				}
			}
			return f
		}},
	"what has no value outside": {
		"for t in T { factor sum(a * log(t - s) + sqrt(b^2 * (t - s)) for s in 0:t) }",
		func(x, w []float64, k []int) (f float64) {
			for t := range w {
				for s := range t {
					f += x[0]*math.Log(float64(t-s)) + math.Sqrt(x[1]*x[1]*float64(t-s))
				}
			}
			return f
		}},
	"steps that a row has reached": {"for n in N { factor sum(a - c[j] * b for j in 0:k[n]) }",
		func(x, w []float64, k []int) (f float64) {
			for _, n := range k {
				for j := range n {
					f += x[0] - x[2+j]*x[1]
				}
			}
			return f
		}},
	"by a let, from a moving start, with one more": {
		"for n in N {\nlet up = k[n] + 1\nfactor log(1 + sum(exp(c[j]) for j in k[n]:K)) + prod(c[j] " +
			"for j in 0:up) + max(b * c[j] for j in 0:up)\n}", func(x, w []float64, k []int) (f float64) {
			c := x[2:]
			for _, n := range k {
				sum, prod, top := 1.0, 1.0, math.Inf(-1)
				for j := n; j < len(c); j++ {
					sum += math.Exp(c[j])
				}
				for j := range n + 1 {
					prod *= c[j]
					top = math.Max(top, x[1]*c[j])
				}
				f += math.Log(sum) + prod + top
			}
			return f
		}},
	"plates within plates": {"for t in T {\nfor s in t + 1:T { factor a * w[s] * " +
		"w[t] - mean(b * m[s, u] for u in t:s) }\n" +
		"for s in 0:t, u in s:t { factor 0.01 * a * b * s * u }\n}", nil},
	"a plate that observes a triangle": {
		"for t in T { for s in 0:t { m[t, s] ~ normal(a * s + b, 1) } }", nil},
	"steps to the next of several": {
		"param d[K - 1] : real\nfor n in N { factor sum(a * d[j] - c[j] * b for j in 0:k[n]) }",
		func(x, w []float64, k []int) (f float64) {
			c, d := x[2:], x[2+(len(x)-1)/2:]
			for _, n := range k {
				for j := range n {
					f += x[0]*d[j] - c[j]*x[1]
				}
			}
			return f
		}},
	"an axis that is shorter": {"factor sum(a * (w[s + 1] - w[s]) * t for t in T, s in 0:t)",
		func(x, w []float64, k []int) (f float64) {
			for t := range w {
				for s := range t {
					f += x[0] * (w[s+1] - w[s]) * float64(t)
				}
			}
			return f
		}},
}

func init() {
	for name, m := range movingModels {
		tricky["ranges that move, "+name] = movingHead + m.text
	}
}

// Sums, products, means and plates over ranges whose ends move are those over the
// ranges that each entry has, and so are their gradients.
func TestMovingRanges(t *testing.T) {
	const tn, n, kn = 6, 9, 4
	r := rand.New(rand.NewPCG(3, 3))
	w, square, k := make([]float64, tn), make([]float64, tn*tn), make([]int, n)
	kf := make([]float64, n)
	for i := range w {
		w[i] = r.NormFloat64()
	}
	for i := range square {
		square[i] = r.NormFloat64()
	}
	for i := range k {
		k[i] = r.IntN(kn)
		kf[i] = float64(k[i])
	}
	k[0], kf[0], k[1], kf[1] = 0, 0, kn-1, kn-1
	plates := func(x, w []float64, k []int) (f float64) {
		for t := range tn {
			for s := t + 1; s < tn; s++ {
				mean := 0.0
				for u := t; u < s; u++ {
					mean += x[1] * square[s*tn+u] / float64(s-t)
				}
				f += x[0]*w[s]*w[t] - mean
			}
			for s := range t {
				for u := s; u < t; u++ {
					f += 0.01 * x[0] * x[1] * float64(s*u)
				}
			}
		}
		return f
	}
	triangle := func(x, w []float64, k []int) (f float64) {
		for t := range tn {
			for s := range t {
				z := square[t*tn+s] - x[0]*float64(s) - x[1]
				f += -z*z/2 - 0.5*math.Log(2*math.Pi)
			}
		}
		return f
	}
	for name, model := range movingModels {
		t.Run(name, func(t *testing.T) {
			want := model.want
			if strings.Contains(name, "triangle") {
				want = triangle
			} else if want == nil {
				want = plates
			}
			_, m := bindText(t, movingHead+model.text, map[string]int{"T": tn, "N": n, "K": kn},
				map[string]*data.Value{
					"w": data.Dense(w, tn), "k": data.Dense(kf, n),
					"m": data.Dense(square, tn, tn)})
			x := make([]float64, m.Dim())
			for i := range x {
				x[i] = r.NormFloat64()
			}
			e := m.Evaluator(2)
			if f := e.LogDensity(x, nil, 1, 1); !near(f, want(x, w, k), 1e-12) {
				t.Errorf("the log density is %.15g, by hand %.15g", f, want(x, w, k))
			}
			g := make([]float64, len(x))
			e.Gradient(x, nil, 1, 1, g)
			for i, v := range x {
				const h = 1e-5
				x[i] = v + h
				up := want(x, w, k)
				x[i] = v - h
				d := (up - want(x, w, k)) / (2 * h)
				x[i] = v
				if !near(g[i], d, 1e-7) {
					t.Errorf("gradient[%d] is %.12g, by hand %.12g", i, g[i], d)
				}
			}
			checkRows(t, m, x)
		})
	}
}

// No range, however its ends move, is longer than its dims say, also where they are 0.
func TestMovingRangesOfNothing(t *testing.T) {
	for name, model := range movingModels {
		for _, tn := range []int{0, 1} {
			_, m := bindText(t, movingHead+model.text, map[string]int{"T": tn, "N": 0, "K": 1},
				map[string]*data.Value{
					"w": data.Dense(make([]float64, tn), tn), "k": data.Dense(nil, 0),
					"m": data.Dense(make([]float64, tn*tn), tn, tn)})
			if f := m.Evaluator(0).LogDensity(make([]float64, m.Dim()), nil, 1, 1); f != 0 {
				t.Errorf("%s: the log density of nothing is %v", name, f)
			}
		}
	}
}

// TestMovingRangesHaveRoom: a range below an index of K has K − 1 entries if an array
// has so many. Without values K may be 0; then such an array cannot be.
func TestMovingRangesHaveRoom(t *testing.T) {
	compiled, diags := driver.Compile(source.New("model.sg",
		"dim N, K\ndata k[N] : index[K]\nparam a : real ~ normal(0, 1)\n"+
			"param d[K - 1] : real ~ normal(0, 1)\n"+
			"for n in N { factor sum(a * d[j] for j in 0:k[n]) }"), driver.Options{})
	if compiled == nil {
		t.Fatal(diags[0].Message)
	}
	for _, c := range []struct {
		dims map[string]int
		k    []float64
		want string
	}{
		{map[string]int{"K": 4}, []float64{0, 3, 2}, ""},
		{map[string]int{"K": 1}, []float64{0, 0}, ""},
		{map[string]int{"K": 1}, nil, ""},
		{map[string]int{"K": 0}, nil, "K - 1 = -1 long"},
	} {
		bound, _, errs := data.Validate(&compiled.Spec.Schema,
			map[string]*data.Value{"k": data.Dense(c.k, len(c.k))}, c.dims, data.Options{})
		if len(errs) > 0 {
			t.Fatal(errs[0])
		}
		if _, err := compiled.VM(bound, nil); (err == nil) != (c.want == "") ||
			err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v and %v: %v", c.dims, c.k, err)
		}
	}
}

// Ranges that cannot be bounded, or whose length a result would have, are refused
// with what to write.
func TestMovingRangesRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"data n : count\nfactor sum(a * j for j in 0:n)", "how high"},
		{"let l = [sum(exp([a * s for s in 0:t])) for t in T]\nfactor sum(l)",
			"the length of the array would"},
		{"for t in T {\nlet h = scan s in 0:t from h = a { h + b }\nfactor h[0]\n}",
			"the length of the scan would"},
		{"for t in T {\nlocal z : index[3] ~ categorical([0.2, 0.3, 0.5])\n" +
			"factor a * sum(s for s in 0:z)\n}", "depends on unknowns"},
		{"data i : int\nfactor sum(a * j for j in i:K)", "how low"},
		{"factor sum(a * j for t in T, j in t - 1:K)", "below 0"},
		{"let at = cumsum(k)\nfactor a * w[at[0]]", "a whole number"},
	} {
		compiled, diags := driver.Compile(source.New("model.sg", movingHead+c.text),
			driver.Options{})
		if compiled != nil {
			t.Errorf("%s: compiled", c.text)
		} else if !strings.Contains(diags[0].Message, c.want) {
			t.Errorf("%s: %s", c.text, diags[0].Message)
		}
	}
}
