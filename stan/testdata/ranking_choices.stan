// data: {"J": 4, "N": 5, "G": 2, "size_of": [3, 2, 4, 1, 3], "pick": [[2, 3, 1, 0], [4, 1, 0, 0], [1, 2, 3, 4], [3, 0, 0, 0], [2, 4, 0, 0]]}
functions {
  // Items are chosen one after the other among those that are left.
  real choices_lpmf(array[] int pick, vector worth) {
    int J = num_elements(worth);
    array[J] int open = rep_array(1, J);
    real lp = 0;
    for (k in 1:size(pick)) {
      if (pick[k] == 0) break;
      vector[J] v;
      for (j in 1:J) v[j] = open[j] ? worth[j] : negative_infinity();
      lp += worth[pick[k]] - log_sum_exp(v);
      open[pick[k]] = 0;
    }
    return lp;
  }
}
data {
  int<lower=2> J;
  int<lower=1> N;
  int<lower=1> G;
  array[N, J] int<lower=0, upper=J> pick;
  array[N] int<lower=0, upper=J> size_of;
}
parameters {
  array[G] sum_to_zero_vector[J] worth;
  simplex[G] share;
}
model {
  for (g in 1:G) worth[g] ~ std_normal();
  for (n in 1:N) {
    vector[G] lp = log(share);
    for (g in 1:G) lp[g] += choices_lpmf(pick[n, 1:size_of[n]] | worth[g]);
    target += log_sum_exp(lp);
  }
}
