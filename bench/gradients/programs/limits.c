// Log densities with gradients of single models as a person would write them in C for speed: one
// pass over the data, exponentials and logarithms over arrays that the compiler turns into calls of
// libmvec, no checks. They are what generated code is held against.
//
//	limits CASE DATA REPEATS SECONDS
//
// DATA has a line for each array: its name, its length, its numbers. The program prints the number
// of coordinates, the density (without constants), and nanoseconds of a gradient for each repeat.
// Coordinates are all 0.1. Compiled with -O3 -march=native -ffast-math.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct {
  char name[64];
  int n;
  double* x;
} arrays[32];

static double* array(const char* name, int* n) {
  for (int i = 0; i < 32; i++)
    if (!strcmp(arrays[i].name, name)) {
      if (n) *n = arrays[i].n;
      return arrays[i].x;
    }
  fprintf(stderr, "no %s in the data\n", name);
  exit(1);
}

static void* fresh(int n) { return aligned_alloc(64, (n * 8 + 127) / 64 * 64); }

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }
static double log_sigmoid(double x) { return x > 0 ? -log1p(exp(-x)) : x - log1p(exp(x)); }

// Eight schools, not centred: mu, log tau, eta.
static int J;
static double *es_y, *es_w; // w is 1 / sigma²
static void schools_setup(void) {
  es_y = array("y", &J);
  es_w = fresh(J);
  double* s = array("sigma", 0);
  for (int j = 0; j < J; j++) es_w[j] = 1 / (s[j] * s[j]);
}
static double schools(const double* x, double* g) {
  double mu = x[0], tau = exp(x[1]), f = 0, gmu = 0, gtau = 0;
  for (int j = 0; j < J; j++) {
    double eta = x[2 + j], d = es_y[j] - mu - tau * eta, wd = es_w[j] * d;
    f -= 0.5 * (d * wd + eta * eta);
    gmu += wd;
    gtau += wd * eta;
    g[2 + j] = tau * wd - eta;
  }
  double q = tau * tau / 25;
  g[0] = gmu - mu / 25;
  g[1] = tau * gtau - 2 * q / (1 + q) + 1;
  return f - mu * mu / 50 - log1p(q) + x[1];
}

// GARCH(1, 1): mu, log alpha0, logit alpha1, logit of beta1 / (1 - alpha1).
static int T;
static double *ga_y, ga_s1, *ga_v, *ga_a, *ga_e2, *ga_l;
static void garch_setup(void) {
  ga_y = array("y", &T);
  ga_s1 = *array("sigma1", 0);
  ga_v = fresh(T), ga_a = fresh(T), ga_e2 = fresh(T), ga_l = fresh(T);
}
static double garch(const double* x, double* g) {
  double mu = x[0], a0 = exp(x[1]), a1 = sigmoid(x[2]), u = sigmoid(x[3]), b1 = (1 - a1) * u;
  double *v = ga_v, *a = ga_a, *e2 = ga_e2, *l = ga_l;
  for (int t = 0; t < T; t++) e2[t] = (ga_y[t] - mu) * (ga_y[t] - mu);
  v[0] = ga_s1 * ga_s1;
  for (int t = 1; t < T; t++) v[t] = a0 + a1 * e2[t - 1] + b1 * v[t - 1];
  double f = 0, gmu = 0;
  for (int t = 0; t < T; t++) {
    double q = 1 / v[t];
    f -= 0.5 * (log(v[t]) + e2[t] * q);
    a[t] = 0.5 * q * (e2[t] * q - 1); // df / dv, of the observation alone
    l[t] = q;
  }
  for (int t = 0; t < T; t++) gmu += (ga_y[t] - mu) * l[t];
  double g0 = 0, g1 = 0, gb = 0, gm = 0, c = 0;
  for (int t = T - 1; t > 0; t--) {
    c = a[t] + b1 * c;
    g0 += c;
    g1 += c * e2[t - 1];
    gm += c * (ga_y[t - 1] - mu);
    gb += c * v[t - 1];
  }
  g[0] = gmu - 2 * a1 * gm;
  g[1] = a0 * g0 + 1;
  // density of the chart: a1 (1 - a1) · (1 - a1) · u (1 - u)
  g[2] = a1 * (1 - a1) * (g1 - u * gb) + 1 - 3 * a1;
  g[3] = u * (1 - u) * (1 - a1) * gb + 1 - 2 * u;
  return f + x[1] + log(a1) + 2 * log(1 - a1) + log(u) + log(1 - u);
}

