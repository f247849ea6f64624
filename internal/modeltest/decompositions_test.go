package modeltest

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	gonum "gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// tracked computes the tracks of a model from data, at the coordinates 0.
func tracked(t *testing.T, text string, values map[string]any) map[string][]float64 {
	t.Helper()
	c, diags := driver.Compile(source.New("m.sg", text), driver.Options{})
	if c == nil {
		t.Fatal(diags[0].Message)
	}
	raw, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "data.json")
	if err := os.WriteFile(file, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	bound, _, errs := data.Bind(&c.Spec.Schema, []string{file}, nil, data.Options{})
	if errs != nil {
		t.Fatal(errs)
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	flat, out := make([]float64, m.OutputLen()), map[string][]float64{}
	m.Evaluator(0).Constrain(make([]float64, m.Dim()), flat)
	for _, o := range m.Outputs() {
		out[o.Name] = flat[o.Offset:][:o.Len]
	}
	return out
}

func closeTo(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d entries, want %d", what, len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tol*(1+math.Abs(want[i]))) {
			t.Errorf("%s[%d] = %v, want %v", what, i, got[i], want[i])
			return
		}
	}
}

// TestDecompositions holds eigen_sym, qr_thin and quantile against gonum's,
// matrices of condition 1e12 among them.
func TestDecompositions(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 6))
	for trial := range 6 {
		const n, k = 12, 4
		x := make([][]float64, n)
		dense := gonum.NewDense(n, k, nil)
		for i := range x {
			x[i] = make([]float64, k)
			for j := range x[i] {
				x[i][j] = r.NormFloat64()
				if trial%2 == 1 && j > 0 { // columns that nearly agree
					x[i][j] = x[i][0] + math.Pow(10, -4*float64(j))*r.NormFloat64()
				}
				dense.Set(i, j, x[i][j])
			}
		}
		y := make([]float64, n)
		for i := range y {
			y[i] = math.Round(2 * r.NormFloat64())
		}
		got := tracked(t, `
dim N, K
data x[N, K], y[N] : real
let (Q, R) = qr_thin(x)
track q = Q
track r = R
let (d, V) = eigen_sym(transpose(x) @ x)
track values = d
track back = V @ diag(d) @ transpose(V)
track quantiles = [quantile(y, p / 10) for p in 11]
track sorted = sort(y)
param unused : real ~ normal(0, 1)
`, map[string]any{"x": x, "y": y})

		// gonum's factors may have other signs.
		var qr gonum.QR
		qr.Factorize(dense)
		var q, rr gonum.Dense
		qr.QTo(&q)
		qr.RTo(&rr)
		var wantQ, wantR []float64
		for i := range n {
			for j := range k {
				wantQ = append(wantQ, q.At(i, j)*math.Copysign(1, rr.At(j, j)))
			}
		}
		for i := range k {
			for j := range k {
				wantR = append(wantR, rr.At(i, j)*math.Copysign(1, rr.At(i, i)))
			}
		}
		tol := 1e-13
		if trial%2 == 1 {
			tol = 1e-3 // of the last direction 1e-12 of the matrix is left
		}
		closeTo(t, "Q", got["q"], wantQ, tol)
		closeTo(t, "R", got["r"], wantR, 1e-13)
		for a := range k {
			for b := range k {
				dot, product := 0.0, 0.0
				for i := range n {
					dot += got["q"][i*k+a] * got["q"][i*k+b]
				}
				want := 0.0
				if a == b {
					want = 1
				}
				if !(math.Abs(dot-want) < 1e-14*n) {
					t.Errorf("trial %d: columns %d and %d of Q have the product %v",
						trial, a, b, dot)
				}
				for i := range k {
					product += got["q"][a*k+i] * got["r"][i*k+b]
				}
				if !(math.Abs(product-x[a][b]) < 1e-14*n*8) {
					t.Errorf("trial %d: Q R is %v for %v", trial, product, x[a][b])
				}
			}
		}

		var gram gonum.SymDense
		gram.SymOuterK(1, dense.T())
		var eigen gonum.EigenSym
		eigen.Factorize(&gram, false)
		closeTo(t, "eigenvalues", got["values"], eigen.Values(nil), 1e-13)
		var gramian []float64
		for i := range k {
			for j := range k {
				gramian = append(gramian, gram.At(i, j))
			}
		}
		closeTo(t, "V diag(d) Vᵀ", got["back"], gramian, 1e-13)

		slices.Sort(y)
		closeTo(t, "sorted", got["sorted"], y, 0)
		var quantiles []float64
		for p := range 11 {
			// definition 7 of Hyndman & Fan, by places counted from 1
			h := float64(n-1)*float64(p)/10 + 1
			low := y[int(math.Floor(h))-1]
			high := y[min(int(math.Floor(h)), n-1)]
			quantiles = append(quantiles, low+(h-math.Floor(h))*(high-low))
		}
		closeTo(t, "quantiles", got["quantiles"], quantiles, 1e-14)
		if m := stat.Quantile(1, stat.Empirical, y, nil); quantiles[10] != m {
			t.Errorf("the largest is %v, gonum says %v", quantiles[10], m)
		}
	}
}

