// data: {"N": 5}
// Loops in each other assign an array in several places: which assignment is the last is a matter of
// the turns, and a turn reads what the one before left.
data {
  int<lower=3> N;
  vector[N] y;
  array[N] int<lower=1, upper=N> upto;
}
parameters { real p; vector[N] q; }
model {
  vector[N] sums = q;
  vector[N] reset = q;
  vector[N] late = rep_vector(p, N);
  vector[N] seen = q;
  vector[N] over = q;
  for (i in 1:2) {
    for (j in 1:3) sums[i] = 0.3 * sum(sums) + p;
  }
  for (i in 1:N) {
    reset[2] += q[i];
    for (j in i:N) reset[j] = p * j;
  }
  for (i in 1:N) {
    reset[3] += y[i];
    for (j in 1:upto[i]) reset[j] = q[i];
  }
  for (i in 1:(N - 1)) {
    for (j in 1:2) {
      seen[2:N] = late[1:(N - 1)];
      late[i] = 5 * p;
    }
  }
  for (i in 2:N) {
    for (j in 1:N) {
      late[i] = late[i - 1] * 0.5 + j * p;
      seen[j] += late[i];
    }
  }
  for (i in 1:2) {
    for (j in 1:2) {
      over[i + j - 1] = y[i];
      if (y[j] > 0) over[i + j - 1] = p;
    }
  }
  q ~ std_normal();
  p ~ std_normal();
  y ~ normal(sums + reset + seen, 1.5);
  y ~ normal(late - over, 2);
}
