package check_test

import (
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/check"
)

// wantBatchable compares a model with a list such as "N -P:w": N can be
// minibatched, P cannot, and the reason has a w in it.
func wantBatchable(t *testing.T, name, want string, m *check.Model) {
	t.Helper()
	have := map[string]string{}
	for _, a := range m.Batchable {
		have[a.Name] = ""
	}
	for _, u := range m.Unbatchable {
		have["-"+u.Axis] = u.Reason
		if u.Reason == "" || u.Span.End <= u.Span.Start {
			t.Errorf("%s: %s has no reason or place: %+v", name, u.Axis, u)
		}
	}
	for _, w := range strings.Fields(want) {
		axis, word, _ := strings.Cut(w, ":")
		reason, ok := have[axis]
		if !ok || !strings.Contains(reason, word) {
			t.Errorf("%s: want %s, have %v", name, w, have)
		}
		delete(have, axis)
	}
	for axis, reason := range have {
		t.Errorf("%s: unexpected %s %s", name, axis, reason)
	}
}

func TestBatchableSmall(t *testing.T) {
	const head = "dim N, P\ndata x[N, P], y[N], r[N], k : real\nparam w[P], b, s : real\n"
	for _, p := range []struct{ text, want string }{
		{"factor sum(r * b)", "N -P:w"},
		{"factor 2 * sum((y - b)^2) / 3 + b", "N -P:w"},
		{"factor -0.5 * sum((y[n] - x[n] @ w)^2 for n in N)", "N -P:w"},
		{"factor (y - x @ w) @ (y - x @ w)", "N -P:w"},
		{"factor exp(sum(r * b))", "-N:exp -P:w"},
		{"factor sum(r * b)^2", "-N:^ -P:w"},
		{"factor sum(r * b) * sum(y * b)", "-N:sum -P:w"},
		{"factor log_sum_exp(r * b)", "-N:log_sum_exp -P:w"},
		{"factor max(r * b)", "-N:max -P:w"},
		{"factor mean(r * b)", "N -P:w"},
		{"let e = x @ w\nfor n in N { y[n] ~ normal(e[n], 1) }", "N -P:w"},
		{"let e = x @ w\nfor n in 1:N { y[n] ~ normal(e[n - 1], 1) }", "-N:another -P:w"},
		{"for n in 1:N { y[n] ~ normal(b * y[n - 1], 1) }", "N -P:w"},
		{"let e = x @ w\ny ~ normal(e - mean(e), 1)", "-N:sum -P:w"},
		{"y ~ normal(x @ w - mean(y), 1)", "N -P:w"},
		{"let z = (y - mean(y)) / sd(y)\nz ~ normal(x @ w, 1)", "N -P:w"},
		{"y ~ normal(sum(r * b), 1)", "-N:sum -P:w"},
		{"y[1:] ~ normal(b * y[:N - 1], 1)", "-N:entries -P:w"},
		{"for n in N { factor b * r[n] }", "N -P:w"},
		{"for n in N { factor b * sum(r) }", "N -P:w"},
		{"for n in N { factor sum(r * b) }", "-N:sum -P:w"},
		{"fn f(a : real[P], c : real) -> real { a @ w + c }\n" +
			"for n in N { y[n] ~ normal(f(x[n], b), 1) }", "N -P:w"},
		{"fn f(a : real[Q]) -> real[Q] { a - mean(a) }\ny ~ normal(f(x @ w), 1)", "-N:sum -P:w"},
		{"fn g(a : real[Q]) -> real { sum(a^2) }\nfactor g(y - b)", "N -P:w"},
		{"factor sum((r[i] - r[j]) * b for i in N, j in N)", "-N:row -P:w"},
		{"y ~ multi_normal_cholesky(b + zeros(N), identity(N))", "-N:multi_normal -P:w"},
		{"factor b", "-N:no -P:w"},
		{"for n in N { local z : real ~ normal(b, 1)\n y[n] ~ normal(z, 1) }", "N -P:w"},
		{"for n in N { local z[P] : real ~ normal(b, 1)\n y[n] ~ normal(z @ w, 1) }", "N -P:w"},
		{"b ~ normal(mean(y), 1)\ny ~ normal(b, 1)", "N -P:w"},
		{"let q = [softmax(x[n] * w) for n in N]\ny ~ normal(q[:, 0], 1)", "N -P:w"},
		{"let c = if b > 0 then sum(r * b) else sum(y * b)\nfactor c", "N -P:w"},
		{"data q[N] : real?\nq ~ normal(b, 1)\ny ~ normal(q, 1)", "N -P:w"},
		{"data q[N] : real?\nq ~ normal(b, 1)\ny ~ normal(sum(q), 1)", "-N:sum -P:w"},
		{"data q[N] : real?\nq[0] ~ normal(b, 1)\nfor t in 1:N { q[t] ~ normal(q[t - 1], 1) }",
			"-N:another -P:w"},
		{"let h = scan t in 3 from h = b { h * 2 }\ny ~ normal(h[3], 1)", "N -P:w"},
		{"for n in N { let h = scan t in 3 from h = y[n] * b { h * 2 }\n r[n] ~ normal(h[3], 1) }",
			"N -P:w"},
		{"param u : real ~ normal(0, 1) by collapse\ny ~ normal(u + b, 1)", "-N:integrated -P:w"},
		{"param u[3] : real ~ normal(0, 1) by collapse\ndata g[N] : index[3]\n" +
			"for n in N { let m = x[n] @ w + 2 * u[g[n]]\n y[n] ~ normal(m, 1) }",
			"-N:integrated -P:w"},
		{"param u : real ~ normal(0, 1) by collapse\nparam v[3] : real ~ normal(u, 1)\n" +
			"y ~ normal(v[0], 1)", "N -P:w"},
		{"for n in N { local z : real ~ normal(b, 1) by collapse\n y[n] ~ normal(z + s, 1) }",
			"N -P:w"},
	} {
		m, diags := checkText("small", head+p.text)
		if diags.Errors() {
			t.Errorf("%s is refused:\n%s", p.text, show(diags))
			continue
		}
		wantBatchable(t, p.text, p.want, m)
	}
}
