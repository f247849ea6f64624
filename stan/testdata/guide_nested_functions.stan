functions {
  real base(real t, real a) { return exp(-a * t); }
  vector curve(vector t, real a, real b) { vector[num_elements(t)] out; for (i in 1:num_elements(t)) out[i] = b * base(t[i], a); return out; }
  real wsum_lpdf(vector y, vector m, vector w) { real s = 0; for (i in 1:size(y)) s += w[i] * normal_lpdf(y[i] | m[i], 1); return s; }
}
data { int N; vector<lower=0>[N] t; vector[N] y; vector<lower=0>[N] w; }
parameters { real<lower=0> a; real b; }
model { y ~ wsum(curve(t, a, b), w); a ~ exponential(1); b ~ normal(0, 1); }
