data {
  int<lower=1> S;
  int<lower=2> T;
  array[T] int<lower=1, upper=S> z;
  vector<lower=0>[S] alpha;
}
parameters {
  array[S] simplex[S] theta;
}
model {
  for (s in 1:S)
    theta[s] ~ dirichlet(alpha);
  for (t in 2:T)
    z[t] ~ categorical(theta[z[t - 1]]);
}
