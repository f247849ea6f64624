// The entries above a diagonal, one column behind the other.
// data: {"K": 3, "NK": 3, "J": 4, "NJ": 6}
data {
  int<lower=2> K;
  int<lower=1> NK;
  int<lower=1> J;
  int<lower=1> NJ;
}
parameters {
  cholesky_factor_corr[K] L;
  vector[J] z;
}
transformed parameters {
  corr_matrix[K] R = multiply_lower_tri_self_transpose(L);
  vector<lower=-1, upper=1>[NK] r;
  vector[NJ] d;
  for (k in 1:K) {
    for (j in 1:(k - 1)) {
      r[choose(k - 1, 2) + j] = R[j, k];
    }
  }
  for (i in 1:J)
    for (j in (i + 1):J)
      d[choose(j - 1, 2) + i] = z[i] - 2 * z[j];
}
model {
  L ~ lkj_corr_cholesky(2);
  z ~ normal(0, 1);
  d ~ normal(0.5, 2);
  r ~ normal(0.1, 1);
}
