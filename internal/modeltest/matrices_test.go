package modeltest

import (
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/fn"
)

// Matrix functions in every arrangement of batch axes, held to the tests of
// all models.
func init() {
	for name, text := range map[string]string{
		"a covariance for all rows": `
dim N, K
data y[N] : real[K]
param mu[K], s[K] : real ~ normal(0, 1)
let C = [exp(-0.5 * (i - j)^2) * exp(s[i] + s[j]) for i in K, j in K] + 0.5 * identity(K)
for n in N { y[n] ~ multi_normal_cholesky(mu, cholesky(C)) }`,
		"a covariance for every row": `
dim N, K
data t[N] : real
data y[N] : real[K]
param a[K] : real ~ normal(0, 1)
for n in N {
  y[n] ~ multi_normal_cholesky(a, cholesky([exp(a[i] * a[j] - abs(i - j) * t[n]^2) + 3 * (if i == j then 1 else 0) for i in K, j in K]))
}`,
		"a covariance for every group": `
dim N, J, K
data g[N] : index[J]
data y[N] : real[K]
param s[J] : real ~ normal(0, 1)
param u[J] : real[K]
let L = [cholesky([exp(s[j]) * exp(-abs(a - b)) for a in K, b in K]) for j in J]
for j in J { u[j] ~ multi_normal_cholesky(zeros(K), L[j]) }
for n in N { y[n] ~ multi_normal_cholesky(u[g[n]], L[g[n]]) }`,
		"rows and groups": `
dim N, J, K
data y[N, J] : real[K]
param s[J] : real ~ normal(0, 1)
let L = [cholesky([exp(s[j]) * exp(-abs(a - b)) for a in K, b in K]) for j in J]
for n in N { for j in J { y[n, j] ~ multi_normal_cholesky(zeros(K), L[j]) } }`,
		"triangles of data": `
dim N, K
data S[N] : real[K, K]
param b[K] : real ~ normal(0, 1)
for n in N {
  factor -0.5 * sum(triangular_solve(cholesky(transpose(S[n]) @ S[n] + identity(K)), b)^2)
}`,
		"log determinant": `
dim K
param w[K] : real ~ normal(0, 1)
factor log_det(outer(w, w) + identity(K)) - quad_form(identity(K) + outer(w, w), w)`,
		"a correlation factor": `
dim N, K
data y[N] : real[K]
param mu[K] : real ~ normal(0, 1), s[K] : positive ~ lognormal(0, 1)
param L : corr_chol[K]
for n in N { y[n] ~ multi_normal_cholesky(mu, [s[i] * L[i, j] for i in K, j in K]) }`,
		"a covariance factor": `
dim N, K
data y[N] : real[K]
param L : cov_chol[K]
factor -sum(L[i, j]^2 for i in K, j in K)
for n in N { y[n] ~ multi_normal_cholesky(zeros(K), L) }`,
		"families of factors": `
dim N, J, K
data g[N] : index[J]
data y[N] : real[K]
param L[J] : corr_chol[K], C[J, 2] : cov_chol[3], D : corr_chol[1], E : cov_chol[1]
factor -sum(C[j, i, a, b]^2 for j in J, i in 2, a in 3, b in 3) + D[0, 0] - E[0, 0]
for n in N { y[n] ~ multi_normal_cholesky(L[g[n]] @ ones(K), L[g[n]]) }`,
		"ends along an axis": `
dim N, J
data g[N] : index[J]
data y[N] : real
param m : real ~ normal(0, 1), s : positive ~ lognormal(0, 1)
param a[J] : real ~ normal(0, 1)
param b[J] : interval(a, inf) ~ normal(m, s)
param c[J] : interval(a - 1, b) ~ normal(a, 1)
for n in N { y[n] ~ normal(b[g[n]] * c[g[n]], s) }`,
		"families of laws": `
dim N, J, K
data g[N] : index[J]
data y[N] : real[K]
param eta[J] : positive ~ gamma(4, 2), nu[J] : interval(K, inf)
param L[J] : corr_chol[K] ~ lkj_corr_cholesky(eta)
param C[J] : cov_chol[K]
factor -sum(nu)
for j in J { C[j] ~ wishart_cholesky(nu[j], L[j]) }
for n in N { y[n] ~ multi_student_t_cholesky(eta[g[n]], zeros(K), C[g[n]]) }`,
		"eigenvalues for every row": `
dim N, K
data y[N], t[N] : real
param w[K] : real ~ normal(0, 1)
for n in N {
  let (d, V) = eigen_sym([w[i] * w[j] * t[n]^2 + (if i == j then 2 * i else 0) for i in K, j in K])
  y[n] ~ normal(V[0] @ d + sum(log1p(d^2)), 1)
}`,
		"eigenvalues of groups": `
dim N, J, K
data g[N] : index[J]
data y[N] : real[K]
param s[J, K] : real ~ normal(0, 1)
let d = [eigenvalues_sym(outer(s[j], s[j]) + diag([i + 0.5 for i in K])) for j in J]
for n in N { y[n] ~ normal(d[g[n]], 1) }`,
		"a decomposition of the rows": `
dim N, K
data x[N] : real[K]
data y[N] : real
param b[K], c : real ~ normal(0, 1)
let Q = qr_thin_Q(transpose([[x[n, k] + n^2 for n in N] for k in K]))
for n in N { y[n] ~ normal(Q[n] @ b + c, 1) }`,
		"triangles of params": `
dim K
param w[K + 2, K], b[K] : real ~ normal(0, 1)
let (Q, R) = qr_thin([w[i, j] + (if i == j then 4 else 0) for i in K + 2, j in K])
factor sum(Q[0] * b) - sum(R[i, j] * b[j] for i in K, j in K)`,
		"orders": `
dim N, K
data y[N], t[N] : real
param b[K] : real ~ normal(0, 1)
let m = median(t)
for n in N { y[n] ~ normal(quantile(b * t[n], 0.35) + m + (sort(b) @ b) * t[n] + t[n] % 2, 1) }`,
		"covariance functions": `
dim N, K
data x[N] : real[K]
data t[N] : real
param a, r, p : positive ~ lognormal(0, 0.3), w[K] : positive ~ lognormal(0, 0.3), u[N] : real ~ normal(0, 1)
factor -log_det(identity(N) + gp_exp_quad(x, a, w) + gp_matern52(u, a, r) + gp_matern32(x, a, r))
factor -sum(gp_periodic(t, u, a, r, p)) - sum(gp_exponential(x, a, w)) - sum(gp_rational_quad(x, a, r, p)) - sum(gp_periodic(x, a, r, p))`,
		"solves": `
dim N, J, K
data y[N] : real[K]
data S[J] : real[K, K]
param w[K], u[J] : real ~ normal(0, 1)
let A = outer(w, w) + identity(K)
let B = [inverse_spd(transpose(S[j]) @ S[j] + exp(u[j]) * identity(K)) for j in J]
factor trace(inverse_spd(A)) - sum(triangular_solve_t(cholesky(A), w)^2) - sum(trace(B[j] @ A) for j in J)
for n in N { factor -0.5 * sum((solve_spd(A, y[n]) - w)^2) }`,
		"one covariance": `
dim N, K
data y[N] : real[K]
param mu[K], s[K] : real ~ normal(0, 1), nu : positive ~ gamma(2, 0.1)
let C = outer(s, s) + identity(K)
for n in N { y[n] ~ multi_normal(mu, C) }
factor -sum((inverse_spd(C) @ mu)^2)`,
		"a precision and a scale": `
dim N, K
data y[N], z[N] : real[K]
param mu[K], s[K] : real ~ normal(0, 1), nu : positive ~ gamma(2, 0.1)
let C = outer(s, s) + identity(K)
for n in N {
  y[n] ~ multi_normal_prec(mu, C)
  z[n] ~ multi_student_t(nu, mu, C)
}`,
		"matrices that are data": `
dim N
data s[N] : real[2]
let X = [outer(s[n], s[n]) + identity(2) for n in N]
param L : cov_chol[2] ~ inv_wishart_cholesky(5, identity(2))
param nu : interval(1, inf)
for n in N { X[n] ~ wishart(nu, L @ transpose(L)) }`,
		"counts of outcomes": `
dim N, J, K
data g[N] : index[J]
data y[N], z[N], v[N] : count[K]
param eta[J, K] : real ~ normal(0, 1)
param a[K] : positive ~ gamma(2, 1), theta[J] : simplex[K] ~ dirichlet(a)
for n in N {
  y[n] ~ multinomial_logit(eta[g[n]])
  z[n] ~ multinomial(theta[g[n]])
  v[n] ~ dirichlet_multinomial(a)
}`,
		"correlated effects": `
dim N, J, K
data g[N] : index[J]
data x[N] : real[K]
data y[N] : real
param L : corr_chol[K] ~ lkj_corr_cholesky(2)
param tau[K] : positive ~ exponential(1), z[J, K] : real ~ normal(0, 1)
let S = [tau[i] * L[i, j] for i in K, j in K]
for n in N { y[n] ~ normal(x[n] @ (S @ z[g[n]]), 1) }
track rho = L @ transpose(L)`,
		"the same matrix": `
dim K
param a, b : positive ~ lognormal(0, 1)
let L = cholesky([[2, 1], [1, 2 + b]])
factor -0.5 * sum(triangular_solve(L, [a, b])^2) - sum(log(L[k, k]) for k in 2)`,
		"entries laid out anew": `
dim N, P, Q
data x[N] : real[P, Q]
data y[N] : real
param w[P * Q] : real ~ normal(0, 1)
let W = reshape(w, Q, P)
let v = flatten(transpose(W))
for n in N { y[n] ~ normal(flatten(x[n]) @ v + flatten(x[n]) @ w, 1) }`,
		"rows laid out anew": `
dim N, P
data y[N] : real
param w[2 * P] : real ~ normal(0, 1)
for n in N { y[n] ~ normal(sum(reshape(w * (y[n] + 1), P, 2)[p, 1] for p in P), 1) }`,
	} {
		tricky[name] = text
	}
}

