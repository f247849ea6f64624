data {
  int<lower=1> T;
  vector[T] y;
}
parameters {
  real<lower=0> q;
  real<lower=0> r;
  real m0;
}
model {
  real m = m0;
  real P = 1;
  for (t in 1:T) {
    real S;
    real K;
    P += q;
    S = P + r;
    K = P / S;
    target += normal_lpdf(y[t] | m, sqrt(S));
    m += K * (y[t] - m);
    P *= 1 - K;
  }
  q ~ exponential(1);
  r ~ exponential(1);
}
