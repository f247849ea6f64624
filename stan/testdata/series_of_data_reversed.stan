// A recurrence of data that is read along two axes, and terms of data under a condition on a
// parameter.
data {
  int<lower=2> N;
  vector[N] y;
  array[N] real x;
  array[N] int<lower=0, upper=1> b;
}
parameters {
  real p;
  vector[N] q;
}
transformed parameters {
  vector[N] h;
  h[1] = y[1];
  for (n in 2:N) h[n] = 0.5 * h[n - 1] + y[n];
}
model {
  vector[N] u = h;
  for (n in 1:N) {
    if (b[n]) u[n] = x[n];
    if (p > 0.05) {
      y[n] ~ normal(x[n], 1.5);
      target += 0.1 * x[n];
    }
  }
  target += u[1] * q[1] - dot_self(q) - square(p);
}
