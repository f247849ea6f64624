// A start at which the algebraic equation does not hold.
// rejects: true
functions {
  vector residual(real t, vector state, vector slope, real k) {
    return [slope[1] + k * state[1], state[1] + state[2] - 1]';
  }
}
parameters { real<lower=0> k; real<lower=0, upper=1> s; }
model {
  k ~ normal(dae(residual, [s, 0.5]', [-k, k]', 0, {1.0}, k)[1, 1], 1);
}
