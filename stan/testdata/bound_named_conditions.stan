// bound: E0808
// data: {"N": 3, "y": [0.3, 0.5, 0.2], "x": [1, 2, 3]}
// A value that is returned in one of three places, the later ones where a named condition fails.
functions {
  real tail_lpdf(vector y, vector mu, real s, real xi) {
    int N = rows(y);
    vector[N] z = (y - mu) / s;
    if (abs(xi) < 0.1) {
      return -N * log(s) - sum(z) - sum(exp(-z));
    }
    vector[N] w = 1 + xi * z;
    if (min(w) <= 0.9) {
      return -5 * square(xi) - square(s);
    }
    return -N * log(s) - (1 + inv(xi)) * sum(log(w)) - sum(exp(-log(w) / xi));
  }
}
data {
  int<lower=1> N;
  vector[N] y;
  vector[N] x;
}
transformed data {
  int k = 0;
  while (y[k + 1] < 0.4) k += 1;
  vector[k] early = y[1:k];
}
parameters {
  real a;
  real<lower=-0.1, upper=0.5> xi;
  real<lower=0> s;
}
model {
  y ~ tail(a * x, s, xi);
  xi ~ normal(sum(early), 0.1);
}
