functions {
  tuple(real, real) moments(vector v) {
    return (mean(v), sd(v));
  }
}
data {
  int<lower=2> N;
  vector[N] x;
  vector[N] y;
}
transformed data {
  tuple(real, real) m = moments(x);
  vector[N] z = (x - m.1) / m.2;
}
parameters {
  real a;
  real b;
}
model {
  y ~ normal(a + b * z, 1);
}
