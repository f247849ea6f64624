// refused: E0812
functions {
  real fact(real n) {
    return n < 1 ? 1 : n * fact(n - 1);
  }
}
parameters {
  real<lower=0> a;
}
model {
  target += -fact(a);
}
