// bound: E0808
// data: {"N": 5}
functions {
  real first_above(vector x, real c) {
    real s = 0;
    for (i in 1:num_elements(x)) {
      s += x[i];
      if (s > c) {
        s -= 0.5 * (s - c);
        return s;
      }
    }
    return s * 0.5;
  }
}
data {
  int N;
}
parameters {
  vector<lower=0>[N] x;
}
model {
  x ~ exponential(1);
  target += -square(first_above(x, 1.2));
}
