data {
  int<lower=2> K;
  int<lower=1> I;
  int<lower=1> J;
  array[I, J] int<lower=1, upper=K> y;
}
parameters {
  simplex[K] pi;
  array[J, K] simplex[K] beta;
}
transformed parameters {
  array[I] vector[K] log_q_z;
  for (i in 1:I) {
    log_q_z[i] = log(pi);
    for (j in 1:J)
      for (k in 1:K)
        log_q_z[i, k] = log_q_z[i, k] + log(beta[j, k, y[i, j]]);
  }
}
model {
  pi ~ dirichlet(rep_vector(3, K));
  for (j in 1:J)
    for (k in 1:K)
      beta[j, k] ~ dirichlet(rep_vector(1.5, K));
  for (i in 1:I)
    target += log_sum_exp(log_q_z[i]);
}
