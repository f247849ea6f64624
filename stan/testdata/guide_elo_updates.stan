data { int G; int P; array[G] int<lower=1, upper=P> w; array[G] int<lower=1, upper=P> l; }
parameters { real<lower=0> k; vector[P] r0; }
model {
  vector[P] r = r0;
  for (g in 1:G) {
    real p = inv_logit(r[w[g]] - r[l[g]]);
    target += log(p);
    r[w[g]] += k * (1 - p);
    r[l[g]] -= k * (1 - p);
  }
  r0 ~ normal(0, 1);
  k ~ exponential(1);
}
