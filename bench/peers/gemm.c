// Times C = A B of OpenBLAS on one core, at the shapes that bench/kernels uses:
//   cc -O2 bench/peers/gemm.c -lopenblas -o gemm && OPENBLAS_NUM_THREADS=1 ./gemm
// (Debian: apt-get install gcc libopenblas-dev). A figure is the best of the
// repeats, in brackets their median.
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static int order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

enum { REPEATS = 25 };

int main(void) {
  int shapes[][3] = {{100, 400, 784}, {100, 400, 400}, {784, 400, 100}, {100, 10, 400}, {512, 512, 512}, {1024, 1024, 1024}};
  openblas_set_num_threads(1);
  printf("%s\n", openblas_get_config());
  for (int s = 0; s < 6; s++)
    for (int mode = 0; mode < 3; mode++)
      for (int wide = 1; wide >= 0; wide--) {
        int m = shapes[s][0], n = shapes[s][1], k = shapes[s][2], ta = mode == 1, tb = mode == 2;
        double *a = malloc(8 * m * k), *b = malloc(8 * k * n), *c = malloc(8 * m * n);
        float *fa = malloc(4 * m * k), *fb = malloc(4 * k * n), *fc = malloc(4 * m * n);
        for (int i = 0; i < m * k; i++) fa[i] = a[i] = rand() / (double)RAND_MAX - 0.5;
        for (int i = 0; i < k * n; i++) fb[i] = b[i] = rand() / (double)RAND_MAX - 0.5;
        double rate[REPEATS], flop = 2.0 * m * n * k;
        int inner = 1 + (int)(5e7 / flop);
        for (int r = -2; r < REPEATS; r++) {
          double t = now();
          for (int i = 0; i < inner; i++)
            if (wide)
              cblas_dgemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, m, n, k, 1, a, ta ? m : k, b, tb ? k : n, 0, c, n);
            else
              cblas_sgemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, m, n, k, 1, fa, ta ? m : k, fb, tb ? k : n, 0, fc, n);
          if (r >= 0) rate[r] = flop * inner / (now() - t) * 1e-9;
        }
        qsort(rate, REPEATS, sizeof *rate, order);
        printf("%-4s %s %dx%dx%d %.1f [%.1f]\n", wide ? "f64" : "f32", mode == 0 ? "AB" : mode == 1 ? "AtB" : "ABt", m, n, k, rate[REPEATS - 1], rate[REPEATS / 2]);
        free(a), free(b), free(c), free(fa), free(fb), free(fc);
      }
  return 0;
}
