// Cormack-Jolly-Seber: probabilities of never being seen again, backwards in time.
data {
  int<lower=2> T;
  int<lower=0> I;
  array[I, T] int<lower=0, upper=1> y;
}
parameters {
  vector<lower=0, upper=1>[T - 1] phi;
  vector<lower=0, upper=1>[T] p;
}
transformed parameters {
  vector<lower=0, upper=1>[T] chi;
  chi[T] = 1.0;
  for (t in 1:(T - 1)) {
    int t_curr = T - t;
    int t_next = t_curr + 1;
    chi[t_curr] = (1 - phi[t_curr]) + phi[t_curr] * (1 - p[t_next]) * chi[t_next];
  }
}
model {
  for (i in 1:I) {
    for (t in 2:T) {
      y[i, t] ~ bernoulli(p[t] * phi[t - 1]);
    }
    target += log(chi[2]);
  }
}
