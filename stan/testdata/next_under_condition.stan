// data: {"N": 6, "x": [0.2, 0.5, -0.1, 0.9, 1.4, 0.3], "g": [1, 0, 2, 2, 0, 1], "J": 2}
// Values that are named inside a condition, and read entries that are there under it alone.
functions {
  matrix bumps(vector x, vector ends, int steps) {
    int m = num_elements(ends) - 1;
    matrix[num_elements(x), m] B = rep_matrix(0, num_elements(x), m);
    for (i in 1:num_elements(x)) {
      for (j in 1:m) {
        if (x[i] >= ends[j] && x[i] < ends[j + 1]) B[i, j] = 1;
      }
    }
    for (d in 1:steps) {
      for (i in 1:num_elements(x)) {
        for (j in 1:(m - d)) {
          real rise = ends[j + d] - ends[j];
          real fall = ends[j + d + 1] - ends[j + 1];
          real left = 0;
          real right = 0;
          if (rise > 0) left = (x[i] - ends[j]) / rise * B[i, j];
          if (fall > 0) right = (ends[j + d + 1] - x[i]) / fall * B[i, j + 1];
          B[i, j] = left + right;
        }
      }
    }
    return B[, 1:(m - steps)];
  }
}
data {
  int<lower=1> N;
  int<lower=1> J;
  vector[N] x;
  array[N] int<lower=0, upper=J> g;
}
transformed data {
  vector[7] ends = [-1, -0.4, 0, 0.6, 1, 1.3, 2]';
  matrix[N, 4] B = bumps(x, ends, 2);
}
parameters {
  real m;
  real<lower=0> s;
  vector[J] a;
  vector[4] w;
}
model {
  real acc = 0;
  vector[2] state = rep_vector(0.1, 2);
  a ~ std_normal();
  w ~ std_normal();
  target += -s;
  for (i in 1:N) {
    if (i < N) {
      real d = x[i + 1] - x[i] * m;
      target += normal_lpdf(d | d * m, s);
      target += -square(d) * 0.01;
    }
    if (g[i] > 0) {
      real shift = a[g[i]] * x[i];
      target += -0.5 * square(shift - m) - exp(shift) * 0.1;
    }
    if (i > 2) {
      vector[2] before = x[(i - 2):(i - 1)] * m;
      state = 0.5 * state + before .* tanh(before);
    }
  }
  for (j in 1:3) {
    for (i in 1:N - j) {
      real d = x[i + j] - x[i] * m;
      acc = 0.5 * acc + d * d - exp(-d) * acc;
    }
  }
  target += -0.01 * acc - sum(square(state)) + sum(B * w) - square(m);
}
