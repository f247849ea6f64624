functions {
  real lambda(real L, int m) { return ((m * pi()) / (2 * L))^2; }
  real spd(real alpha, real rho, real w) { return alpha^2 * sqrt(2 * pi()) * rho * exp(-0.5 * rho^2 * w^2); }
  vector phi(real L, int m, vector x) { return 1 / sqrt(L) * sin(m * pi() / (2 * L) * (x + L)); }
}
data { int N; int M; vector[N] x; vector[N] y; real<lower=1> L; }
transformed data { matrix[N, M] PHI; for (m in 1:M) PHI[, m] = phi(L, m, x); }
parameters { vector[M] beta; real<lower=0> rho; real<lower=0> alpha; real<lower=0> s; }
transformed parameters {
  vector[M] dSPD;
  vector[M] w;
  for (m in 1:M) dSPD[m] = sqrt(spd(alpha, rho, sqrt(lambda(L, m))));
  w = dSPD .* beta;
}
model { beta ~ normal(0, 1); rho ~ inv_gamma(3, 1); alpha ~ normal(0, 1); s ~ normal(0, 1); y ~ normal(PHI * w, s); }
