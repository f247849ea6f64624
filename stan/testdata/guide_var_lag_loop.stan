data { int T; int M; int P; array[T] vector[M] Y; }
// data: {"T": 6, "P": 2, "M": 2}
parameters { array[P] matrix[M, M] A; vector[M] c; real<lower=0> s; }
model {
  for (p in 1:P) to_vector(A[p]) ~ normal(0, 0.5);
  for (t in (P + 1):T) {
    vector[M] mu = c;
    for (p in 1:P) mu += A[p] * Y[t - p];
    Y[t] ~ normal(mu, s);
  }
}
