data {
  int<lower=2> K;
}
parameters {
  positive_ordered[K] x;
  array[2] ordered[K] y;
  array[2] simplex[K] s;
}
model {
  x ~ exponential(1);
  for (i in 1:2) {
    y[i] ~ normal(0, i);
    target += sum(log(s[i])) * 0.5;
  }
}
