data {
  int<lower=1> N;
  int<lower=2> D;
  int<lower=1> K;
  array[N] vector[D] y;
}
// data: {"N": 3, "D": 4, "K": 2}
transformed data {
  int<lower=1> M = K * (D - K) + K * (K - 1) / 2;
  vector[D] mu = rep_vector(0.0, D);
}
parameters {
  vector[5] L_t;
  vector<lower=0>[K] L_d;
  vector<lower=0>[D] psi;
}
transformed parameters {
  matrix[D, K] L;
  {
    int idx = 0;
    for (i in 1:D)
      for (j in (i + 1):K)
        L[i, j] = 0;
    for (j in 1:K) {
      L[j, j] = L_d[j];
      for (i in (j + 1):D) {
        idx += 1;
        L[i, j] = L_t[idx];
      }
    }
  }
}
model {
  matrix[D, D] Q = L * L' + diag_matrix(psi + 0.1);
  L_d ~ normal(0, 3);
  L_t ~ normal(0, 2);
  psi ~ cauchy(0, 1);
  y ~ multi_normal(mu, Q);
}
