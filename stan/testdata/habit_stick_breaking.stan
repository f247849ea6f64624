data {
  int<lower=2> K;
  int<lower=1> N;
  vector[N] y;
}
parameters {
  vector<lower=0, upper=1>[K - 1] v;
  vector[K] mu;
  real<lower=0> alpha;
}
transformed parameters {
  simplex[K] pi;
  {
    vector[K - 1] cumprod_one_minus_v = exp(cumulative_sum(log1m(v)));
    pi[1] = v[1];
    pi[2:(K - 1)] = v[2:(K - 1)] .* cumprod_one_minus_v[1:(K - 2)];
    pi[K] = cumprod_one_minus_v[K - 1];
  }
}
model {
  v ~ beta(1, alpha);
  alpha ~ gamma(2, 1);
  mu ~ normal(0, 3);
  for (n in 1:N) {
    array[K] real ps;
    for (k in 1:K)
      ps[k] = log(pi[k]) + normal_lpdf(y[n] | mu[k], 1);
    target += log_sum_exp(ps);
  }
}
