data {
  int<lower=1> N;
  int<lower=1> S;
  array[N] int<lower=1, upper=S> subj;
  vector<lower=0>[N] time;
  vector<lower=0>[N] conc;
  vector<lower=0>[S] dose;
}
parameters {
  vector[3] lpop;
  vector<lower=0>[3] omega;
  array[S] vector[3] eta;
  real<lower=0> sigma;
}
transformed parameters {
  vector[N] pred;
  for (n in 1:N) {
    vector[3] th = exp(lpop + omega .* eta[subj[n]]);
    real ka = th[1];
    real ke = th[2] / th[3];
    pred[n] = 0.1 + dose[subj[n]] * ka / th[3] * exp(-ke * time[n]);
  }
}
model {
  for (s in 1:S)
    eta[s] ~ std_normal();
  omega ~ normal(0, 0.5);
  lpop ~ normal(0, 0.5);
  sigma ~ exponential(1);
  conc ~ lognormal(log(pred), sigma);
}
