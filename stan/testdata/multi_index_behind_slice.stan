// data: {"N": 4, "g": [1, 1, 3, 5], "y": [0.1, 0.2, 0.3, 0.4, 0.5], "p": [5, 2, 1]}
// Arrays of indices behind slices on the left side.
data { int N; array[N] int g; vector[5] y; array[3] int p; }
parameters { vector[5] b; vector[3] c; matrix[3, 5] M; }
model {
  vector[5] m = b;
  matrix[3, 5] A = M;
  m[p] += c;
  m[2:4] -= c * 2;
  m[{1, 5}] = m[{5, 1}];
  A[2, p] += c';
  A[, 3] *= 2;
  A[1:2, {1, 2}] = A[2:3, {4, 5}];
  for (n in 1:N) m[g[n]] += 0.5 * c[n % 3 + 1];
  y ~ normal(m, 1);
  b ~ normal(0, 1); c ~ normal(0, 1);
  to_vector(A) ~ normal(0, 2);
}