// A hidden Markov model of two states: logits of the two stays, log mu0, log (mu1 - mu0). The
// forward pass is scaled by its sums, as in Rabiner (1989).
static int N;
static double *hm_y, *hm_p, *hm_a, *hm_e, *hm_m;
static void hmm_setup(void) {
  hm_y = array("y", &N);
  hm_p = fresh(2 * N), hm_a = fresh(2 * N), hm_e = fresh(2 * N), hm_m = fresh(N);
}
static double hmm(const double* x, double* g) {
  double p0 = sigmoid(x[0]), p1 = sigmoid(x[1]), m0 = exp(x[2]), m1 = m0 + exp(x[3]);
  double a00 = p0, a01 = 1 - p0, a10 = p1, a11 = 1 - p1;
  double *e = hm_e, *a = hm_a, *c = hm_m, f = 0;
  for (int n = 0; n < N; n++) {
    double d0 = hm_y[n] - m0, d1 = hm_y[n] - m1, l0 = -0.5 * d0 * d0, l1 = -0.5 * d1 * d1;
    double m = l0 > l1 ? l0 : l1;
    f += m;
    e[2 * n] = exp(l0 - m), e[2 * n + 1] = exp(l1 - m);
  }
  double s0 = 0.5 * e[0], s1 = 0.5 * e[1];
  for (int n = 0;; n++) {
    double s = s0 + s1, q = 1 / s;
    c[n] = s;
    a[2 * n] = s0 *= q, a[2 * n + 1] = s1 *= q;
    if (n == N - 1) break;
    double t0 = (s0 * a00 + s1 * a10) * e[2 * n + 2], t1 = (s0 * a01 + s1 * a11) * e[2 * n + 3];
    s0 = t0, s1 = t1;
  }
  for (int n = 0; n < N; n++) f += log(c[n]);
  double b0 = 1, b1 = 1, n00 = 0, n01 = 0, n10 = 0, n11 = 0, gm0 = 0, gm1 = 0;
  for (int n = N - 1;; n--) {
    gm0 += a[2 * n] * b0 * (hm_y[n] - m0), gm1 += a[2 * n + 1] * b1 * (hm_y[n] - m1);
    if (n == 0) break;
    double q = 1 / c[n], w0 = e[2 * n] * b0 * q, w1 = e[2 * n + 1] * b1 * q;
    n00 += a[2 * n - 2] * w0, n01 += a[2 * n - 2] * w1;
    n10 += a[2 * n - 1] * w0, n11 += a[2 * n - 1] * w1;
    b0 = a00 * w0 + a01 * w1, b1 = a10 * w0 + a11 * w1;
  }
  g[0] = p0 * (1 - p0) * (n00 - n01) + 1 - 2 * p0;
  g[1] = p1 * (1 - p1) * (n10 - n11) + 1 - 2 * p1;
  gm0 -= m0 - 3, gm1 -= m1 - 10;
  g[2] = m0 * (gm0 + gm1) + 1;
  g[3] = (m1 - m0) * gm1 + 1;
  return f - 0.5 * (m0 - 3) * (m0 - 3) - 0.5 * (m1 - 10) * (m1 - 10) + x[2] + x[3] +
         log(p0) + log(1 - p0) + log(p1) + log(1 - p1);
}

// A mixture of two normals: mu0, log (mu1 - mu0), log sigma0, log sigma1, logit theta.
static double mixture(const double* x, double* g) {
  double m0 = x[0], m1 = m0 + exp(x[1]), s0 = exp(x[2]), s1 = exp(x[3]), th = sigmoid(x[4]);
  double q0 = 1 / s0, q1 = 1 / s1, l0 = log(th) - x[2], l1 = log(1 - th) - x[3];
  double f = 0, r0 = 0, r1 = 0, gm0 = 0, gm1 = 0, gs0 = 0, gs1 = 0;
  const double* y = hm_y;
  for (int n = 0; n < N; n++) {
    double d0 = (y[n] - m0) * q0, d1 = (y[n] - m1) * q1;
    double c0 = l0 - 0.5 * d0 * d0, c1 = l1 - 0.5 * d1 * d1;
    double d = c0 - c1, e = exp(-fabs(d)), w = 1 / (1 + e);
    f += fmax(c0, c1) + log(1 + e);
    double p0 = d > 0 ? w : 1 - w, p1 = 1 - p0;
    r0 += p0, r1 += p1;
    gm0 += p0 * d0, gm1 += p1 * d1;
    gs0 += p0 * d0 * d0, gs1 += p1 * d1 * d1;
  }
  gm0 = gm0 * q0 - m0 / 4, gm1 = gm1 * q1 - m1 / 4;
  g[0] = gm0 + gm1;
  g[1] = (m1 - m0) * gm1 + 1;
  g[2] = gs0 - r0 - s0 * s0 / 4 + 1;
  g[3] = gs1 - r1 - s1 * s1 / 4 + 1;
  g[4] = (1 - th) * (r0 + 5) - th * (r1 + 5);
  return f - (m0 * m0 + m1 * m1 + s0 * s0 + s1 * s1) / 8 + 5 * (log(th) + log(1 - th)) + x[1] +
         x[2] + x[3];
}
static void mixture_setup(void) { hm_y = array("y", &N); }

