// data: {"N": 3, "y": [0.3, 1.2, -0.4]}
// Tuples in tuples, taken apart by one assignment.
functions {
  tuple(real, tuple(vector, int)) f(vector v, int k) {
    return (sum(v), (v * k, k + 1));
  }
}
data { int N; vector[N] y; }
parameters { vector[N] b; }
model {
  tuple(real, tuple(vector[N], int)) t = f(b, 2);
  real a = t.1;
  vector[N] w;
  int q;
  (a, (w, q)) = f(b, 3);
  target += -0.1 * a^2;
  y ~ normal(t.2.1 + w * q * 0.1, 1 + t.2.2);
  b ~ std_normal();
}