func bound(dims map[string]int, values map[string]*data.Value) *data.Bound {
	for _, v := range values {
		v.Canonical = true
	}
	return &data.Bound{Dims: dims, Values: values}
}

// The log likelihood of a Gaussian process at a point, worked out in the
// spectrum: of two points, C has the eigenvalues a ± c.
func TestGaussianProcessDensity(t *testing.T) {
	const model = `
dim N
data x[N], y[N] : real
param rho, alpha, sigma : positive
let C = [alpha^2 * exp(-0.5 * ((x[i] - x[j]) / rho)^2) for i in N, j in N] + sigma^2 * identity(N)
y ~ multi_normal_cholesky(zeros(N), cholesky(C))
`
	c, diags := driver.Compile(source.New("gp.sg", model), driver.Options{})
	if c == nil {
		t.Fatal(diags[0].Message)
	}
	y := []float64{0.3, -1.2}
	m, err := c.VM(bound(map[string]int{"N": 2}, map[string]*data.Value{
		"x": data.Dense([]float64{1, 1.5}, 2), "y": data.Dense(y, 2)}), nil)
	if err != nil {
		t.Fatal(err)
	}
	rho, alpha, sigma := 0.8, 1.1, 0.4
	a, b := alpha*alpha+sigma*sigma, alpha*alpha*math.Exp(-0.5*0.25/(rho*rho))
	plus, minus := (y[0]+y[1])/math.Sqrt2, (y[0]-y[1])/math.Sqrt2
	want := -0.5*(plus*plus/(a+b)+minus*minus/(a-b)) - 0.5*math.Log((a+b)*(a-b)) -
		math.Log(2*math.Pi)
	x := []float64{math.Log(rho), math.Log(alpha), math.Log(sigma)}
	if got := m.Evaluator(0).LogDensity(x, nil, 1, 0); math.Abs(got-want) > 1e-13 {
		t.Errorf("log density %v, want %v", got, want)
	}
	// Where the matrix has no factor the density is NaN, and so is its gradient.
	x[2] = math.Inf(1)
	g := make([]float64, 3)
	m.Evaluator(0).Gradient(x, nil, 1, 0, g)
	if got := m.Evaluator(0).LogDensity(x, nil, 1, 0); !math.IsNaN(got) || !math.IsNaN(g[0]) {
		t.Errorf("without factor: log density %v, gradient %v", got, g)
	}
}

