data {
  int<lower=1> N;
  array[N] int<lower=0, upper=1> y;
  vector[N] x;
}
parameters {
  real b;
  vector<lower=0, upper=1>[N] u;
}
model {
  for (n in 1:N) {
    real bound = Phi(-(b * x[n]));
    if (y[n] == 1) {
      target += log(1 - bound) + normal_lpdf(b + inv_Phi(bound + (1 - bound) * u[n]) | 0, 1);
    } else {
      target += log(bound) + normal_lpdf(b + inv_Phi(bound * u[n]) | 0, 1);
    }
  }
  b ~ normal(0, 1);
}
