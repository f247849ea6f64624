package reference

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/stan"
	"github.com/sgppl/sgppl/stan/translate"
)

// loopsUnder are loops that carry an array in places where something decides whether they turn, or
// how often: conditions on data, on unknowns and on loops around, and jumps.
var loopsUnder = []string{
	`if (flag == 1) { for (n in 2:N) v[n] = v[n - 1] + p; }`,
	`if (flag == 1) { for (n in 2:N) v[n] = v[n - 1] + p; } ` +
		`else { for (n in 2:N) v[n] = v[n - 1] - p; }`,
	`if (p > 0.2) { for (n in 2:N) v[n] = v[n - 1] + p; }`,
	`if (p > 0.2) { for (n in 3:N) v[n] = v[n - 1] * p + v[n - 2]; } else v[2] = p;`,
	`if (flag == 1) { for (n in 1:N) v[n] = v[1] + p; }`,
	`if (y[2] > 0) { for (n in 1:N) v[n] = v[N] + p; }`,
	`if (flag == 1) { for (n in 1:N) v[N - n + 1] = v[n] + p; }`,
	`if (flag == 1) { for (n in 1:(N - 1)) v[N - n] = v[N - n + 1] * p; }`,
	`if (flag == 1) for (n in 2:N) v[n] += v[n - 1];`,
	`if (flag == 0) { } else { v[1] = p; for (n in 2:N) v[n] = v[n - 1] * 2; }`,
	`for (m in 1:2) { if (flag == 1) { for (n in 2:N) v[n] = v[n - 1] + p; } }`,
	`for (m in 1:3) { if (y[m] > 0) { for (n in 2:N) v[n] = v[n - 1] + q[m]; } }`,
	`for (m in 1:3) { if (q[m] > 0) { for (n in 2:N) v[n] = v[n - 1] + q[m]; } else v[m] = p; }`,
	`for (m in 1:3) { if (y[m] > 0) { for (n in m:N) v[n] = v[n] + p; } }`,
	`for (m in 2:3) if (y[m] > 0) for (n in m:N) v[n] = v[n - 1] + p;`,
	`for (m in 1:3) if (m > 1) for (n in m:N) v[n] = v[n - 1] + q[m - 1];`,
	`for (m in 1:3) if (y[m] > 0) for (n in 1:N) v[n] = p - v[1];`,
	`for (m in 1:N) { if (y[m] < 0) continue; for (n in 2:N) v[n] = v[n - 1] + p; }`,
	`for (m in 1:N) { if (y[m] < 0) break; for (n in 2:N) v[n] = v[n - 1] + p; }`,
	`for (n in 2:N) { if (y[n] < 0) continue; v[n] = v[n - 1] + p; }`,
	`for (n in 2:N) { if (y[n] < 0) break; v[n] = v[n - 1] + p; }`,
	`if (flag == 1) { for (n in 2:N) { if (y[n] < 0) continue; v[n] = v[n - 1] + p; z[n] = v[n]; } }`,
	`if (flag == 1) { if (p > 0) { for (n in 2:N) { v[n] = v[n - 1] + p; z[n] = sum(v) * 0.1; } } }`,
	`if (flag == 1) { for (n in 2:N) { z[n] = v[n]; v[n] = v[n - 1] + p; z[n - 1] += v[n]; } }`,
	`if (flag == 1) { for (n in 2:N) { target += v[n - 1]; v[n] = v[n - 1] + p; ` +
		`target += v[n] * q[n]; } }`,
	`if (flag == 1) for (n in 1:N) if (n < N) v[N - n] = v[N - n + 1] * 0.5 + p;`,
	`for (n in 2:N) { if (n < N) v[N - n] = v[N - n + 1] * 0.5 + sum(v) * p; z[n] = v[n]; }`,
	`for (n in 2:N) { if (flag == 1) { if (n < N) v[N - n] = v[N - n + 1] + sum(v) * p; } }`,
	`real s = 0; if (p > 0.2) { s += 1; for (n in 2:N) { s += q[n]; if (y[n] < 0) break; } } ` +
		`v[1] += s;`,
	`v = walk(v, flag, p);`,
	`for (n in 1:3) v = walk(v, y[n] > 0, p);`,
	`if (flag == 1) for (n in 2:N) for (k in 2:N) A[n, k] = A[n - 1, k] + A[n, k - 1];`,
	`for (n in 2:N) if (y[n] > 0) for (k in 2:N) A[n, k] = A[n - 1, k] + A[n, k - 1] * p;`,
	`for (n in 2:N) if (y[n] > 0) A[n] = A[n - 1] * p; else for (k in 2:N) A[n, k] = A[n, k - 1] + p;`,
	`for (n in 1:N) if (y[n] > 0) for (k in 2:N) A[n, k] = A[n, k - 1] + p;`,
	`for (n in 1:N) if (q[n] > 0) for (k in 2:N) A[k, n] = A[k - 1, n] + p;`,
	`if (flag == 1) for (k in 2:N) A[2, k] = A[2, k - 1] + p;`,
	`int m = 1; while (m <= 3) { if (y[m] > 0) for (n in 2:N) v[n] = v[n - 1] + p; m += 1; }`,
	`if (flag == 1) { real s = 0; for (n in 2:N) { s += v[n - 1]; v[n] = v[n - 1] + s * p; } ` +
		`v[1] = s; }`,

	`for (i in 1:2) for (j in 1:3) v[i] = sum(v);`,
	`for (i in 1:N) { v[2] += 1; for (j in i:N) v[j] = 1; }`,
	`for (i in 1:N) { v[2] += 1; for (j in (i + 1):N) v[j] = 7 * p; }`,
	`for (i in 1:N) { v[2] += q[i]; for (j in 1:g[i]) v[j] = p; }`,
	`for (i in 1:N) { for (j in 1:g[i]) v[j] = p; for (j in g[i]:N) v[j] = q[i]; }`,
	`for (i in 1:(N - 1)) for (j in 1:2) { z[2:N] = v[1:(N - 1)]; v[i] = 5; }`,
	`for (i in 1:(N - 1)) { z[2:N] = v[1:(N - 1)]; v[i] = 5; }`,
	`for (i in 1:(N - 1)) for (j in 1:2) { z[j] = sum(v); v[i] = v[i] * 0.5 + p; }`,
	`for (i in 2:N) { for (j in 1:N) { v[i] = v[i - 1] + j * p; z[j] += v[i]; } }`,
	`for (i in 2:N) { for (j in 1:3) { v[i] = v[i - 1] + v[i] * j; z[j] += v[i]; } }`,
	`for (i in 1:2) { for (j in 1:2) { v[i + j - 1] = y[i]; if (y[j] > 0) v[i + j - 1] = q[j]; } }`,
	`for (i in 1:2) { for (j in 1:2) { v[i + j - 1] = y[i]; if (q[j] > 0) v[i + j - 1] += q[j]; } }`,
	`for (i in 1:N) for (j in 2:N) A[j, i] = A[j - 1, i] + 0.1 * sum(A[, i % N + 1]);`,
	`for (i in 1:N) for (j in 2:N) A[j, i] = A[j - 1, i] + 0.1 * sum(A[, (i * j) % N + 1]);`,
	`for (i in 1:N) for (j in 2:N) A[i, j] = A[i, j - 1] + 0.1 * sum(A[(i * j) % N + 1]);`,
	`for (i in 1:N) for (j in 1:N) A[i, j] = q[j] + 0.1 * sum(A[, (i * j) % N + 1]);`,
	`for (i in 1:N) for (j in 2:N) { A[i, j] = A[i, j - 1] * p; z[j] += sum(A[g[j]]); }`,
	`for (i in 1:N) for (j in 2:N) { z[j] += sum(A[g[j]]); A[i, j] = A[i, j - 1] * p; }`,
	`for (n in 2:N) { for (m in 1:2) for (k in 2:N) { A[n, k] = A[n - 1, k] + p * m; ` +
		`z[k] += A[n, k - 1] * m; } }`,
	`for (n in 2:N) { for (m in 1:2) for (k in 2:N) { A[n, k] = A[n - 1, k] + A[n, k] * m; ` +
		`z[k] += A[n, k]; } }`,
}

