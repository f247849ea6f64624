// Shards of map_rect, each with the number of its rows among its whole numbers.
functions {
  vector part(vector phi, vector theta, data array[] real x_r, data array[] int x_i) {
    int n = x_i[1];
    array[n] int y = x_i[2:(n + 1)];
    vector[n] x = to_vector(x_r[1:n]);
    return [normal_lpdf(theta[1] | phi[1], 1) + bernoulli_logit_lpmf(y | theta[1] + phi[2] * x)]';
  }
}
data {
  int<lower=1> S;
  int<lower=2> M;
  array[S, M] real x;
  array[S, M] int<lower=0, upper=1> y;
}
// data: {"S": 3, "M": 4}
// bound: E0811
transformed data {
  array[S, M + 1] int x_i;
  for (s in 1:S) {
    int n = s == 1 ? M : M - 1;
    x_i[s, 1] = n;
    for (m in 1:M) x_i[s, m + 1] = y[s, m];
  }
}
parameters {
  real mu;
  real b;
  array[S] vector[1] a;
}
model {
  vector[2] phi = [mu, b]';
  mu ~ normal(0, 1);
  b ~ normal(0, 1);
  target += sum(map_rect(part, phi, a, x, x_i));
}
