data { int N; int M; vector<lower=0>[N] t; array[N] int<lower=0, upper=1> d; vector[M + 1] cuts; }
// data: {"N": 4, "M": 3, "cuts": [0, 0.5, 1.0, 9]}
parameters { vector<lower=0>[M] h; }
model {
  h ~ gamma(1, 1);
  for (n in 1:N)
    for (m in 1:M)
      if (t[n] > cuts[m]) {
        target += -h[m] * (fmin(t[n], cuts[m + 1]) - cuts[m]);
        if (d[n] == 1 && t[n] <= cuts[m + 1]) target += log(h[m]);
      }
}
