// Functions of Stan's library that the language has not, in Stan: they are expanded where a
// program calls them.
functions {
  real falling_factorial(real x, int n) {
    return exp(lgamma(x + 1) - lgamma(x - n + 1));
  }
  real ldexp(real x, int n) {
    return x * 2.0 ^ n;
  }
  real lmgamma(int n, real x) {
    real s = 0.25 * n * (n - 1) * log(pi());
    for (j in 1:n) s += lgamma(x + 0.5 * (1 - j));
    return s;
  }
  real inv_erfc(real x) {
    return -inv_Phi(0.5 * x) / sqrt(2.0);
  }
  vector inv_erfc(vector x) {
    return -inv_Phi(0.5 * x) / sqrt(2.0);
  }
  real std_normal_qf(real p) {
    return inv_Phi(p);
  }
  vector std_normal_qf(vector p) {
    return inv_Phi(p);
  }
  real std_normal_log_qf(real p) {
    return inv_Phi(exp(p));
  }
  vector std_normal_log_qf(vector p) {
    return inv_Phi(exp(p));
  }
  int logical_negation(real x) {
    return x == 0;
  }
  real binary_log_loss(int y, real p) {
    return y == 1 ? -log(p) : -log1m(p);
  }
  // Newton's method from above: w exp(w) is convex above -1, and log1p(x) lies above W(x).
  real lambert_w0(real x) {
    real w = log1p(x);
    for (i in 1:24) w -= (w - x * exp(-w)) / (1 + w);
    return w;
  }
  vector lambert_w0(vector x) {
    vector[num_elements(x)] w;
    for (n in 1:num_elements(x)) w[n] = lambert_w0(x[n]);
    return w;
  }
  // Newton's method for w + log(-w) = log(-x) below -1.
  real lambert_wm1(real x) {
    real l = log(-x);
    real w = l < -1.5 ? l - log(-l) : -1 - sqrt(2 * (1 - exp(1 + l)) + 1e-6);
    for (i in 1:24) w -= (w + log(-w) - l) * w / (1 + w);
    return w;
  }
  vector lambert_wm1(vector x) {
    vector[num_elements(x)] w;
    for (n in 1:num_elements(x)) w[n] = lambert_wm1(x[n]);
    return w;
  }
  // Bessel's integral by the trapezoidal rule, which converges exponentially on a period.
  real bessel_first_kind(int n, real x) {
    real s = 0;
    for (k in 1:200) s += cos(n * (k - 0.5) * pi() / 200 - x * sin((k - 0.5) * pi() / 200));
    return s / 200;
  }
  real modified_bessel_first_kind(int n, real z) {
    vector[200] s;
    for (k in 1:200) s[k] = exp(z * cos((k - 0.5) * pi() / 200)) * cos(n * (k - 0.5) * pi() / 200);
    return sum(s) / 200;
  }
  real log_modified_bessel_first_kind(real v, real z) {
    vector[300] s;
    for (k in 1:300) s[k] = (2 * (k - 1) + v) * log(0.5 * z) - lgamma(k) - lgamma(k + v);
    return log_sum_exp(s);
  }
  // The integral of exp(-z cosh t) cosh(n t), by the trapezoidal rule.
  real modified_bessel_second_kind(int n, real z) {
    vector[240] s;
    for (k in 1:240) s[k] = exp(-z * cosh(0.05 * k)) * cosh(0.05 * n * k);
    return 0.05 * (0.5 * exp(-z) + sum(s));
  }
  // The integral of exp(-h^2 (1 + x^2) / 2) / (1 + x^2) from 0 to a, by Gauss and Legendre.
  real owens_t(real h, real a) {
    array[12] real x = {0.1252334085114689, 0.3678314989981802, 0.5873179542866175,
                        0.7699026741943047, 0.9041172563704749, 0.9815606342467192,
                        -0.1252334085114689, -0.3678314989981802, -0.5873179542866175,
                        -0.7699026741943047, -0.9041172563704749, -0.9815606342467192};
    array[12] real w = {0.2491470458134028, 0.2334925365383548, 0.2031674267230659,
                        0.1600783285433462, 0.1069393259953184, 0.0471753363865118,
                        0.2491470458134028, 0.2334925365383548, 0.2031674267230659,
                        0.1600783285433462, 0.1069393259953184, 0.0471753363865118};
    real s = 0;
    for (j in 1:16) {
      for (k in 1:12) {
        s += w[k] * exp(-0.5 * square(h) * (1 + square(tan(atan(a) * (j - 0.5 + 0.5 * x[k]) / 16))));
      }
    }
    return s * atan(a) / (64 * pi());
  }
  matrix symmetrize_from_lower_tri(matrix a) {
    int n = rows(a);
    matrix[n, n] s;
    for (i in 1:n) {
      for (j in 1:n) {
        s[i, j] = i >= j ? a[i, j] : a[j, i];
      }
    }
    return s;
  }
  real trace_gen_quad_form(matrix d, matrix a, matrix b) {
    return trace(d * (b' * (a * b)));
  }
  vector uniform_simplex(int n) {
    return rep_vector(1.0 / n, n);
  }
  matrix chol2inv(matrix l) {
    return inverse_spd(l * l');
  }
  matrix generalized_inverse(matrix a) {
    return rows(a) >= cols(a) ? inverse_spd(a' * a) * a' : a' * inverse_spd(a * a');
  }
  vector singular_values(matrix a) {
    return reverse(sqrt(eigenvalues_sym(a' * a)));
  }
  // Taylor's series of A / 256, squared eight times.
  matrix matrix_exp(matrix a) {
    int n = rows(a);
    matrix[n, n] b = a / 256;
    matrix[n, n] one = identity_matrix(n);
    matrix[n, n] e = one + b / 18;
    for (k in 1:17) e = one + b * e / (18 - k);
    for (k in 1:8) e = e * e;
    return e;
  }
  matrix matrix_exp_multiply(matrix a, matrix b) {
    return matrix_exp(a) * b;
  }
  matrix scale_matrix_exp_multiply(real t, matrix a, matrix b) {
    return matrix_exp(t * a) * b;
  }
  matrix matrix_power(matrix a, int n) {
    matrix[rows(a), rows(a)] p = identity_matrix(rows(a));
    for (k in 1:n) p = p * a;
    return p;
  }
  tuple(matrix, vector) eigendecompose_sym(matrix a) {
    return (eigenvectors_sym(a), eigenvalues_sym(a));
  }
  // The singular vectors on the right are eigenvectors, and their signs are those of
  // eigenvectors_sym.
  matrix svd_V(matrix a) {
    matrix[cols(a), cols(a)] v = eigenvectors_sym(a' * a);
    matrix[cols(a), cols(a)] out;
    for (i in 1:cols(a)) {
      for (j in 1:cols(a)) {
        out[i, j] = v[i, cols(a) - j + 1];
      }
    }
    return out;
  }
  matrix svd_U(matrix a) {
    return diag_post_multiply(a * svd_V(a), 1 / singular_values(a));
  }
  tuple(matrix, vector, matrix) svd(matrix a) {
    return (svd_U(a), singular_values(a), svd_V(a));
  }
  tuple(matrix, matrix) qr(matrix a) {
    return (qr_Q(a), qr_R(a));
  }
  tuple(matrix, matrix) qr_thin(matrix a) {
    return (qr_thin_Q(a), qr_thin_R(a));
  }
  // Householder's reflections: what is left of the matrix below the diagonal after each is 0. The
  // columns of Q are turned so that the diagonal of R is positive.
  matrix reflected(matrix a) {
    int m = rows(a);
    int n = cols(a);
    matrix[m, n + m] b = append_col(a, identity_matrix(m));
    for (k in 1:min(m - 1, n)) {
      vector[m] u;
      for (i in 1:m) u[i] = i >= k ? b[i, k] : 0;
      vector[m] w = u + (b[k, k] >= 0 ? 1 : -1) * sqrt(dot_self(u)) * one_hot_vector(m, k);
      b = b - (2 / dot_self(w)) * (w * (w' * b));
    }
    for (i in 1:min(m, n)) b[i] = b[i] * (b[i, i] < 0 ? -1 : 1);
    return b;
  }
  matrix qr_Q(matrix a) {
    int m = rows(a);
    int n = cols(a);
    matrix[m, n + m] b = reflected(a);
    return b[, (n + 1):(n + m)]';
  }
  matrix qr_R(matrix a) {
    int m = rows(a);
    int n = cols(a);
    matrix[m, n + m] b = reflected(a);
    matrix[m, n] r;
    for (i in 1:m) {
      for (j in 1:n) r[i, j] = i <= j ? b[i, j] : 0;
    }
    return r;
  }
  // Elimination, the row of the largest entry first; left has 1 for rows that are not taken yet.
  real determinant_by_pivots(matrix a) {
    int n = rows(a);
    matrix[n, n] b = a;
    vector[n] left = rep_vector(1, n);
    real d = 1;
    for (k in 1:n) {
      vector[n] size = left .* abs(b[, k]);
      real most = max(size);
      vector[n] is;
      for (i in 1:n) is[i] = size[i] == most && left[i] > 0 ? 1 : 0;
      vector[n] pivot = is / sum(is);
      vector[n] before = cumulative_sum(left);
      real sign = 1 - 2 * fmod(dot_product(pivot, before) - 1, 2);
      row_vector[n] r = pivot' * b;
      d = d * sign * r[k];
      left = left - pivot;
      b = b - ((left .* b[, k]) / r[k]) * r;
    }
    return d;
  }
  tuple(vector, array[] int, array[] int) csr_extract(matrix a) {
    return (csr_extract_w(a), csr_extract_v(a), csr_extract_u(a));
  }
  // Newton's method for the logarithm of p by the logit of x, from below: the function is concave.
  real inv_inc_beta_below(real a, real b, real p) {
    real s = (log(p) + log(a) + lbeta(a, b)) / a - 2;
    for (i in 1:50) {
      real f = beta_lcdf(inv_logit(s) | a, b);
      s -= (f - log(p)) * exp(f + lbeta(a, b) - a * log_inv_logit(s) - b * log1m_inv_logit(s));
    }
    return inv_logit(s);
  }
  real inv_inc_beta(real a, real b, real p) {
    return p <= 0.5 ? inv_inc_beta_below(a, b, fmin(p, 0.5))
                    : 1 - inv_inc_beta_below(b, a, fmin(1 - p, 0.5));
  }
  // Nodes and weights of Gauss and Legendre on [-1, 1].
  array[] real gauss_nodes() {
    return {-0.9815606342467192, -0.9041172563704749, -0.7699026741943047, -0.5873179542866175,
            -0.3678314989981802, -0.1252334085114689, 0.1252334085114689, 0.3678314989981802,
            0.5873179542866175, 0.7699026741943047, 0.9041172563704749, 0.9815606342467192};
  }
  array[] real gauss_weights() {
    return {0.0471753363865118, 0.1069393259953184, 0.1600783285433462, 0.2031674267230659,
            0.2334925365383548, 0.2491470458134028, 0.2491470458134028, 0.2334925365383548,
            0.2031674267230659, 0.1600783285433462, 0.1069393259953184, 0.0471753363865118};
  }
  // Bessel's and Schläfli's integrals (DLMF 10.9.7), for x up to 150.
  real bessel_second_kind(int v, real x) {
    array[12] real z = gauss_nodes();
    array[12] real w = gauss_weights();
    real high = asinh((60 + 3 * v) / x);
    real s = 0;
    real r = 0;
    for (j in 1:40) {
      for (k in 1:12) {
        s += w[k] * sin(x * sin((j - 0.5 + 0.5 * z[k]) * pi() / 40) - v * (j - 0.5 + 0.5 * z[k]) * pi() / 40);
        r += w[k] * (exp(v * (j - 0.5 + 0.5 * z[k]) * high / 40 - x * sinh((j - 0.5 + 0.5 * z[k]) * high / 40))
                     + (-1.0) ^ v * exp(-v * (j - 0.5 + 0.5 * z[k]) * high / 40 - x * sinh((j - 0.5 + 0.5 * z[k]) * high / 40)));
      }
    }
    return x > 150 ? not_a_number() : s / 80 - r * high / (80 * pi());
  }
  matrix gp_dot_prod_cov(array[] real x, real sigma) {
    int n = size(x);
    matrix[n, n] k;
    for (i in 1:n) {
      for (j in 1:n) {
        k[i, j] = square(sigma) + x[i] * x[j];
      }
    }
    return k;
  }
  matrix gp_dot_prod_cov(array[] vector x, real sigma) {
    int n = size(x);
    matrix[n, n] k;
    for (i in 1:n) {
      for (j in 1:n) {
        k[i, j] = square(sigma) + dot_product(x[i], x[j]);
      }
    }
    return k;
  }
  matrix gp_dot_prod_cov(array[] real x, array[] real y, real sigma) {
    matrix[size(x), size(y)] k;
    for (i in 1:size(x)) {
      for (j in 1:size(y)) k[i, j] = square(sigma) + x[i] * y[j];
    }
    return k;
  }
  matrix gp_dot_prod_cov(array[] vector x, array[] vector y, real sigma) {
    matrix[size(x), size(y)] k;
    for (i in 1:size(x)) {
      for (j in 1:size(y)) k[i, j] = square(sigma) + dot_product(x[i], y[j]);
    }
    return k;
  }
  vector csr_matrix_times_vector(int m, int n, vector w, array[] int v, array[] int u, vector b) {
    vector[m] r;
    for (i in 1:m) {
      real s = 0;
      for (k in u[i]:(u[i + 1] - 1)) s += w[k] * b[v[k]];
      r[i] = s;
    }
    return r;
  }
  matrix csr_to_dense_matrix(int m, int n, vector w, array[] int v, array[] int u) {
    matrix[m, n] r = rep_matrix(0, m, n);
    for (i in 1:m) {
      for (k in u[i]:(u[i + 1] - 1)) r[i, v[k]] = w[k];
    }
    return r;
  }
  matrix hmm_hidden_state_prob(matrix log_omega, matrix gamma, vector rho) {
    int k = rows(log_omega);
    int n = cols(log_omega);
    matrix[k, n] out;
    array[n] vector[k] alpha;
    array[n] vector[k] beta;
    alpha[1] = rho .* exp(log_omega[, 1] - max(log_omega[, 1]));
    alpha[1] = alpha[1] / sum(alpha[1]);
    for (t in 2:n) {
      vector[k] next = (gamma' * alpha[t - 1]) .* exp(log_omega[, t] - max(log_omega[, t]));
      alpha[t] = next / sum(next);
    }
    beta[n] = rep_vector(1, k);
    for (s in 1:(n - 1)) {
      vector[k] before = gamma * (beta[n - s + 1] .* exp(log_omega[, n - s + 1] - max(log_omega[, n - s + 1])));
      beta[n - s] = before / sum(before);
    }
    for (t in 1:n) {
      for (i in 1:k) {
        out[i, t] = alpha[t][i] * beta[t][i] / dot_product(alpha[t], beta[t]);
      }
    }
    return out;
  }
}
