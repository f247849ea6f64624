// rejects: yes
parameters {
  vector[4] a;
}
model {
  target += exponential_lpdf(a | 2);
}
