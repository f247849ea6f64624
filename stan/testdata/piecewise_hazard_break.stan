// data: {"N": 5, "t": [1.0, 2.0, 3.0, 0.5, 1.5], "event": [1, 0, 1, 1, 0], "K": 3, "cut": [0, 1.2, 2.5]}
// A hazard that is constant between cuts: the loop over the pieces ends where the time does.
functions {
  int piece(real t, vector cut) {
    int j = 1;
    while (j < num_elements(cut) && t > cut[j + 1]) j += 1;
    return j;
  }
  real cumulative(real t, vector rate, vector cut) {
    real h = 0;
    for (j in 1:num_elements(cut)) {
      if (t <= cut[j]) break;
      if (j == num_elements(cut) || t <= cut[j + 1]) {
        h += rate[j] * (t - cut[j]);
        continue;
      }
      h += rate[j] * (cut[j + 1] - cut[j]);
    }
    return h;
  }
}
data {
  int N;
  int K;
  vector<lower=0>[N] t;
  array[N] int<lower=0, upper=1> event;
  vector[K] cut;
}
parameters {
  vector<lower=0>[K] rate;
}
model {
  rate ~ gamma(2, 2);
  for (n in 1:N) {
    target += -cumulative(t[n], rate, cut);
    if (event[n]) target += log(rate[piece(t[n], cut)]);
  }
}
