// Yearly counts with a cubic trend of their logarithm.
data {
  int<lower=0> n;
  int<lower=0> C[n];
  vector[n] year;
}
parameters {
  real<lower=-20, upper=20> alpha;
  real<lower=-10, upper=10> beta1;
  real<lower=-10, upper=10> beta2;
  real<lower=-10, upper=10> beta3;
}
model {
  C ~ poisson_log(alpha + beta1 * year + beta2 * square(year) + beta3 * (square(year) .* year));
}
