data { int<lower=0> N1; int<lower=0> N2; vector[N1] y1; vector[N2] y2; }
parameters { real mu; real delta; real<lower=0> s1; real<lower=0> s2; }
model {
  y1 ~ normal(mu, s1);
  y2 ~ normal(mu + delta, s2);
  delta ~ student_t(4, 0, 1);
  [s1, s2] ~ exponential(1);
}
