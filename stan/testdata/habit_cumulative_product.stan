data {
  int<lower=2> T;
  vector[T] y;
}
parameters {
  real<lower=0, upper=1> r;
  real<lower=0> s;
}
model {
  vector[T] w;
  real acc = 1;
  for (t in 1:T) {
    w[t] = acc;
    acc = acc * r;
  }
  y ~ normal(w / sum(w), s);
  s ~ exponential(1);
}
