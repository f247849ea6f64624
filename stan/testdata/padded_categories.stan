// Categories of rows of different lengths, filled up with -1, and categories that are computed.
// data: {"N": 3, "T": 4, "L": [4, 2, 3], "pick": [[1, 2, 2, 1], [2, 1, -1, -1], [2, 2, 1, -1]], "grade": [0, 2, 1], "kind": [-2, 1, 3]}
data {
  int<lower=1> N;
  int<lower=1> T;
  array[N] int<lower=1, upper=T> L;
  array[N, T] int<lower=-1, upper=2> pick;
  array[N] int<lower=0, upper=2> grade;
  array[N] int<lower=-2> kind;
  array[N, T] real gain;
}
parameters {
  vector[N] heat;
  real<lower=0, upper=1> rate;
  ordered[2] cuts;
  simplex[3] theta;
}
model {
  heat ~ normal(0, 1);
  cuts ~ normal(0, 2);
  for (n in 1:N) {
    vector[2] value = rep_vector(0, 2);
    for (t in 1:L[n]) {
      pick[n, t] ~ categorical_logit(heat[n] * value);
      value[pick[n, t]] += rate * (gain[n, t] - value[pick[n, t]]);
    }
    grade[n] + 1 ~ ordered_logistic(heat[n], cuts);
    target += ordered_probit_lpmf(3 - grade[n] | heat[n], cuts);
    if (kind[n] > 0)
      target += categorical_lpmf(kind[n] | theta);
  }
}