// TestLoopUnder: the log density of a loop that carries an array, under a condition or in another
// loop, is that of the interpreter: without the data, and with them in loops and turn by turn.
func TestLoopUnder(t *testing.T) {
	for k, loop := range loopsUnder {
		for flag := range 2 {
			if flag == 0 && !strings.Contains(loop, "flag") {
				continue
			}
			t.Run(fmt.Sprint(k, flag), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "m.stan")
				if err := os.WriteFile(path, []byte(loopProgram(loop, flag)), 0o644); err != nil {
					t.Fatal(err)
				}
				compare(t, path, false)
				for _, form := range []translate.Unrolled{{}, {All: true}} {
					compareAs(t, path, false, func(src *source.File, path string) (*source.File, diag.List) {
						r, diags := stan.ImportBound(src, stan.ReadData([]string{path}, nil), form, nil)
						if r == nil {
							return nil, diags
						}
						return source.New(src.Name, r.Text), diags
					})
				}
			})
		}
	}
}

func loopProgram(loop string, flag int) string {
	return fmt.Sprintf(`// data: {"N": 4, "flag": %d, "y": [0.4, -0.3, 0.7, -0.2], "g": [2, 4, 1, 3]}
functions {
  vector walk(vector u, int on, real p) {
    vector[num_elements(u)] w = u;
    if (on) { for (n in 2:num_elements(u)) w[n] = w[n - 1] + p; }
    return w;
  }
}
data {
  int<lower=3> N;
  int<lower=0, upper=1> flag;
  vector[N] y;
  array[N] int<lower=1, upper=N> g;
}
parameters { real p; vector[N] q; }
model {
  vector[N] v = q;
  vector[N] z = q;
  matrix[N, N] A = rep_matrix(p, N, N) + diag_matrix(q);
  %s
  target += -dot_self(v - 0.1) - square(p) - dot_self(z) - dot_self(q) - 0.01 * sum(A .* A);
  target += 0.01 * dot_product(A[2], v);
}
`, flag, loop)
}
