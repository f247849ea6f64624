data {
  int<lower=0> N;
  real t[N];
  int<lower=0, upper=1> d[N];
}
parameters {
  real m;
  real<lower=0> s;
}
model {
  for (n in 1:N) {
    if (d[n] == 1)
      increment_log_prob(normal_log(t[n], m, s));
    else
      increment_log_prob(normal_ccdf_log(t[n], m, s));
  }
}
