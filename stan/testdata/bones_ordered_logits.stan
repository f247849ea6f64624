data {
  int<lower=0> nChild;
  int<lower=0> nInd;
  array[nInd] real gamma;
  array[nInd] real delta;
  array[nChild, nInd] int<lower=-1, upper=1> grade;
}
parameters {
  array[nChild] real theta;
}
model {
  theta ~ normal(0, 36);
  for (i in 1:nChild) {
    for (j in 1:nInd) {
      if (grade[i, j] != -1) {
        real q = inv_logit(delta[j] * (theta[i] - gamma[j]));
        target += grade[i, j] * log(q) + (1 - grade[i, j]) * log1m(q);
      }
    }
  }
}
