data { int N; array[N] vector[2] s; vector[N] y; }
parameters { real<lower=0> phi; real<lower=0> sig; real<lower=0> tau; }
model {
  matrix[N, N] H;
  for (i in 1:N) for (j in 1:N) H[i, j] = sig^2 * exp(-distance(s[i], s[j]) / phi) + (i == j ? tau^2 : 0.0);
  y ~ multi_normal(rep_vector(0, N), H);
  phi ~ gamma(2, 1); sig ~ gamma(2, 1); tau ~ gamma(2, 1);
}
