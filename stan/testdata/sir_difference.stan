data {
  int<lower=1> T;
  array[T] int<lower=0> cases;
  real<lower=0> N;
}
// data: {"N": 100}
parameters {
  real<lower=0> beta;
  real<lower=0> gamma;
  real<lower=0, upper=10> I0;
}
model {
  vector[T] S;
  vector[T] I;
  real inc;
  S[1] = N - I0;
  I[1] = I0;
  for (t in 2:T) {
    inc = beta * S[t - 1] * I[t - 1] / N;
    S[t] = S[t - 1] - inc;
    I[t] = I[t - 1] + inc - gamma * I[t - 1];
  }
  beta ~ lognormal(0, 1);
  gamma ~ lognormal(-1, 1);
  for (t in 1:T)
    cases[t] ~ poisson(I[t] + 0.1);
}