// Sizes that only the data can show to be unequal are compared with it.
func TestReshapeSizes(t *testing.T) {
	c, diags := driver.Compile(source.New("shape.sg", `
dim N, A, B
data x[N] : real
data a[A], b[B] : real
param m : real ~ normal(0, 1)
let M = reshape(x, A, B)
factor -sum((M[i, j] - m * a[i] * b[j])^2 for i in A, j in B)
`), driver.Options{})
	if c == nil {
		t.Fatal(diags[0].Message)
	}
	for n, want := range map[int]string{6: "",
		7: "shape.sg:6: reshape(x, A, B) has -A*B + N = 1 entries more", 5: "-1 entries"} {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(i)
		}
		m, err := c.VM(bound(map[string]int{"N": n, "A": 2, "B": 3}, map[string]*data.Value{
			"x": data.Dense(x, n), "a": data.Dense([]float64{1, 10}, 2),
			"b": data.Dense([]float64{1, 2, 3}, 3)}), nil)
		switch {
		case want == "" && err != nil:
			t.Error(err)
		case want != "":
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%d entries: %v, want %q", n, err, want)
			}
		default:
			sum := 0.0
			for i, u := range []float64{1, 10} {
				for j, v := range []float64{1, 2, 3} {
					d := x[3*i+j] - 0.5*u*v
					sum -= d * d
				}
			}
			prior := -0.125 - 0.5*math.Log(2*math.Pi)
			if got := m.Evaluator(0).LogDensity([]float64{0.5}, nil, 1,
				1); math.Abs(got-sum-prior) > 1e-12*math.Abs(sum) {
				t.Errorf("log density %v, want %v", got, sum+prior)
			}
		}
	}
}

// Rows that share a covariance are whitened by one factor, made once a call
// whatever their number.
func TestOneFactorForAllRows(t *testing.T) {
	for _, law := range []string{"multi_normal(mu, C)", "multi_normal_prec(mu, C)",
		"multi_student_t(4, mu, C)",
		"mixture(0.5, multi_normal(mu, C), multi_student_t(3, mu, C))"} {
		c, diags := driver.Compile(source.New("rows.sg", `
dim N, K
data y[N] : real[K]
param mu[K], s[K] : real ~ normal(0, 1)
let C = outer(s, s) + identity(K)
for n in N { y[n] ~ `+law+` }
`), driver.Options{})
		if c == nil {
			t.Fatal(diags[0].Message)
		}
		for _, name := range []fn.Kind{fn.Density, fn.Gradient, fn.Evaluate, fn.Loglik} {
			text := c.Program(name.ID()).String()
			prepare, rest, ok := strings.Cut(text, "\nrows\n")
			if n := strings.Count(prepare, "cholesky "); !ok || n != 1 ||
				strings.Contains(rest, "cholesky ") {
				t.Errorf("%s, %s: %d factors before the rows, and the plan\n%s", law, name, n, text)
			}
		}
	}
}
