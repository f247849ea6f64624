// Draws of distributions, in Stan: they are expanded where the generated quantities call them.
functions {
  // The onion method: rows are independent, each with a uniform direction.
  matrix lkj_corr_cholesky_rng(int k, real eta) {
    matrix[k, k] z;
    vector[k] square_length;
    matrix[k, k] out;
    for (i in 1:k) {
      for (j in 1:k) z[i, j] = normal_rng(0, 1);
    }
    for (i in 1:k) square_length[i] = chi_square_rng(2 * eta + k - i);
    for (i in 1:k) {
      vector[k] row;
      for (j in 1:k) row[j] = j < i ? z[i, j] : (j == i ? sqrt(square_length[i]) : 0);
      real length = i == 1 ? row[1] : sqrt(dot_self(row));
      for (j in 1:k) out[i, j] = row[j] / length;
    }
    return out;
  }
  matrix lkj_corr_rng(int k, real eta) {
    return multiply_lower_tri_self_transpose(lkj_corr_cholesky_rng(k, eta));
  }
  int beta_neg_binomial_rng(real r, real alpha, real beta) {
    real p = beta_rng(alpha, beta);
    return neg_binomial_rng(r, p / (1 - p));
  }
  real skew_double_exponential_rng(real mu, real sigma, real tau) {
    real u = uniform_rng(0, 1);
    return u < tau ? mu + sigma / (2 * (1 - tau)) * log(u / tau)
                   : mu - sigma / (2 * tau) * log((1 - u) / (1 - tau));
  }
  int poisson_binomial_rng(vector theta) {
    array[num_elements(theta)] int y = bernoulli_rng(theta);
    return sum(y);
  }
  vector multi_normal_prec_rng(vector mu, matrix omega) {
    vector[num_elements(mu)] z;
    for (k in 1:num_elements(mu)) z[k] = normal_rng(0, 1);
    return mu + mdivide_right_tri_low(z', cholesky_decompose(omega))';
  }
  // Forward probabilities, and states drawn backward.
  array[] int hmm_latent_rng(matrix log_omega, matrix gamma, vector rho) {
    int k = rows(log_omega);
    int n = cols(log_omega);
    array[n] vector[k] alpha;
    array[n] int z;
    alpha[1] = rho .* exp(log_omega[, 1] - max(log_omega[, 1]));
    alpha[1] = alpha[1] / sum(alpha[1]);
    for (t in 2:n) {
      vector[k] next = (gamma' * alpha[t - 1]) .* exp(log_omega[, t] - max(log_omega[, t]));
      alpha[t] = next / sum(next);
    }
    z[n] = categorical_rng(alpha[n]);
    for (s in 1:(n - 1)) {
      vector[k] w = alpha[n - s] .* gamma[, z[n - s + 1]];
      z[n - s] = categorical_rng(w / sum(w));
    }
    return z;
  }
}
