data { int N; int I; int J; array[N] int<lower=1, upper=I> i; array[N] int<lower=1, upper=J> j; array[N] int<lower=0, upper=1> y; }
parameters { vector<lower=0, upper=1>[I] c; vector[I] b; vector<lower=0>[I] a; vector[J] th; }
model {
  vector[N] p;
  for (n in 1:N) p[n] = c[i[n]] + (1 - c[i[n]]) * inv_logit(a[i[n]] * (th[j[n]] - b[i[n]]));
  c ~ beta(5, 23); b ~ normal(0, 2); a ~ lognormal(0, 0.5); th ~ normal(0, 1);
  y ~ bernoulli(p);
}
