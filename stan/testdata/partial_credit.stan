functions {
  real pcm(int y, real theta, vector beta) {
    vector[rows(beta) + 1] unsummed;
    vector[rows(beta) + 1] probs;
    unsummed = append_row(rep_vector(0.0, 1), theta - beta);
    probs = softmax(cumulative_sum(unsummed));
    return categorical_lpmf(y | probs);
  }
}
data {
  int<lower=1> I;
  int<lower=1> J;
  int<lower=2> K;
  array[I, J] int<lower=1, upper=K> y;
}
parameters {
  array[I] vector[K - 1] beta;
  vector[J] theta;
}
model {
  theta ~ normal(0, 1);
  for (i in 1:I) {
    beta[i] ~ normal(0, 3);
    for (j in 1:J)
      target += pcm(y[i, j], theta[j], beta[i]);
  }
}
