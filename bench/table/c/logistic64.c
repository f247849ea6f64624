/* mSGNHT for logistic regression on a9a in double precision, written for this model alone: rows as
 * lists of column indices, minibatches drawn with replacement, symmetric splitting, normals by
 * Box-Muller eight at a time, exponentials and the rest by the vectors of libmvec.
 *
 *   PEERS_DATA=DIR ./logistic64 "msgnht 10"
 *
 * DIR has the files of the peers' generator. Prints steps a second of processor time. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { D = 123, P = 128, WIDE = 16, MOST = 1024 };

static int rows;
static float *label;
static uint8_t *columns; /* WIDE a row, filled up with column 127, whose weight is 0 */
static double theta[P] __attribute__((aligned(64))), v[P] __attribute__((aligned(64)));
static double xi[P] __attribute__((aligned(64))), grad[P] __attribute__((aligned(64)));
static double noise[P] __attribute__((aligned(64)));

/* Eight generators xorshift128+ side by side (Vigna 2017). */
static uint64_t s0[8] __attribute__((aligned(64))), s1[8] __attribute__((aligned(64)));

static inline void bits(uint64_t *out) {
	for (int i = 0; i < 8; i++) {
		uint64_t a = s0[i], b = s1[i];
		s0[i] = b;
		a ^= a << 23;
		s1[i] = a ^ b ^ (a >> 18) ^ (b >> 5);
		out[i] = s1[i] + b;
	}
}

static void normals(void) {
	double u[P / 2] __attribute__((aligned(64))), w[P / 2] __attribute__((aligned(64)));
	for (int i = 0; i < P / 2; i += 8) {
		uint64_t a[8] __attribute__((aligned(64))), b[8] __attribute__((aligned(64)));
		bits(a);
		bits(b);
		for (int k = 0; k < 8; k++) {
			u[i + k] = ((double)(int64_t)(a[k] >> 11) + 0.5) * 0x1p-53;
			w[i + k] = (double)(int64_t)(b[k] >> 11) * (6.283185307179586 * 0x1p-53);
		}
	}
	for (int i = 0; i < P / 2; i++) u[i] = sqrt(-2 * log(u[i]));
	for (int i = 0; i < P / 2; i++) noise[i] = u[i] * cos(w[i]);
	for (int i = 0; i < P / 2; i++) noise[P / 2 + i] = u[i] * sin(w[i]);
}

static uint64_t picker = 88172645463325252u;

static inline uint32_t pick(void) { /* xorshift64*, Vigna 2016 */
	picker ^= picker >> 12, picker ^= picker << 25, picker ^= picker >> 27;
	return ((picker * 2685821657736338717u >> 32) * (uint64_t)rows) >> 32;
}

static void gradient(int batch) {
	static double z[MOST] __attribute__((aligned(64)));
	static uint32_t at[MOST];
	static double sum[4][P] __attribute__((aligned(64)));
	memset(sum, 0, sizeof sum);
	for (int r = 0; r < batch; r++) {
		at[r] = pick();
		uint8_t *c = columns + WIDE * (long)at[r];
		double a = 0, b = 0;
		for (int k = 0; k < 14; k += 2) a += theta[c[k]], b += theta[c[k + 1]];
		z[r] = a + b;
	}
	for (int r = 0; r < batch; r++) z[r] = 1 / (1 + exp(-z[r]));
	for (int r = 0; r < batch; r++) {
		uint8_t *c = columns + WIDE * (long)at[r];
		double w = z[r] - label[at[r]], *g = sum[r & 3];
		for (int k = 0; k < 14; k++) g[c[k]] += w;
	}
	double scale = (double)rows / batch;
	for (int j = 0; j < P; j++)
		grad[j] = scale * (sum[0][j] + sum[1][j] + sum[2][j] + sum[3][j]) + 0.1 * theta[j];
	grad[P - 1] = 0;
}

static void step(int batch) {
	const double h = 1e-5, friction = 1, sd = sqrt(2 * friction * h);
	for (int j = 0; j < P; j++) {
		theta[j] += h / 2 * v[j];
		xi[j] += h / 2 * (v[j] * v[j] - 1);
	}
	for (int j = 0; j < P; j++) v[j] *= exp(-h / 2 * xi[j]);
	theta[P - 1] = 0;
	gradient(batch);
	normals();
	for (int j = 0; j < P; j++) v[j] += sd * noise[j] - h * grad[j];
	for (int j = 0; j < P; j++) v[j] *= exp(-h / 2 * xi[j]);
	for (int j = 0; j < P; j++) {
		theta[j] += h / 2 * v[j];
		xi[j] += h / 2 * (v[j] * v[j] - 1);
	}
	theta[P - 1] = 0;
}

static void *load(const char *name, long *bytes) {
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", getenv("PEERS_DATA"), name);
	FILE *f = fopen(path, "rb");
	if (!f) {
		perror(path);
		exit(1);
	}
	fseek(f, 0, SEEK_END);
	*bytes = ftell(f);
	rewind(f);
	void *b = malloc(*bytes);
	if (fread(b, 1, *bytes, f) != (size_t)*bytes) exit(1);
	fclose(f);
	return b;
}

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
	int batch;
	long bytes;
	if (argc < 2 || sscanf(argv[1], "msgnht %d", &batch) != 1 || batch > MOST) return 2;
	label = load("a9a_y.f32", &bytes);
	rows = bytes / 4;
	int *first = load("a9a_indptr.i32", &bytes), *index = load("a9a_idx.i32", &bytes);
	columns = malloc((long)WIDE * rows);
	memset(columns, P - 1, (long)WIDE * rows);
	for (int i = 0; i < rows; i++)
		for (int k = first[i]; k < first[i + 1]; k++) columns[WIDE * (long)i + k - first[i]] = index[k];
	for (int i = 0; i < 8; i++) s0[i] = 0x9e3779b97f4a7c15u * (i + 1), s1[i] = ~s0[i] * 0xbf58476d1ce4e5b9u;
	for (int j = 0; j < P; j++) xi[j] = 1;
	const char *text = getenv("PEERS_SECS");
	double seconds = text ? atof(text) : 0.3, begun, spent;
	long done = 0;
	for (int i = 0; i < 1000; i++) step(batch);
	begun = now();
	do {
		for (int i = 0; i < 100; i++) step(batch);
		done += 100;
		spent = now() - begun;
	} while (spent < seconds);
	if (!isfinite(theta[0])) return 1;
	printf("%s %.6g step/s\n", argv[1], done / spent);
	return 0;
}
