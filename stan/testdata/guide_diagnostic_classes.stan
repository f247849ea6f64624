data { int I; int J; array[J, I] int<lower=0, upper=1> y; array[4, 2] int<lower=0, upper=1> prof; array[I] int<lower=1, upper=2> q; }
// data: {"prof": [[0, 0], [1, 0], [0, 1], [1, 1]]}
parameters { simplex[4] nu; vector<lower=0, upper=1>[I] slip; vector<lower=0, upper=1>[I] guess; }
model {
  slip ~ beta(5, 25); guess ~ beta(5, 25);
  for (j in 1:J) {
    vector[4] ps;
    for (c in 1:4) {
      real lp = log(nu[c]);
      for (i in 1:I) {
        real pr = prof[c, q[i]] == 1 ? 1 - slip[i] : guess[i];
        lp += y[j, i] * log(pr) + (1 - y[j, i]) * log1m(pr);
      }
      ps[c] = lp;
    }
    target += log_sum_exp(ps);
  }
}