// Logistic regression on three columns: alpha, beta.
static double *we_d, *we_a, *we_e, *we_y;
static void wells_setup(void) {
  we_y = array("switched", &N), we_a = array("arsenic", 0);
  double *d = array("dist", 0), *e = array("educ", 0);
  we_d = fresh(N), we_e = fresh(N);
  for (int n = 0; n < N; n++) we_d[n] = d[n] / 100, we_e[n] = e[n] / 4;
}
static double wells(const double* x, double* g) {
  double f = 0, g0 = 0, g1 = 0, g2 = 0, g3 = 0;
  for (int n = 0; n < N; n++) {
    double t = x[0] + x[1] * we_d[n] + x[2] * we_a[n] + x[3] * we_e[n];
    double e = exp(-fabs(t)), w = 1 / (1 + e);
    f += we_y[n] * t - (t > 0 ? t : 0) - log(1 + e);
    double r = we_y[n] - (t > 0 ? w : e * w);
    g0 += r, g1 += r * we_d[n], g2 += r * we_a[n], g3 += r * we_e[n];
  }
  g[0] = g0, g[1] = g1, g[2] = g2, g[3] = g3;
  return f;
}

// Capture and recapture, row by row: logit omega, logit p.
static double *ca_s, *ca_z; // times seen, and whether that is never
static void m0_setup(void) {
  double* y = array("y", 0);
  N = (int)*array("M", 0), T = (int)*array("T", 0);
  ca_s = fresh(N), ca_z = fresh(N);
  for (int i = 0; i < N; i++) {
    ca_s[i] = 0;
    for (int t = 0; t < T; t++) ca_s[i] += y[i * T + t];
    ca_z[i] = ca_s[i] == 0;
  }
}
static double m0(const double* x, double* g) {
  double w = sigmoid(x[0]), p = sigmoid(x[1]), lw = log_sigmoid(x[0]), lv = log_sigmoid(-x[0]);
  double lp = log_sigmoid(x[1]), lq = log_sigmoid(-x[1]), f = 0, gw = 0, gp = 0;
  for (int i = 0; i < N; i++) {
    double a = lw + ca_s[i] * lp + (T - ca_s[i]) * lq, e = ca_z[i] * exp(lv - a);
    double r = 1 / (1 + e);
    f += a + log(1 + e);
    gw += r - w;
    gp += r * (ca_s[i] - T * p);
  }
  g[0] = gw + 1 - 2 * w, g[1] = gp + 1 - 2 * p;
  return f + lw + lv + lp + lq;
}

static struct {
  const char* name;
  int dim; // 0: as many as the data say
  void (*setup)(void);
  double (*f)(const double*, double*);
} cases[] = {
    {"eight_schools_noncentered", 10, schools_setup, schools},
    {"garch11", 4, garch_setup, garch},
    {"hmm_example", 4, hmm_setup, hmm},
    {"low_dim_gauss_mix", 5, mixture_setup, mixture},
    {"wells_dae", 4, wells_setup, wells},
    {"m0", 2, m0_setup, m0},
};

static double spend(double (*f)(const double*, double*), long n, double* x, double* g, double* v) {
  clock_t begin = clock();
  double sum = 0;
  for (long i = 0; i < n; i++) {
    __asm__ volatile("" : : "r"(x) : "memory");
    sum = f(x, g);
    __asm__ volatile("" : : "r"(g) : "memory");
  }
  *v = sum;
  return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  FILE* file = fopen(argv[2], "r");
  if (!file) return 2;
  for (int i = 0; i < 32 && fscanf(file, "%63s %d", arrays[i].name, &arrays[i].n) == 2; i++) {
    arrays[i].x = fresh(arrays[i].n);
    for (int k = 0; k < arrays[i].n; k++)
      if (fscanf(file, "%lf", arrays[i].x + k) != 1) return 2;
  }
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    if (strcmp(cases[k].name, argv[1])) continue;
    double x[64], g[64], v;
    for (int i = 0; i < 64; i++) x[i] = 0.1;
    cases[k].setup();
    long n = 1;
    double s;
    while ((s = spend(cases[k].f, n, x, g, &v)) < 0.01) n *= 2;
    n = (long)(n * atof(argv[4]) / s) + 1;
    printf("%d %.17g", cases[k].dim, v);
    for (int i = 0; i < cases[k].dim; i++) printf(" %.12g", g[i]);
    printf("\n");
    for (int i = 0; i < atoi(argv[3]); i++) printf("%.6g\n", spend(cases[k].f, n, x, g, &v) / n * 1e9);
    return 0;
  }
  fprintf(stderr, "no case %s\n", argv[1]);
  return 2;
}
