data {
  int<lower=1> N;
  array[N] int<lower=0, upper=40> trials;
  array[N] int<lower=0> wins;
}
// data: {"N": 3, "trials": [30, 20, 40], "wins": [3, 10, 12]}
parameters {
  real<lower=0, upper=1> phi;
  real<lower=1> kappa;
  vector<lower=0, upper=1>[N] theta;
}
model {
  kappa ~ pareto(1, 1.5);
  theta ~ beta(phi * kappa, (1 - phi) * kappa);
  wins ~ binomial(trials, theta);
}
generated quantities {
  real<lower=0> av = mean(theta);
  int<lower=0, upper=1> some = theta[1] > 0.35;
  array[N] int rnk;
  for (n in 1:N) {
    rnk[n] = 1;
    for (m in 1:N)
      if (theta[m] > theta[n])
        rnk[n] += 1;
  }
}
