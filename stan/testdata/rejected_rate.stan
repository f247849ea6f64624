// rejects: yes
data {
  int<lower=1> N;
  vector[N] x;
  array[N] int<lower=0> y;
}
// data: {"N": 3, "x": [-9, 9, 0], "y": [0, 0, 0]}
parameters {
  real a;
  real b;
}
model {
  for (n in 1:N)
    y[n] ~ poisson(a + b * x[n]);
}
