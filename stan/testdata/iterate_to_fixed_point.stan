// data: {"N": 3, "y": [0.3, 1.2, -0.4]}
// An iteration of two numbers with a limit in the condition, and two more ends in the body.
functions {
  vector iterate(vector x0, real a, int n_max, real tol) {
    vector[2] x = x0;
    int n = 0;
    while (n < n_max) {
      vector[2] nx = [0.5 * x[2] + a, 0.3 * sin(x[1])]';
      real d = max(abs(nx - x));
      n += 1;
      x = nx;
      if (d < tol) break;
      if (d > 1e6) { reject("diverged"); }
    }
    return x;
  }
}
data { int N; vector[N] y; }
parameters { real a; real<lower=0> s; }
transformed parameters { vector[2] eq = iterate(rep_vector(0, 2), a, 40, 1e-9); }
model { y ~ normal(eq[1] + eq[2], s); a ~ std_normal(); s ~ exponential(1); }
