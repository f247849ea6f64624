functions {
  real half_t_lpdf(real x, real nu, real s) {
    if (x < 0)
      return negative_infinity();
    return student_t_lpdf(x | nu, 0, s) + log(2);
  }
  vector centred(vector v) {
    return v - mean(v);
  }
  real sum_sq(vector v) {
    real total = 0;
    for (i in 1:num_elements(v))
      total += v[i]^2;
    return total;
  }
}
data {
  int<lower=1> N;
  vector[N] x;
  vector[N] y;
}
parameters {
  real a;
  real b;
  real<lower=0> s;
}
model {
  s ~ half_t(4, 2);
  target += -0.5 * sum_sq(y - a - b * centred(x)) / s^2 - N * log(s);
}
