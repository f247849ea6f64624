// data: {"N": 4, "y": [0.3, 1.2, -0.4, 1]}
// Unknowns end a loop over rows, whose condition reads the row.
data { int N; vector[N] y; }
parameters { vector[N] b; real c; }
model {
  int i = 1;
  real tot = 0;
  while (i <= N && b[i] > c) {
    tot += b[i];
    i += 1;
  }
  target += -tot^2 - 0.3 * i * c^2;
  b ~ std_normal(); c ~ normal(0, 1);
}
