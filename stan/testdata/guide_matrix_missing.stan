data { int N; int K; int M; matrix[N, K] X; array[M, 2] int<lower=1> at; vector[N] y; }
// data: {"N": 3, "K": 2, "M": 2, "at": [[1, 2], [3, 1]]}
parameters { vector[M] fillin; vector[K] b; }
transformed parameters {
  matrix[N, K] Xf = X;
  for (m in 1:M) Xf[at[m, 1], at[m, 2]] = fillin[m];
}
model { fillin ~ normal(0, 1); b ~ normal(0, 1); y ~ normal(Xf * b, 1); }
