data {
  int<lower=1> N;
  vector[N] y;
}
parameters {
  tuple(real, vector<lower=0>[2]) p;
}
transformed parameters {
  tuple(real, tuple(vector[2], real)) q = (p.1 + 1, (p.2 * 2, p.1));
  tuple(real, real) r;
  r = (q.1, q.2.2);
}
model {
  p.1 ~ normal(0, 1);
  p.2 ~ exponential(1);
  y ~ normal(q.1 + r.2, sum(q.2.1));
}
