// The transforms of constraints in Stan 2.36, of numbers and vectors without a constraint to those
// with one, back, and with the logarithm of the Jacobian added to the density.
functions {
  real lower_bound_constrain(real y, real lb) {
    return exp(y) + lb;
  }
  real lower_bound_jacobian(real y, real lb) {
    jacobian += y;
    return exp(y) + lb;
  }
  real lower_bound_unconstrain(real x, real lb) {
    return log(x - lb);
  }
  real upper_bound_constrain(real y, real ub) {
    return ub - exp(y);
  }
  real upper_bound_jacobian(real y, real ub) {
    jacobian += y;
    return ub - exp(y);
  }
  real upper_bound_unconstrain(real x, real ub) {
    return log(ub - x);
  }
  real lower_upper_bound_constrain(real y, real lb, real ub) {
    return lb + (ub - lb) * inv_logit(y);
  }
  real lower_upper_bound_jacobian(real y, real lb, real ub) {
    jacobian += log(ub - lb) + log_inv_logit(y) + log1m_inv_logit(y);
    return lb + (ub - lb) * inv_logit(y);
  }
  real lower_upper_bound_unconstrain(real x, real lb, real ub) {
    return log(x - lb) - log(ub - x);
  }
  real offset_multiplier_constrain(real y, real offset, real mult) {
    return offset + mult * y;
  }
  real offset_multiplier_jacobian(real y, real offset, real mult) {
    jacobian += log(mult);
    return offset + mult * y;
  }
  real offset_multiplier_unconstrain(real x, real offset, real mult) {
    return (x - offset) / mult;
  }
  vector ordered_constrain(vector y) {
    int n = num_elements(y);
    return cumulative_sum(append_row(y[1], exp(y[2:n])));
  }
  vector ordered_jacobian(vector y) {
    int n = num_elements(y);
    jacobian += sum(y[2:n]);
    return cumulative_sum(append_row(y[1], exp(y[2:n])));
  }
  vector ordered_unconstrain(vector x) {
    int n = num_elements(x);
    return append_row(x[1], log(x[2:n] - x[1:(n - 1)]));
  }
  vector positive_ordered_constrain(vector y) {
    return cumulative_sum(exp(y));
  }
  vector positive_ordered_jacobian(vector y) {
    jacobian += sum(y);
    return cumulative_sum(exp(y));
  }
  vector positive_ordered_unconstrain(vector x) {
    int n = num_elements(x);
    return log(append_row(x[1], x[2:n] - x[1:(n - 1)]));
  }
  // Parts are broken off a stick; rest[k] is the logarithm of what is left before the k-th.
  vector broken_stick(vector y) {
    int n = num_elements(y);
    vector[n] u;
    for (k in 1:n) u[k] = y[k] - log(n + 1 - k);
    vector[n + 1] rest = append_row(0.0, cumulative_sum(log1m_inv_logit(u)));
    return exp(append_row(rest[1:n] + log_inv_logit(u), rest[n + 1]));
  }
  vector simplex_constrain(vector y) {
    return broken_stick(y);
  }
  vector simplex_jacobian(vector y) {
    int n = num_elements(y);
    vector[n] u;
    for (k in 1:n) u[k] = y[k] - log(n + 1 - k);
    for (k in 1:n) jacobian += log_inv_logit(u[k]) + (n + 1 - k) * log1m_inv_logit(u[k]);
    return broken_stick(y);
  }
  vector simplex_unconstrain(vector x) {
    int n = num_elements(x) - 1;
    vector[n + 1] rest = reverse(cumulative_sum(reverse(x)));
    vector[n] y;
    for (k in 1:n) y[k] = log(x[k]) - log(rest[k + 1]) + log(n + 1 - k);
    return y;
  }
  vector sum_to_zero_constrain(vector y) {
    int n = num_elements(y);
    vector[n] w;
    for (i in 1:n) w[i] = y[i] / sqrt(i * (i + 1.0));
    vector[n] above = reverse(cumulative_sum(reverse(w)));
    vector[n] below;
    for (i in 1:n) below[i] = i * w[i];
    return append_row(above, 0.0) - append_row(0.0, below);
  }
  vector sum_to_zero_jacobian(vector y) {
    return sum_to_zero_constrain(y);
  }
  vector sum_to_zero_unconstrain(vector x) {
    int n = num_elements(x) - 1;
    vector[n + 1] s = cumulative_sum(x);
    vector[n] y;
    for (i in 1:n) y[i] = (s[i] - i * x[i + 1]) / sqrt(i * (i + 1.0));
    return y;
  }
  matrix sum_to_zero_constrain(matrix y) {
    int r = rows(y);
    int c = cols(y);
    matrix[r + 1, c] half;
    matrix[r + 1, c + 1] x;
    for (j in 1:c) half[, j] = sum_to_zero_constrain(y[, j]);
    for (i in 1:(r + 1)) x[i] = sum_to_zero_constrain(half[i]')';
    return x;
  }
  matrix sum_to_zero_jacobian(matrix y) {
    return sum_to_zero_constrain(y);
  }
  matrix sum_to_zero_unconstrain(matrix x) {
    int r = rows(x) - 1;
    int c = cols(x) - 1;
    matrix[r, c + 1] half;
    matrix[r, c] y;
    for (j in 1:(c + 1)) half[, j] = sum_to_zero_unconstrain(x[, j]);
    for (i in 1:r) y[i] = sum_to_zero_unconstrain(half[i]')';
    return y;
  }
  vector unit_vector_constrain(vector y) {
    return y / sqrt(dot_self(y));
  }
  vector unit_vector_jacobian(vector y) {
    jacobian += -0.5 * dot_self(y);
    return y / sqrt(dot_self(y));
  }
  vector unit_vector_unconstrain(vector x) {
    return x;
  }
  // The factor of a correlation matrix by its partial correlations z, below the diagonal.
  matrix factor_of_partials(matrix z) {
    int n = rows(z);
    matrix[n, n] left;
    matrix[n, n] x;
    for (i in 1:n) {
      for (j in 1:n) left[i, j] = j > 1 && j <= i ? 0.5 * log1m(square(z[i, j > 1 ? j - 1 : 1])) : 0;
    }
    for (i in 1:n) {
      vector[n] rest = exp(cumulative_sum(left[i]'));
      for (j in 1:n) x[i, j] = j < i ? z[i, j] * rest[j] : (j == i ? rest[j] : 0);
    }
    return x;
  }
  // Numbers of a vector as hyperbolic tangents below a diagonal, by rows or by columns.
  matrix partials_by_rows(vector y, int n) {
    matrix[n, n] z;
    for (i in 1:n) {
      for (j in 1:n) z[i, j] = j < i ? tanh(y[j < i ? (i - 1) * (i - 2) %/% 2 + j : 1]) : 0;
    }
    return z;
  }
  matrix partials_by_columns(vector y, int n) {
    matrix[n, n] z;
    for (i in 1:n) {
      for (j in 1:n) {
        z[i, j] = j < i ? tanh(y[j < i ? (j - 1) * n - j * (j - 1) %/% 2 + i - j : 1]) : 0;
      }
    }
    return z;
  }
  // The partial correlations of a factor, before the hyperbolic tangent.
  matrix partials_of_factor(matrix x) {
    int n = rows(x);
    matrix[n, n] y;
    for (i in 1:n) {
      vector[n] rest = cumulative_sum(square(x[i]'));
      for (j in 1:n) {
        y[i, j] = j < i ? atanh(x[i, j] / sqrt(j > 1 ? 1 - rest[j > 1 ? j - 1 : 1] : 1)) : 0;
      }
    }
    return y;
  }
  matrix cholesky_factor_corr_constrain(vector y, int n) {
    return factor_of_partials(partials_by_rows(y, n));
  }
  matrix cholesky_factor_corr_jacobian(vector y, int n) {
    matrix[n, n] z = partials_by_rows(y, n);
    for (i in 2:n) {
      for (j in 1:(i - 1)) jacobian += 0.5 * (i - j + 1) * log1m(square(z[i, j]));
    }
    return factor_of_partials(z);
  }
  vector cholesky_factor_corr_unconstrain(matrix x) {
    return lower_entries(partials_of_factor(x), rows(x));
  }
  // The entries below the diagonal, by rows.
  vector lower_entries(matrix z, int n) {
    vector[n * (n - 1) %/% 2] y;
    int k = 1;
    for (i in 2:n) {
      for (j in 1:(i - 1)) {
        y[k] = z[i, j];
        k += 1;
      }
    }
    return y;
  }
  // The entries below the diagonal, by columns.
  vector left_entries(matrix z, int n) {
    vector[n * (n - 1) %/% 2] y;
    int k = 1;
    for (j in 1:(n - 1)) {
      for (i in (j + 1):n) {
        y[k] = z[i, j];
        k += 1;
      }
    }
    return y;
  }
  matrix corr_matrix_constrain(vector y, int n) {
    return multiply_lower_tri_self_transpose(factor_of_partials(partials_by_columns(y, n)));
  }
  matrix corr_matrix_jacobian(vector y, int n) {
    matrix[n, n] z = partials_by_columns(y, n);
    for (i in 2:n) {
      for (j in 1:(i - 1)) jacobian += 0.5 * (n - j + 1) * log1m(square(z[i, j]));
    }
    return multiply_lower_tri_self_transpose(factor_of_partials(z));
  }
  vector corr_matrix_unconstrain(matrix x) {
    return left_entries(partials_of_factor(cholesky_decompose(x)), rows(x));
  }
  matrix cholesky_factor_cov_constrain(vector y, int m, int n) {
    matrix[m, n] x;
    for (i in 1:m) {
      for (j in 1:n) {
        int last = min(i, n);
        int at = last * (last - 1) %/% 2 + (i - last) * n + min(j, last);
        x[i, j] = j < i ? y[at] : (j == i ? exp(y[at]) : 0);
      }
    }
    return x;
  }
  matrix cholesky_factor_cov_jacobian(vector y, int m, int n) {
    for (i in 1:n) jacobian += y[i * (i + 1) %/% 2];
    return cholesky_factor_cov_constrain(y, m, n);
  }
  vector cholesky_factor_cov_unconstrain(matrix x) {
    int m = rows(x);
    int n = cols(x);
    vector[n * (n + 1) %/% 2 + (m - n) * n] y;
    int k = 1;
    for (i in 1:m) {
      for (j in 1:min(i, n)) {
        y[k] = j == i ? log(x[i, i]) : x[i, j];
        k += 1;
      }
    }
    return y;
  }
  matrix cov_matrix_constrain(vector y, int n) {
    return multiply_lower_tri_self_transpose(cholesky_factor_cov_constrain(y, n, n));
  }
  matrix cov_matrix_jacobian(vector y, int n) {
    for (i in 1:n) jacobian += log(2.0) + (n - i + 2) * y[i * (i + 1) %/% 2];
    return multiply_lower_tri_self_transpose(cholesky_factor_cov_constrain(y, n, n));
  }
  vector cov_matrix_unconstrain(matrix x) {
    return cholesky_factor_cov_unconstrain(cholesky_decompose(x));
  }
  matrix stochastic_column_constrain(matrix y) {
    matrix[rows(y) + 1, cols(y)] x;
    for (j in 1:cols(y)) x[, j] = simplex_constrain(y[, j]);
    return x;
  }
  matrix stochastic_column_jacobian(matrix y) {
    matrix[rows(y) + 1, cols(y)] x;
    for (j in 1:cols(y)) x[, j] = simplex_jacobian(y[, j]);
    return x;
  }
  matrix stochastic_column_unconstrain(matrix x) {
    matrix[rows(x) - 1, cols(x)] y;
    for (j in 1:cols(x)) y[, j] = simplex_unconstrain(x[, j]);
    return y;
  }
  matrix stochastic_row_constrain(matrix y) {
    matrix[rows(y), cols(y) + 1] x;
    for (i in 1:rows(y)) x[i] = simplex_constrain(y[i]')';
    return x;
  }
  matrix stochastic_row_jacobian(matrix y) {
    matrix[rows(y), cols(y) + 1] x;
    for (i in 1:rows(y)) x[i] = simplex_jacobian(y[i]')';
    return x;
  }
  matrix stochastic_row_unconstrain(matrix x) {
    matrix[rows(x), cols(x) - 1] y;
    for (i in 1:rows(x)) y[i] = simplex_unconstrain(x[i]')';
    return y;
  }
}
