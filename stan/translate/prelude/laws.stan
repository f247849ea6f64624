// Distributions of Stan that the language has not, in Stan.
functions {
  real multi_gp_lpdf(matrix y, matrix sigma, vector w) {
    real lp = 0;
    for (i in 1:rows(y)) {
      lp += multi_normal_lpdf(y[i] | rep_row_vector(0, cols(y)), sigma / w[i]);
    }
    return lp;
  }
  real multi_gp_cholesky_lpdf(matrix y, matrix l, vector w) {
    real lp = 0;
    for (i in 1:rows(y)) {
      lp += multi_normal_cholesky_lpdf(y[i] | rep_row_vector(0, cols(y)), l / sqrt(w[i]));
    }
    return lp;
  }
  // The probabilities of the numbers of successes so far, trial by trial.
  vector poisson_binomial_table(vector theta) {
    int n = num_elements(theta);
    vector[n + 1] p = append_row(1.0, rep_vector(0, n));
    for (i in 1:n) {
      p = (1 - theta[i]) * p + theta[i] * append_row(0.0, p[1:n]);
    }
    return p;
  }
  real poisson_binomial_lpmf(int y, vector theta) {
    return log(poisson_binomial_table(theta)[y + 1]);
  }
  real poisson_binomial_lpmf(array[] int y, vector theta) {
    vector[num_elements(theta) + 1] p = poisson_binomial_table(theta);
    real lp = 0;
    for (n in 1:size(y)) lp += log(p[y[n] + 1]);
    return lp;
  }
  real poisson_binomial_lcdf(int y, vector theta) {
    vector[num_elements(theta) + 1] p = poisson_binomial_table(theta);
    real s = 0;
    for (k in 1:(num_elements(theta) + 1)) s += k <= y + 1 ? p[k] : 0;
    return log(s);
  }
  real poisson_binomial_lccdf(int y, vector theta) {
    return log1m_exp(poisson_binomial_lcdf(y | theta));
  }
  real poisson_binomial_cdf(int y, vector theta) {
    return exp(poisson_binomial_lcdf(y | theta));
  }
  real bernoulli_lcdf(int y, real theta) {
    return y >= 1 ? 0 : log1m(theta);
  }
  real bernoulli_lccdf(int y, real theta) {
    return y >= 1 ? negative_infinity() : log(theta);
  }
  real bernoulli_cdf(int y, real theta) {
    return y >= 1 ? 1 : 1 - theta;
  }
  real beta_binomial_lcdf(int n, int size, real alpha, real beta) {
    vector[n + 1] s;
    for (k in 1:(n + 1)) s[k] = beta_binomial_lpmf(k - 1 | size, alpha, beta);
    return log_sum_exp(s);
  }
  real beta_binomial_lccdf(int n, int size, real alpha, real beta) {
    return log1m_exp(beta_binomial_lcdf(n | size, alpha, beta));
  }
  real beta_binomial_cdf(int n, int size, real alpha, real beta) {
    return exp(beta_binomial_lcdf(n | size, alpha, beta));
  }
  real beta_neg_binomial_lcdf(int n, real r, real alpha, real beta) {
    vector[n + 1] s;
    for (k in 1:(n + 1)) s[k] = beta_neg_binomial_lpmf(k - 1 | r, alpha, beta);
    return log_sum_exp(s);
  }
  real beta_neg_binomial_lccdf(int n, real r, real alpha, real beta) {
    return log1m_exp(beta_neg_binomial_lcdf(n | r, alpha, beta));
  }
  real beta_neg_binomial_cdf(int n, real r, real alpha, real beta) {
    return exp(beta_neg_binomial_lcdf(n | r, alpha, beta));
  }
  real skew_double_exponential_lcdf(real y, real mu, real sigma, real tau) {
    return y < mu ? log(tau) - 2 / sigma * (1 - tau) * (mu - y)
                  : log1m((1 - tau) * exp(-2 / sigma * tau * (y - mu)));
  }
  real skew_double_exponential_lccdf(real y, real mu, real sigma, real tau) {
    return y < mu ? log1m(tau * exp(-2 / sigma * (1 - tau) * (mu - y)))
                  : log1m(tau) - 2 / sigma * tau * (y - mu);
  }
  real skew_double_exponential_cdf(real y, real mu, real sigma, real tau) {
    return exp(skew_double_exponential_lcdf(y | mu, sigma, tau));
  }
  real matrix_normal_prec_lpdf(matrix y, matrix mu, matrix sigma, matrix d) {
    matrix[rows(y), cols(y)] e = y - mu;
    return 0.5 * (rows(y) * log_determinant_spd(d) + cols(y) * log_determinant_spd(sigma)
                  - rows(y) * cols(y) * log(2 * pi()) - trace(d * (e' * sigma * e)));
  }
  real lkj_cov_lpdf(matrix y, vector mu, vector sigma, real eta) {
    vector[rows(y)] s = sqrt(diagonal(y));
    return lognormal_lpdf(s | mu, sigma) + lkj_corr_lpdf(quad_form_diag(y, 1 / s) | eta);
  }
  // The integral of the density from 0 to z, whose nodes lie closer where the density is high.
  real von_mises_from_mode(real z, real kappa) {
    array[12] real u = gauss_nodes();
    array[12] real w = gauss_weights();
    real turns = round(z / (2 * pi()));
    real r = z - 2 * pi() * turns;
    real c = 1 / sqrt(1 + kappa);
    real high = asinh(r / c);
    real s = 0;
    for (j in 1:6) {
      for (k in 1:12) {
        s += w[k] * cosh((j - 0.5 + 0.5 * u[k]) * high / 6)
             * exp(von_mises_lpdf(c * sinh((j - 0.5 + 0.5 * u[k]) * high / 6) | 0, kappa));
      }
    }
    return turns + s * c * high / 12;
  }
  real von_mises_cdf(real y, real mu, real kappa) {
    return von_mises_from_mode(y - mu, kappa) - von_mises_from_mode(-pi() - mu, kappa);
  }
  real von_mises_lcdf(real y, real mu, real kappa) {
    return log(von_mises_cdf(y | mu, kappa));
  }
  real von_mises_lccdf(real y, real mu, real kappa) {
    return log1m(von_mises_cdf(y | mu, kappa));
  }
  // The series of Navarro and Fuss for small and for large times, ten terms of each.
  real wiener_lpdf(real y, real alpha, real tau, real beta, real delta) {
    real t = (y - tau) / square(alpha);
    real small = 0;
    real large = 0;
    for (k in 1:17) {
      small += (beta + 2 * (k - 9)) * exp(-square(beta + 2 * (k - 9)) / (2 * fmin(t, 1.2)));
    }
    for (k in 1:10) large += k * exp(-square(k * pi()) * fmax(t, 0.8) / 2) * sin(k * pi() * beta);
    return -2 * log(alpha) - delta * alpha * beta - square(delta) * (y - tau) / 2
           + (t < 1 ? log(small) - 0.5 * log(2 * pi()) - 1.5 * log(t) : log(large) + log(pi()));
  }
  // A drift that varies normally between trials with the deviation var_delta.
  real wiener_lpdf(real y, real alpha, real tau, real beta, real delta, real var_delta) {
    real t = y - tau;
    real a = alpha * beta;
    real r = 1 + square(var_delta) * t;
    return wiener_lpdf(y | alpha, tau, beta, 0.0) - 0.5 * log(r)
           + (square(a * var_delta) - 2 * a * delta - square(delta) * t) / (2 * r);
  }
  real wiener_lpdf(vector y, real alpha, real tau, real beta, real delta, real var_delta) {
    real lp = 0;
    for (n in 1:num_elements(y)) lp += wiener_lpdf(y[n] | alpha, tau, beta, delta, var_delta);
    return lp;
  }
  real wiener_lpdf(vector y, real alpha, real tau, real beta, real delta) {
    real lp = 0;
    for (n in 1:num_elements(y)) lp += wiener_lpdf(y[n] | alpha, tau, beta, delta);
    return lp;
  }
  // The observations of one time are independent, with variances v.
  real gaussian_dlm_obs_lpdf(matrix y, matrix f, matrix g, vector v, matrix w, vector m0, matrix c0) {
    return gaussian_dlm_obs_lpdf(y | f, g, diag_matrix(v), w, m0, c0);
  }
  // Kalman's filter: columns of y are the observations, F is of states by observations.
  real gaussian_dlm_obs_lpdf(matrix y, matrix f, matrix g, matrix v, matrix w, vector m0, matrix c0) {
    int p = rows(g);
    int r = rows(y);
    vector[p] m = m0;
    matrix[p, p] c = c0;
    real lp = 0;
    for (t in 1:cols(y)) {
      vector[p] a = g * m;
      matrix[p, p] s = g * c * g' + w;
      vector[r] e = y[, t] - f' * a;
      matrix[r, r] q = f' * s * f + v;
      matrix[r, r] qi = inverse_spd(q);
      matrix[p, r] k = s * f * qi;
      lp += -0.5 * (log_determinant_spd(q) + quad_form(qi, e) + r * log(2 * pi()));
      m = a + k * e;
      c = s - k * q * k';
    }
    return lp;
  }
}
