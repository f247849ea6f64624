// data: {"M": 2, "P": 2, "N0": 3, "N2": 9, "N": [9, 8], "deaths": [[0,1],[1,0],[2,1],[1,3],[4,2],[3,5],[6,2],[5,4],[7,3]], "f": [[0.1,0.2],[0.2,0.1],[0.3,0.3],[0.1,0.2],[0.1,0.1],[0.1,0.05],[0.05,0.05],[0.03,0.02],[0.02,0.01]], "X": [[[0,0],[0,0],[0,0],[1,0],[1,0],[1,0],[1,1],[1,1],[1,1]],[[0,0],[0,0],[0,0],[0,0],[1,0],[1,0],[1,0],[1,1],[1,1]]], "EpidemicStart": [3, 2], "pop": [900, 400], "SI": [0.1,0.2,0.3,0.15,0.1,0.05,0.05,0.03,0.02]}
// Renewal of infections by country, each of which has days of its own that are observed.
data {
  int<lower=1> M;
  int<lower=1> P;
  int<lower=1> N0;
  int<lower=1> N2;
  array[M] int<lower=1> N;
  array[N2, M] int deaths;
  matrix[N2, M] f;
  array[M] matrix[N2, P] X;
  array[M] int EpidemicStart;
  array[M] real pop;
  array[N2] real SI;
}
transformed data {
  vector[N2] SI_rev;
  array[M] vector[N2] f_rev;
  for (i in 1:N2) SI_rev[i] = SI[N2 - i + 1];
  for (m in 1:M) {
    for (i in 1:N2) f_rev[m, i] = f[N2 - i + 1, m];
  }
}
parameters {
  array[M] real<lower=0> mu;
  vector[P] alpha;
  real<lower=0> kappa;
  array[M] real<lower=0> y;
  real<lower=0> phi;
  real<lower=0> tau;
  array[M] real<lower=0> ifr_noise;
}
transformed parameters {
  matrix[N2, M] prediction = rep_matrix(0, N2, M);
  matrix[N2, M] E_deaths = rep_matrix(0, N2, M);
  matrix[N2, M] Rt = rep_matrix(0, N2, M);
  matrix[N2, M] Rt_adj = Rt;
  {
    matrix[N2, M] cumm_sum = rep_matrix(0, N2, M);
    for (m in 1:M) {
      for (i in 2:N0) {
        cumm_sum[i, m] = cumm_sum[i - 1, m] + y[m];
      }
      prediction[1:N0, m] = rep_vector(y[m], N0);
      Rt[, m] = mu[m] * 2 * inv_logit(-X[m] * alpha);
      Rt_adj[1:N0, m] = Rt[1:N0, m];
      for (i in (N0 + 1):N2) {
        real convolution = dot_product(sub_col(prediction, 1, m, i - 1), tail(SI_rev, i - 1));
        cumm_sum[i, m] = cumm_sum[i - 1, m] + prediction[i - 1, m];
        Rt_adj[i, m] = ((pop[m] - cumm_sum[i, m]) / pop[m]) * Rt[i, m];
        prediction[i, m] = Rt_adj[i, m] * convolution;
      }
      E_deaths[1, m] = 1e-15 * prediction[1, m];
      for (i in 2:N2) {
        E_deaths[i, m] = ifr_noise[m] * dot_product(sub_col(prediction, 1, m, i - 1), tail(f_rev[m], i - 1));
      }
    }
  }
}
model {
  tau ~ exponential(0.03);
  y ~ exponential(1 / tau);
  phi ~ normal(0, 5);
  kappa ~ normal(0, 0.5);
  mu ~ normal(3.28, kappa);
  alpha ~ normal(0, 0.5);
  ifr_noise ~ normal(1, 0.1);
  for (m in 1:M) {
    deaths[EpidemicStart[m]:N[m], m] ~ neg_binomial_2(E_deaths[EpidemicStart[m]:N[m], m], phi);
  }
}
