// Products of matrices by OpenBLAS, for ../networks: a line "PRECISION TRANSPOSES M N K SECONDS" on the standard input, as in
// "f32 AtB 100 400 784 0.1", is answered by GFLOP/s of processor time. Threads are the environment's OPENBLAS_NUM_THREADS; the
// first line of output is the library's name for itself.
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

// block is n numbers in [-1/2, 1/2], each of size bytes.
static void *block(size_t n, size_t size) {
  void *p = aligned_alloc(64, (n * size + 63) / 64 * 64);
  for (size_t i = 0; i < n; i++) {
    double v = rand() / (double)RAND_MAX - 0.5;
    if (size == sizeof(double)) ((double *)p)[i] = v;
    else ((float *)p)[i] = v;
  }
  return p;
}

int main(void) {
  char precision[8], transposes[8];
  int m, n, k;
  double seconds;
  printf("%s\n", openblas_get_config());
  fflush(stdout);
  while (scanf("%7s %7s %d %d %d %lf", precision, transposes, &m, &n, &k, &seconds) == 6) {
    int wide = !strcmp(precision, "f64");
    enum CBLAS_TRANSPOSE ta = strcmp(transposes, "AtB") ? CblasNoTrans : CblasTrans, tb = strcmp(transposes, "ABt") ? CblasNoTrans : CblasTrans;
    int lda = ta == CblasTrans ? m : k, ldb = tb == CblasTrans ? k : n;
    size_t size = wide ? sizeof(double) : sizeof(float);
    void *a = block((size_t)m * k, size), *b = block((size_t)k * n, size), *c = block((size_t)m * n, size);
    double begun = 0, spent = 0;
    int done = -1; // the first is not counted
    do {
      if (wide) cblas_dgemm(CblasRowMajor, ta, tb, m, n, k, 1, a, lda, b, ldb, 0, c, n);
      else cblas_sgemm(CblasRowMajor, ta, tb, m, n, k, 1, a, lda, b, ldb, 0, c, n);
      if (++done == 0) begun = now();
      else spent = now() - begun;
    } while (spent < seconds);
    printf("%.6g\n", 2e-9 * m * n * k * done / spent);
    fflush(stdout);
    free(a), free(b), free(c);
  }
  return 0;
}
