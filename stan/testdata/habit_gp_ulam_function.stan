functions {
  matrix cov_GPL2(matrix x, real sq_alpha, real sq_rho, real delta) {
    int N = dims(x)[1];
    matrix[N, N] K;
    for (i in 1:(N - 1)) {
      K[i, i] = sq_alpha + delta;
      for (j in (i + 1):N) {
        K[i, j] = sq_alpha * exp(-sq_rho * square(x[i, j]));
        K[j, i] = K[i, j];
      }
    }
    K[N, N] = sq_alpha + delta;
    return K;
  }
}
data {
  matrix[4, 4] Dmat;
  array[4] int<lower=0> y;
}
// data: {"Dmat": [[0, 1, 2, 1], [1, 0, 1.5, 2], [2, 1.5, 0, 1], [1, 2, 1, 0]]}
parameters {
  vector[4] z;
  real<lower=0> etasq;
  real<lower=0> rhosq;
  real a;
}
model {
  matrix[4, 4] L = cholesky_decompose(cov_GPL2(Dmat, etasq, rhosq, 0.01));
  vector[4] k = L * z;
  vector[4] lambda;
  z ~ normal(0, 1);
  etasq ~ exponential(2);
  rhosq ~ exponential(0.5);
  a ~ exponential(1);
  for (i in 1:4)
    lambda[i] = a * exp(k[i]);
  y ~ poisson(lambda);
}
