// Arrays of tuples, and functions that return tuples under a condition.
functions {
  tuple(real, vector) split(vector x, real c) {
    if (x[1] > c) {
      return (x[1] - c, x * 2);
    }
    return (0.5 * c, x);
  }
}
data {
  int<lower=1> N;
  array[N] vector[3] x;
  vector[N] y;
}
parameters {
  vector[3] b;
  array[2] tuple(real, real<lower=0>) prior;
}
transformed parameters {
  array[N] tuple(real, vector[3]) parts;
  for (n in 1:N) {
    parts[n] = split(x[n], 0.1);
  }
}
model {
  array[2] tuple(real, real) levels = {(0.5, 1.0), (b[1], 2.0)};
  for (k in 1:2) {
    prior[k].1 ~ normal(0, 1);
    prior[k].2 ~ exponential(levels[k].2);
  }
  b ~ normal(levels[1].1, size(levels));
  for (n in 1:N) {
    y[n] ~ normal(prior[1].1 + parts[n].1 + dot_product(parts[n].2, b), prior[2].2);
  }
}
