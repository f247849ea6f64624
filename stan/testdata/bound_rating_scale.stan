// bound: E0811
// data: {"I": 3, "J": 4, "N": 6, "item": [1,2,3,1,2,3], "who": [1,2,3,4,1,2], "y": [0,1,2,1,0,2]}
// Ratings from 0 to the largest that the data have, with steps that all items share.
functions {
  real rating(int y, real ability, real difficulty, vector steps) {
    vector[num_elements(steps) + 1] up = append_row(0.0, ability - difficulty - steps);
    return categorical_lpmf(y + 1 | softmax(cumulative_sum(up)));
  }
}
data {
  int<lower=1> I;
  int<lower=1> J;
  int<lower=1> N;
  array[N] int<lower=1, upper=I> item;
  array[N] int<lower=1, upper=J> who;
  array[N] int<lower=0> y;
}
transformed data {
  int m = max(y);
}
parameters {
  vector[I] difficulty;
  vector[m - 1] free;
  vector[J] ability;
}
transformed parameters {
  vector[m] steps = append_row(free, -sum(free));
}
model {
  difficulty ~ normal(0, 3);
  free ~ normal(0, 3);
  ability ~ normal(0, 1);
  for (n in 1:N) target += rating(y[n], ability[who[n]], difficulty[item[n]], steps);
}
