/* Collapsed Gibbs sampling for latent Dirichlet allocation (Griffiths & Steyvers 2004, Finding scientific topics, PNAS 101, eq. 5),
 * written by hand, and the sweep of the semi-collapsed model, where topics are given and the proportions of documents are integrated out:
 *
 *   collapsed   p(z = k | rest) ~ (alpha + n_dk) (beta + n_kw) / (V beta + n_k)
 *   given       p(z = k | rest) ~ (alpha + n_dk) phi_kw
 *
 *   cc -O3 -march=native bench/peers/topics/gibbs.c -o gibbs && zcat corpus.ldac.gz | ./gibbs [K [sweeps [skip-remainder skip-modulus]]]
 *
 * Reads LDA-C: a line a document, "distinct word:count …". Prints the median seconds of processor time of a sweep, and nanoseconds a word. */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t state = 88172645463325252u;

static inline double uniform(void) { /* xorshift64*, Vigna 2016 */
	state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
	return (double)((state * 2685821657736338717u) >> 11) * 0x1p-53;
}

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b) {
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void *room(size_t n, size_t size) {
	void *p = calloc(n ? n : 1, size);
	if (!p) exit(1);
	return p;
}

int main(int argc, char **argv) {
	int K = argc > 1 ? atoi(argv[1]) : 30, sweeps = argc > 2 ? atoi(argv[2]) : 50;
	int rest = argc > 4 ? atoi(argv[3]) : -1, modulus = argc > 4 ? atoi(argv[4]) : 1;
	const double alpha = 0.1, beta = 0.1;
	size_t N = 0, cap = 1 << 20;
	int D = 0, V = 0, line = 0, distinct;
	int *word = room(cap, sizeof *word), *doc = room(cap, sizeof *doc);
	for (; scanf("%d", &distinct) == 1; line++) {
		int keep = line % modulus != rest;
		for (int i = 0; i < distinct; i++) {
			int w, c;
			if (scanf(" %d:%d", &w, &c) != 2) return fprintf(stderr, "line %d is no LDA-C\n", line + 1), 1;
			if (w >= V) V = w + 1;
			for (; keep && c > 0; c--) {
				if (N == cap) {
					cap *= 2;
					word = realloc(word, cap * sizeof *word), doc = realloc(doc, cap * sizeof *doc);
					if (!word || !doc) return 1;
				}
				word[N] = w, doc[N++] = D;
			}
		}
		D += keep;
	}
	int *z = room(N, sizeof *z);
	double *nd = room((size_t)D * K, sizeof *nd), *nw = room((size_t)V * K, sizeof *nw), *n = room(K, sizeof *n);
	double *phi = room((size_t)V * K, sizeof *phi), *p = room(K, sizeof *p), *times = room(sweeps, sizeof *times);
	for (size_t i = 0; i < N; i++) {
		int k = z[i] = (int)(uniform() * K);
		nd[(size_t)doc[i] * K + k]++, nw[(size_t)word[i] * K + k]++, n[k]++;
	}
	for (int given = 0; given < 2; given++) {
		if (given)
			for (size_t v = 0; v < (size_t)V; v++)
				for (int k = 0; k < K; k++) phi[v * K + k] = (beta + nw[v * K + k]) / (V * beta + n[k]);
		for (int s = 0; s < sweeps; s++) {
			double start = now();
			for (size_t i = 0; i < N; i++) {
				double *d = nd + (size_t)doc[i] * K, *w = nw + (size_t)word[i] * K, *f = phi + (size_t)word[i] * K, sum = 0;
				int k = z[i];
				d[k]--;
				if (given) {
					for (int j = 0; j < K; j++) p[j] = sum += (alpha + d[j]) * f[j];
				} else {
					w[k]--, n[k]--;
					for (int j = 0; j < K; j++) p[j] = sum += (alpha + d[j]) * (beta + w[j]) / (V * beta + n[j]);
				}
				double u = uniform() * sum;
				for (k = 0; k < K - 1 && p[k] <= u; k++) {}
				z[i] = k, d[k]++;
				if (!given) w[k]++, n[k]++;
			}
			times[s] = now() - start;
		}
		qsort(times, sweeps, sizeof *times, by_value);
		printf("%s  %d documents  %zu words  %.5f s a sweep  %.1f ns a word\n", given ? "given    " : "collapsed", D, N, times[sweeps / 2], 1e9 * times[sweeps / 2] / (double)N);
	}
	return 0;
}
