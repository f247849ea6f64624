// The residual is not linear in the slopes.
// refused: E0804
functions {
  vector residual(real t, vector state, vector slope, real k) {
    return [slope[1] ^ 3 + k * state[1], state[1] + state[2] - 1]';
  }
}
parameters { real<lower=0> k; }
model { k ~ normal(dae(residual, [1, 0]', [-1, 1]', 0, {1.0}, k)[1, 1], 1); }
