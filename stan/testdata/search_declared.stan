// data: {"I": 3, "T": 4, "y": [[0, 1, 0, 1], [1, 0, 0, 0], [0, 0, 0, 0]]}
functions {
  int last_one(array[] int y) {
    for (k_rev in 0:(size(y) - 1)) {
      int k;
      k = size(y) - k_rev;
      if (y[k]) return k;
    }
    return 0;
  }
}
data { int<lower=0> I; int<lower=2> T; array[I, T] int<lower=0, upper=1> y; }
transformed data {
  array[I] int last;
  for (i in 1:I) last[i] = last_one(y[i]);
}
parameters { real<lower=0, upper=1> p; }
model { for (i in 1:I) last[i] ~ binomial(T, p); }
