data { int N; int G; array[N] int<lower=1, upper=G> g; array[N] int<lower=0, upper=1> y; }
transformed data {
  array[G] int n = rep_array(0, G);
  array[G] int k = rep_array(0, G);
  for (i in 1:N) { n[g[i]] += 1; k[g[i]] += y[i]; }
}
parameters { vector[G] a; real m; real<lower=0> t; }
model { a ~ normal(m, t); k ~ binomial_logit(n, a); t ~ exponential(1); m ~ normal(0, 1); }
