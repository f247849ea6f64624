// bound: E0808
// data: {"N": 3, "y": [0.3, 1.2, -0.4]}
// A return from two loops, whose turns literal numbers give: unknowns decide which is the first.
functions {
  real look(matrix m, real c) {
    for (i in 1:rows(m)) {
      real acc = 0;
      for (j in 1:cols(m)) {
        if (m[i, j] > c) return m[i, j] * i + acc;
        acc += m[i, j];
      }
      if (acc < -1.2) return acc;
    }
    return 0.5 * c;
  }
}
data { int N; vector[N] y; }
parameters { matrix[2, 3] m; real c; real<lower=0> s; }
model { y ~ normal(look(m, c), s); to_vector(m) ~ std_normal(); c ~ std_normal(); s ~ exponential(1); }
