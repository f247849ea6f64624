// Arrays that are declared once, before the loop over rows: every row fills them anew, from its own
// start on. Entries before the start are no numbers in the first row, and are not read.
// data: {"R": 4, "T": 4, "first": [3, 1, 4, 0]}
data {
  int<lower=1> R;
  int<lower=2> T;
  array[R] int<lower=0, upper=T> first;
  array[R, T] int<lower=1, upper=2> y;
}
parameters {
  real<lower=0, upper=1> stay;
  array[T - 1] real<lower=0, upper=1> hit;
}
transformed parameters {
  array[2] vector[2] move;
  for (k in 1:2) move[k] = k == 1 ? [stay, 1 - stay]' : [1 - stay, stay]';
}
model {
  array[2] real acc;
  array[T] vector[2] alpha;
  stay ~ beta(2, 2);
  for (r in 1:R) {
    if (first[r] > 0) {
      for (k in 1:2)
        alpha[first[r], k] = k == y[r, first[r]];
      for (t in (first[r] + 1):T) {
        for (k in 1:2) {
          for (j in 1:2)
            acc[j] = alpha[t - 1, j] * move[j, k] * (y[r, t] == k ? hit[t - 1] : 1 - hit[t - 1]);
          alpha[t, k] = sum(acc);
        }
      }
      target += log(sum(alpha[T]));
    }
  }
}
