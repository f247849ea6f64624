data {
  int<lower=1> T;
  array[T] int<lower=1, upper=3> w;
}
parameters {
  array[2] simplex[2] A;
  array[2] simplex[3] B;
}
model {
  {
    vector[2] lp;
    vector[2] lp_new;
    for (k in 1:2)
      lp[k] = log(0.5) + log(B[k, w[1]]);
    for (t in 2:T) {
      for (k in 1:2) {
        vector[2] acc;
        for (j in 1:2)
          acc[j] = lp[j] + log(A[j, k]) + log(B[k, w[t]]);
        lp_new[k] = log_sum_exp(acc);
      }
      lp = lp_new;
    }
    target += log_sum_exp(lp);
  }
}