// Quantiles of no entries, and those at no share, are NaN, as the mean of none is.
func TestQuantileOfNone(t *testing.T) {
	const text = `
dim N
data y[N], p : real
param a : real ~ normal(0, 1)
track m = [median(y), mean(y), quantile(y, 1), quantile(a * y, 0.3), quantile(y, p)]
`
	got := tracked(t, text, map[string]any{"y": []float64{}, "p": 0})["m"]
	for i, x := range got {
		if !math.IsNaN(x) {
			t.Errorf("number %d of no entries is %v", i, x)
		}
	}
	for _, p := range []float64{-0.1, 1.1} {
		got := tracked(t, text, map[string]any{"y": []float64{4, 2, 9}, "p": p})["m"]
		if got[0] != 4 || got[1] != 5 || got[2] != 9 || !math.IsNaN(got[4]) {
			t.Errorf("at the share %v the numbers are %v", p, got)
		}
	}
	got = tracked(t, "dim N\ndata y[N] : real\nparam a : real ~ normal(0, 1)\n"+
		"track m = quantile(y, sqrt(-1 - a^2))\n", map[string]any{"y": []float64{4, 2, 9}})["m"]
	if !math.IsNaN(got[0]) {
		t.Errorf("at a share that is NaN the quantile is %v", got[0])
	}
}

// TestCovarianceFunctions holds each against its formula in the docs.
func TestCovarianceFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 7))
	points := func(n int) [][]float64 {
		x := make([][]float64, n)
		for i := range x {
			x[i] = []float64{r.NormFloat64(), r.NormFloat64()}
		}
		return x
	}
	x, y := points(5), points(3)
	const alpha, rho, extra = 1.3, 0.7, 1.9
	wide := []float64{0.5, 2}
	forms := map[string]func(d, r float64) float64{
		"gp_exp_quad":    func(_, r float64) float64 { return math.Exp(-r * r / 2) },
		"gp_exponential": func(_, r float64) float64 { return math.Exp(-r) },
		"gp_matern32": func(_, r float64) float64 {
			return (1 + math.Sqrt(3)*r) * math.Exp(-math.Sqrt(3)*r)
		},
		"gp_matern52": func(_, r float64) float64 {
			return (1 + math.Sqrt(5)*r + 5*r*r/3) * math.Exp(-math.Sqrt(5)*r)
		},
		"gp_rational_quad": func(_, r float64) float64 { return math.Pow(1+r*r/(2*extra), -extra) },
		"gp_periodic": func(d, _ float64) float64 {
			return math.Exp(-2 * math.Pow(math.Sin(math.Pi*d/extra)/rho, 2))
		},
	}
	for name, form := range forms {
		more := ""
		if name == "gp_rational_quad" || name == "gp_periodic" {
			more = ", extra"
		}
		ard := name + "(x, y, alpha, wide" + more + ")"
		if name == "gp_periodic" {
			ard = name + "(x, y, alpha, rho" + more + ")"
		}
		got := tracked(t, `
dim N, M, D
data x[N, D], y[M, D], alpha, rho, extra, wide[D] : real
param unused : real ~ normal(0, 1)
track own = `+name+`(x, alpha, rho`+more+`)
track cross = `+name+`(x, y, alpha, rho`+more+`)
track line = `+name+`(x[:, 0], y[:, 1], alpha, rho`+more+`)
track ard = `+ard+`
`, map[string]any{"x": x, "y": y, "alpha": alpha, "rho": rho, "extra": extra, "wide": wide})
		want := map[string][]float64{}
		add := func(what string, d, r float64) {
			want[what] = append(want[what], alpha*alpha*form(d, r))
		}
		for _, a := range x {
			for _, b := range x {
				d := math.Hypot(a[0]-b[0], a[1]-b[1])
				add("own", d, d/rho)
			}
			for _, b := range y {
				d := math.Hypot(a[0]-b[0], a[1]-b[1])
				add("cross", d, d/rho)
				add("ard", d, math.Hypot((a[0]-b[0])/wide[0], (a[1]-b[1])/wide[1]))
				add("line", math.Abs(a[0]-b[1]), math.Abs(a[0]-b[1])/rho)
			}
		}
		if name == "gp_periodic" {
			want["ard"] = want["cross"]
		}
		for what, list := range want {
			closeTo(t, name+" "+what, got[what], list, 1e-14)
		}
	}
}

// TestRemainder: % and mod have the sign of the divisor, exactly.
func TestRemainder(t *testing.T) {
	x, m := []float64{-7, 7, -7, 7, 5.3, -0.1, 6, 1e17}, []float64{3, 3, -3, -3, 0.1, 3, -3, 7}
	got := tracked(t, `
dim N
data x[N], m[N] : real
data n[N] : count
param unused : real ~ normal(0, 1)
track a = x % m
track b = mod(x, m)
track turn = [([10, 20, 30])[n[i] % 3] for i in N]
`, map[string]any{"x": x, "m": m, "n": []int{0, 1, 2, 3, 4, 5, 6, 7}})
	want := make([]float64, len(x))
	for i := range x {
		r := math.Mod(x[i], m[i])
		if r != 0 && (r < 0) != (m[i] < 0) {
			r += m[i]
		}
		want[i] = r
	}
	closeTo(t, "%", got["a"], want, 0)
	closeTo(t, "mod", got["b"], want, 0)
	closeTo(t, "turn", got["turn"], []float64{10, 20, 30, 10, 20, 30, 10, 20}, 0)
	if math.Signbit(got["a"][6]) {
		t.Error("6 % -3 is -0")
	}
}
