// bound: E0812
// data: {"N": 6}
// Functions that call themselves, and one that returns from a loop.
functions {
  real rising(real x, int k) {
    if (k == 0) return 1;
    return rising(x, k - 1) * (x + k);
  }
  int first_above(vector y, real c) {
    int n = num_elements(y);
    for (i in 1:n) {
      if (y[i] > c) {
        return i;
      }
    }
    return n;
  }
  real half_sum(vector x) {
    int n = num_elements(x);
    if (n == 1) return x[1];
    return half_sum(x[1:(n %/% 2)]) * 0.5 + half_sum(x[(n %/% 2 + 1):n]);
  }
}
data {
  int N;
  vector[N] y;
}
parameters {
  vector<lower=0>[N] x;
}
model {
  x ~ exponential(1);
  target += -rising(x[1], 3) * 0.01;
  target += half_sum(x) * y[first_above(y, 0)] * 0.1;
}
