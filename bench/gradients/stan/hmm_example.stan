// A hidden Markov chain of K states seen through normal noise, by the forward recursion.
data {
  int<lower=1> N;
  int<lower=1> K;
  real y[N];
}
parameters {
  simplex[K] theta1;
  simplex[K] theta2;
  positive_ordered[K] mu;
}
transformed parameters {
  simplex[K] theta[K];
  theta[1] = theta1;
  theta[2] = theta2;
}
model {
  real acc[K];
  real gamma[N, K];
  mu[1] ~ normal(3, 1);
  mu[2] ~ normal(10, 1);
  for (k in 1:K) gamma[1, k] = normal_lpdf(y[1] | mu[k], 1);
  for (t in 2:N) {
    for (k in 1:K) {
      for (j in 1:K)
        acc[j] = gamma[t - 1, j] + log(theta[j, k]) + normal_lpdf(y[t] | mu[k], 1);
      gamma[t, k] = log_sum_exp(acc);
    }
  }
  target += log_sum_exp(gamma[N]);
}
