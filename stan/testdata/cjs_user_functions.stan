functions {
  int first_capture(array[] int y_i) {
    for (k in 1:size(y_i))
      if (y_i[k])
        return k;
    return 0;
  }
}
data {
  int<lower=2> T;
  int<lower=0> I;
  array[I, T] int<lower=0, upper=1> y;
}
transformed data {
  array[I] int<lower=0, upper=T> first;
  for (i in 1:I)
    first[i] = first_capture(y[i]);
}
parameters {
  real<lower=0, upper=1> phi;
  real<lower=0, upper=1> p;
}
model {
  for (i in 1:I) {
    for (t in (first[i] + 1):T) {
      y[i, t] ~ bernoulli(p * phi);
    }
  }
}
