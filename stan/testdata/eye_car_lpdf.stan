functions {
  real sparse_car_lpdf(vector phi, real tau, real alpha, array[,] int W, vector D, vector lambda, int n, int n_edges) {
    row_vector[n] phit_D;
    row_vector[n] phit_W;
    vector[n] ldet_terms;
    phit_D = (phi .* D)';
    phit_W = rep_row_vector(0, n);
    for (i in 1:n_edges) {
      phit_W[W[i, 1]] = phit_W[W[i, 1]] + phi[W[i, 2]];
      phit_W[W[i, 2]] = phit_W[W[i, 2]] + phi[W[i, 1]];
    }
    for (i in 1:n)
      ldet_terms[i] = log1m(alpha * lambda[i]);
    return 0.5 * (n * log(tau) + sum(ldet_terms) - tau * (phit_D * phi - alpha * (phit_W * phi)));
  }
}
data {
  int<lower=1> n;
  int<lower=1> n_edges;
  array[n_edges, 2] int<lower=1, upper=n> W;
  vector<lower=0>[n] D;
  vector<lower=-1, upper=1>[n] lambda;
}
parameters {
  vector[n] phi;
  real<lower=0> tau;
  real<lower=0, upper=1> alpha;
}
model {
  phi ~ sparse_car(tau, alpha, W, D, lambda, n, n_edges);
  tau ~ gamma(2, 2);
}
