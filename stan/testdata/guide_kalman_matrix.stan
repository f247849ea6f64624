data { int T; array[T] vector[2] y; }
parameters { real<lower=0> q; real<lower=0> r; real<lower=0, upper=1> f; }
model {
  vector[2] m = rep_vector(0, 2);
  matrix[2, 2] P = identity_matrix(2);
  matrix[2, 2] F = [[f, 0.1], [0, f]];
  q ~ exponential(1); r ~ exponential(1);
  for (t in 1:T) {
    matrix[2, 2] S;
    matrix[2, 2] K;
    m = F * m;
    P = F * P * F' + diag_matrix(rep_vector(q, 2));
    S = P + diag_matrix(rep_vector(r, 2));
    y[t] ~ multi_normal(m, S);
    K = P * inverse_spd(S);
    m += K * (y[t] - m);
    P -= K * P;
  }
}
