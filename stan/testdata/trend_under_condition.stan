// data: {"T": 5, "use_trend": 0, "use_cycle": 1}
// Switches in the data turn loops on and off that fill arrays entry by entry, each from the one
// before. Where a switch is off the array stays as it was.
functions {
  vector drift(vector x, int on, real by) {
    vector[num_elements(x)] out = x;
    if (on) {
      for (t in 2:num_elements(x)) out[t] = out[t - 1] + by;
    }
    return out;
  }
}
data {
  int<lower=2> T;
  vector[T] y;
  int<lower=0, upper=1> use_trend;
  int<lower=0, upper=1> use_cycle;
}
transformed data {
  vector[T] smooth = y;
  if (use_trend == 1) {
    for (t in 2:T) smooth[t] = 0.5 * smooth[t - 1] + 0.5 * y[t];
  }
}
parameters { real level; real slope; real<lower=0> sigma; }
transformed parameters {
  vector[T] mu = rep_vector(level, T);
  if (use_trend == 1) {
    for (t in 2:T) mu[t] = mu[t - 1] + slope;
  } else {
    mu[1] = slope;
  }
}
model {
  vector[T] cycle = rep_vector(level, T);
  if (use_cycle == 1) {
    for (t in 3:T) cycle[t] = slope * cycle[t - 1] - cycle[t - 2];
  } else {
    for (t in 2:T) cycle[t] = cycle[t - 1] * slope;
  }
  if (slope > 0) {
    for (t in 2:T) cycle[t] += 0.1 * cycle[t - 1];
  }
  level ~ normal(0, 10);
  slope ~ normal(0, 1);
  sigma ~ exponential(1);
  y ~ normal(mu + cycle, sigma);
  smooth ~ normal(drift(mu, use_trend, slope) + drift(mu, use_cycle, level), sigma);
}
