// data: {"N": 4, "G": 4, "y": [0.3, -0.2, 0.8, 0.1], "g": [4, 2, 3, 1], "on": [1, 0, 1, 1]}
// What a loop reads under a condition does not bound how far it goes.
functions {
  real rough(vector v, int k) {
    real s = 0;
    for (n in 1:k) {
      s = s * 0.8 + v[n];
      if (n < k) s += 0.1 * square(v[n + 1] - v[n]) * s;
    }
    return s;
  }
  real smooth(vector v, int k) {
    real s = 0.1;
    for (n in 1:k) s = s * 0.8 + (n < k ? v[n + 1] * s : v[n]);
    return s;
  }
  real peaks(vector v, int k) {
    real s = 0.2;
    for (n in 1:k) {
      s *= 1.1;
      if (n < k && v[n + 1] > v[n]) s += square(s) * 0.1;
    }
    return s;
  }
  real priced_lp(real x) {
    target += -0.5 * square(x - 1);
    return 2 * x;
  }
}
data {
  int<lower=1> N;
  int<lower=1> G;
  vector[N] y;
  array[G] int<lower=1, upper=N> g;
  array[G] int<lower=0, upper=1> on;
}
parameters {
  real p;
  vector[N] q;
}
model {
  q ~ normal(y, 1);
  for (i in 1:G) {
    target += -0.1 * square(rough(q, g[i])) + 0.1 * smooth(q, g[i]) - 0.2 * peaks(q, g[i]);
    target += on[i] == 1 ? -0.1 * priced_lp(p * q[1]) : 0;
  }
}
