// bound: E0811
// data: {"N": 5, "g": [2, 1, 2, 4, 1], "y": [0.1, 0.4, 0.2, 0.5, 0.7]}
// Rows are sorted by their group, and groups are counted.
data { int N; array[N] int g; vector[N] y; }
transformed data {
  int K = max(g);
  array[K] int count = rep_array(0, K);
  array[N] int order;
  for (n in 1:N) count[g[n]] += 1;
  {
    array[K] int at = rep_array(0, K);
    int start = 0;
    for (k in 1:K) { at[k] = start; start += count[k]; }
    for (n in 1:N) { at[g[n]] += 1; order[at[g[n]]] = n; }
  }
}
parameters { vector[K] mu; real<lower=0> s; }
model {
  int pos = 1;
  for (k in 1:K) {
    if (count[k] > 0) y[order[pos:(pos + count[k] - 1)]] ~ normal(mu[k], s);
    pos += count[k];
  }
  mu ~ normal(0, 1); s ~ exponential(1);
}
