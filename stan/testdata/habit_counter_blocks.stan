// Counters walk through a vector of coefficients block by block, up and down, and under a condition.
data {
  int<lower=1> G;
  int<lower=1> P;
  array[G] int<lower=0, upper=1> has;
  vector[G] y;
}
// data: {"G": 3, "P": 2}
transformed data {
  int used = 0;
  for (g in 1:G) {
    if (has[g] == 1) used += 1;
  }
}
parameters {
  vector[2 * G * P + 1] b;
  real<lower=0> sigma;
}
model {
  int at = 0;
  int down = 2 * G * P + 1;
  int some = 0;
  vector[G] mu = rep_vector(0, G);
  array[2 * P] real lp;
  for (g in 1:G) {
    int c = 0;
    for (p in 1:P) {
      at += 2;
      mu[g] += b[at] * p + b[down];
      down -= 1;
      for (s in 1:2) {
        c += 1;
        lp[c] = b[at + 1 - s] - s * g;
      }
    }
    if (has[g] == 1) {
      some += 1;
      mu[g] += some * b[some];
    }
    target += log_sum_exp(lp);
  }
  target += 0.1 * at * b[at] - 0.2 * down * b[down] + used * b[1];
  b ~ normal(0, 1);
  sigma ~ exponential(1);
  y ~ normal(mu, sigma);
}
