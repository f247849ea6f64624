// rejects: yes
parameters {
  vector[4] a;
}
transformed parameters {
  vector<lower=0>[4] b = a;
}
model {
  a ~ normal(0, 1);
  target += -sum(b);
}
