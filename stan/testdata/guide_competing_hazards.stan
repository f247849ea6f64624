data { int N; vector<lower=0>[N] t; array[N] int<lower=0, upper=2> cause; }
parameters { vector<lower=0>[2] rate; }
model {
  for (n in 1:N) {
    if (cause[n] == 0) target += -sum(rate) * t[n];
    else target += log(rate[cause[n]]) - sum(rate) * t[n];
  }
  rate ~ gamma(1, 1);
}
