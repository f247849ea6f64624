// A function gives a matrix whose columns are filled in every turn, the last by either branch of a
// condition on data.
functions {
  matrix smooth(vector y, array[] int seen, real rate, real level0, real sigma) {
    int n = num_elements(y);
    matrix[n, 3] out;
    real level = level0;
    for (t in 1:n) {
      out[t, 1] = level;
      out[t, 2] = 2 * level;
      if (seen[t] == 1) {
        real gap = y[t] - out[t, 1];
        out[t, 3] = normal_lpdf(gap | 0, sigma);
        level += rate * gap;
      } else if (t > 1) {
        out[t, 3] = 0;
      } else {
        out[t, 3] = -1;
      }
    }
    return out;
  }
}
data {
  int<lower=2> n;
  vector[n] y;
  array[n] int<lower=0, upper=1> seen;
}
parameters {
  real<lower=0, upper=1> rate;
  real level0;
  real<lower=0> sigma;
}
model {
  matrix[n, 3] f = smooth(y, seen, rate, level0, sigma);
  sigma ~ exponential(1);
  level0 ~ normal(0, 1);
  target += sum(f[ : , 3]);
  target += -square(f[n, 2] - f[n, 1]);
}
