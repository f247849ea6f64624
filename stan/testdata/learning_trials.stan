// Reinforcement learning: values of two options are updated by the rewards of trials.
data {
  int<lower=1> S;
  int<lower=1> T;
  array[S] int<lower=1, upper=T> Tsubj;
  array[S, T] int<lower=1, upper=2> choice;
  array[S, T] real outcome;
}
parameters {
  vector[S] A_pr;
  vector[S] tau_pr;
  real mu_A;
  real mu_tau;
  vector<lower=0>[2] sigma;
}
transformed parameters {
  vector<lower=0, upper=1>[S] A;
  vector<lower=0, upper=5>[S] tau;
  for (i in 1:S) {
    A[i] = Phi_approx(mu_A + sigma[1] * A_pr[i]);
    tau[i] = Phi_approx(mu_tau + sigma[2] * tau_pr[i]) * 5;
  }
}
model {
  mu_A ~ normal(0, 1);
  mu_tau ~ normal(0, 1);
  sigma ~ normal(0, 0.2);
  A_pr ~ normal(0, 1);
  tau_pr ~ normal(0, 1);
  for (i in 1:S) {
    vector[2] ev = rep_vector(0, 2);
    real PE;
    for (t in 1:Tsubj[i]) {
      choice[i, t] ~ categorical_logit(tau[i] * ev);
      PE = outcome[i, t] - ev[choice[i, t]];
      ev[choice[i, t]] += A[i] * PE;
    }
  }
}
