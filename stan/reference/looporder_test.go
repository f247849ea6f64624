package reference

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestLoopOrder: where turns of a loop assign the same entries, or add to them, the order of the
// turns decides, and the log density is that of the interpreter.
func TestLoopOrder(t *testing.T) {
	for k, loop := range []string{
		`for (n in 1:N) { z[n] = y[n] * p; for (k in 1:N) z[n] += q[k]; }`,
		`real s = 0; for (n in 1:N) { s = 0; for (k in 1:n) s += q[k]; z[n] = s; }`,
		`for (n in 1:N) { z[1] = p; z[1] += q[n]; z[2] += q[n]; }`,
		`for (n in 1:N) { if (n > 2) z[1] = p; z[1] += q[n]; }`,
		`for (n in 1:N) { for (k in 1:N) z[k] += q[n] * 0.1; z[n] = p; }`,
		`for (n in 1:N) { z[n] = p; for (k in 1:N) z[k] += q[n] * 0.1; }`,
		`for (n in 1:N) { z[1] = p; for (k in 1:N) z[1] += q[k]; z[2] += q[n]; }`,
		`real s = 0; for (n in 1:N) { s = 0; for (k in 1:n) s += q[k]; z[n] += s; } target += s;`,
		`for (n in 1:N) { z = q * p; z[n] += q[n]; z[1] -= 2; }`,
		`for (n in 1:N-1) { z[n] = y[n] * p; z[n + 1] += q[n] * 2; }`,
		`for (n in 2:N) { z[n] = y[n] * p; z[n - 1] += q[n] * 2; }`,
		`for (n in 1:N-1) { z[n] = p; z[n + 1] = q[n]; }`,
		`for (n in 2:N) { z[n] = p; z[n - 1] = q[n]; }`,
		`for (n in 1:N) { z = q * p; z[n] = 3; }`,
		`for (n in 1:N) { z[1:2] = q[2:3] * p; z[n] = 3 * p; }`,
		`for (n in 1:N) { z[n] = 3 * p; z[1:2] = q[2:3] * p; }`,
		`for (n in 2:N) { z[2:N] = y[1:N-1] * p; z -= q; }`,
		`for (n in 2:N) { z -= q * 0.1; z[2:N] = y[1:N-1] * p; }`,
		`for (n in 2:N) { q2[n] = q2[n-1] * p; z[n] = q2[n]; q2[n] += 1; }`,
		`for (n in 2:N) { real s = q2[n]; q2[n] = q2[n-1] * p + s; z[n] = s; }`,
		`for (n in 2:N-1) { q2[n] = q2[n-1] * p + sum(q2); z[n] = q2[n+1] * q2[n-1]; }`,
		`for (n in 2:N-1) { z[n] = q2[n+1] + q2[1]; q2[n] = p; for (k in 1:n) q2[n] += q2[k] * 0.1; }`,
		`for (n in 2:N) { for (k in 1:n-1) q2[n] += q2[k] * p; z[n] = sum(q2[1:n-1]); }`,
		`for (n in 2:N) { q2[n] = q2[n-1] * p; z[n] = sum(q2[1:n]); q2[n] -= 1; }`,
		`matrix[2, N] m = rep_matrix(p, 2, N); for (n in 2:N) { m[, n] = m[, n-1] * p + q[n]; ` +
			`z[n] = sum(m[, n]); m[2, n] += z[n-1]; } z[1] += sum(m);`,
		`matrix[2, N] m = rep_matrix(p, 2, N); for (n in 2:N) { for (k in 1:2) { m[k, n] = m[k, n-1] + ` +
			`m[3-k, n] * p; z[n] += m[2, n]; } } z[1] += sum(m);`,
		`matrix[N, N] m = rep_matrix(p, N, N); for (n in 2:N) for (k in 2:N) m[n, k] = m[n-1, k] + ` +
			`m[n, k-1] * q[k] + m[n-1, k-1]; z[1] += sum(m) * 0.01;`,
	} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "m.stan")
			text := "// data: {\"N\": 4}\ndata { int<lower=3> N; vector[N] y; }\n" +
				"parameters { real p; vector[N] q; }\nmodel {\n  vector[N] z = q;\n" +
				"  vector[N] q2 = q;\n  " + loop +
				"\n  target += -dot_self(z) - square(p) - dot_self(q2) - dot_self(q);\n}\n"
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			compare(t, path, false)
		})
	}
}
