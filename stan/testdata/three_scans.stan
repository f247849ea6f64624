// Three loops in each other carry one array, of which each turn reads what turns before assigned.
data { int I; int T; array[I, T] int<lower=1, upper=3> y; }
parameters { matrix<lower=0, upper=1>[3, 3] po; real<lower=0, upper=1> phi; }
model {
  array[3] real acc;
  array[3] vector[T] gamma = rep_array(rep_vector(0.3, T), 3);
  for (i in 1:I) {
    for (k in 1:3) gamma[k, 1] = po[k, y[i, 1]] + 0.01;
    for (t in 2:T) {
      for (k in 1:3) {
        for (j in 1:3) acc[j] = gamma[j, t * 1] * phi * (po[k, y[i, t]] + 0.01);
        gamma[k, t] = sum(acc);
      }
    }
    target += log(gamma[1, T] + gamma[2, T] + gamma[3, T]);
  }
}
