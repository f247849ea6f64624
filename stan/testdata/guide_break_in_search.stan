functions {
  int last_nonzero(array[] int x) {
    for (k in 1:size(x)) {
      int i = size(x) - k + 1;
      if (x[i] > 0) return i;
    }
    return 0;
  }
}
data { int I; int T; array[I, T] int<lower=0, upper=1> y; }
transformed data { array[I] int last; for (i in 1:I) last[i] = last_nonzero(y[i]); }
parameters { real<lower=0, upper=1> p; }
model { for (i in 1:I) for (t in 1:last[i]) y[i, t] ~ bernoulli(p); }
