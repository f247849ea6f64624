data { int I; int T; array[I, T] int<lower=1, upper=3> y; }
parameters { real<lower=0, upper=1> phi; real<lower=0, upper=1> psi; vector<lower=0, upper=1>[2] p; }
transformed parameters {
  array[3] simplex[3] ps;
  array[3] simplex[3] po;
  ps[1] = [phi * (1 - psi), phi * psi, 1 - phi]';
  ps[2] = [phi * psi, phi * (1 - psi), 1 - phi]';
  ps[3] = [0, 0, 1]';
  po[1] = [p[1], 0, 1 - p[1]]';
  po[2] = [0, p[2], 1 - p[2]]';
  po[3] = [0, 0, 1]';
}
model {
  array[3] real acc;
  array[3] vector[T] gamma;
  for (i in 1:I) {
    for (k in 1:3) gamma[k, 1] = po[k, y[i, 1]] + 0.01;
    for (t in 2:T) {
      for (k in 1:3) {
        for (j in 1:3) acc[j] = gamma[j, t - 1] * ps[j, k] * (po[k, y[i, t]] + 0.01);
        gamma[k, t] = sum(acc);
      }
    }
    target += log(gamma[1, T] + gamma[2, T] + gamma[3, T]);
  }
}
