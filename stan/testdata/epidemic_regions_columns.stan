// data: {"C": 3, "T": 6, "cases": [[2, 6, 8, 4, 6, 5], [6, 3, 2, 1, 2, 2], [3, 3, 0, 7, 9, 2]], "N": [605.099, 501.637, 667.579], "mob": [[0.142, 0.192, 0.288], [0.223, 0.179, 0.204], [0.219, 0.063, 0.275]]}
// An epidemic in regions, a column of each matrix a day.
data { int C; int T; array[C, T] int<lower=0> cases; vector[C] N; matrix[C, C] mob; }
parameters { real<lower=0> beta; real<lower=0, upper=1> gamma; vector<lower=0>[C] i0; }
transformed parameters {
  matrix[C, T] Sx; matrix[C, T] I; matrix[C, T] inc;
  for (c in 1:C) { Sx[c, 1] = N[c] - i0[c]; I[c, 1] = i0[c]; inc[c, 1] = i0[c]; }
  for (t in 2:T) {
    for (c in 1:C) {
      real force = 0;
      for (d in 1:C) force += mob[c, d] * I[d, t - 1];
      inc[c, t] = beta * Sx[c, t - 1] * force / N[c];
      Sx[c, t] = Sx[c, t - 1] - inc[c, t];
      I[c, t] = I[c, t - 1] * (1 - gamma) + inc[c, t];
    }
  }
}
model { beta ~ exponential(1); gamma ~ beta(2, 2); i0 ~ exponential(0.1);
  for (c in 1:C) for (t in 1:T) cases[c, t] ~ poisson(inc[c, t] + 0.1); }
