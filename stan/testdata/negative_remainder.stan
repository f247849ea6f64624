// data: {"N": 4, "y": [0.3, -0.2, 0.5, 0.1], "k": [1, 5, -4, 7]}
// A remainder with a minus sign before it, of numbers and of data.
data {
  int<lower=1> N;
  vector[N] y;
  array[N] int k;
}
parameters {
  real p;
}
model {
  int a = ((1 % 3) * -1);
  p ~ normal(0, 1);
  target += a * p * 0.1;
  for (n in 1:N) {
    target += -(k[n] % 3) * p * y[n];
  }
}
