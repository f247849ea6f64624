/* The gradient of latent Dirichlet allocation with topics that are softmax of reals, on minibatches
 * of documents, written for this model alone (bench/models/topics.sg): the proportions of a document
 * are integrated out, 20 Gibbs sweeps over its words and then 20 over which counts are averaged. The
 * gradient is counts − totals · softmax, and that of the prior N(0.1, 1).
 *
 *   PEERS_DATA=DIR ./topics lda_gradient_c
 *
 * DIR/newsgroups.ldac has the documents, in LDA-C. Prints words of minibatches a second of processor
 * time, each counted once a minibatch. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { K = 30, BATCH = 5, SWEEPS = 20 };
static const double alpha = 0.1;

static int D, V, *first, *word;
static double *eta, *soft, *count; /* [V][K] */

static uint64_t state = 88172645463325252u;

static inline double uniform(void) { /* xorshift64*, Vigna 2016 */
	state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
	return (double)((state * 2685821657736338717u) >> 11) * 0x1p-53;
}

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void read_documents(void) {
	char path[4096];
	const char *dir = getenv("PEERS_DATA");
	snprintf(path, sizeof path, "%s/newsgroups.ldac", dir ? dir : "peers-data");
	FILE *f = fopen(path, "r");
	if (!f) exit(1);
	size_t words = 0, most = 1 << 22;
	word = malloc(most * sizeof *word), first = malloc(((1 << 20) + 1) * sizeof *first);
	for (int distinct; fscanf(f, "%d", &distinct) == 1; D++) {
		first[D] = words;
		for (int i = 0; i < distinct; i++) {
			int w, n;
			if (fscanf(f, " %d:%d", &w, &n) != 2) exit(1);
			if (w >= V) V = w + 1;
			for (; n > 0 && words < most; n--) word[words++] = w;
		}
	}
	first[D] = words;
	fclose(f);
}

static void softmax(void) {
	double most[K], total[K];
	for (int k = 0; k < K; k++) most[k] = -INFINITY, total[k] = 0;
	for (int v = 0; v < V; v++)
		for (int k = 0; k < K; k++) most[k] = eta[(size_t)v * K + k] > most[k] ? eta[(size_t)v * K + k] : most[k];
	for (int v = 0; v < V; v++)
		for (int k = 0; k < K; k++) total[k] += soft[(size_t)v * K + k] = exp(eta[(size_t)v * K + k] - most[k]);
	for (int k = 0; k < K; k++) total[k] = 1 / total[k];
	for (int v = 0; v < V; v++)
		for (int k = 0; k < K; k++) soft[(size_t)v * K + k] *= total[k];
}

/* document adds counts of its words and topics, averaged over the last sweeps. */
static void document(int d, double weight) {
	static int z[1 << 20];
	double n[K] = {0}, p[K];
	for (int i = first[d]; i < first[d + 1]; i++) n[z[i - first[d]] = (int)(uniform() * K)]++;
	for (int s = 0; s < 2 * SWEEPS; s++)
		for (int i = first[d]; i < first[d + 1]; i++) {
			double *f = soft + (size_t)word[i] * K, sum = 0;
			int k = z[i - first[d]];
			n[k]--;
			for (int j = 0; j < K; j++) p[j] = sum += (alpha + n[j]) * f[j];
			double u = uniform() * sum;
			for (k = 0; k < K - 1 && p[k] <= u; k++) {}
			z[i - first[d]] = k, n[k]++;
			if (s >= SWEEPS) count[(size_t)word[i] * K + k] += weight;
		}
}

/* gradient writes into count; it returns the words of the minibatch. */
static long gradient(void) {
	double total[K] = {0}, scale = (double)D / BATCH;
	long words = 0;
	softmax();
	memset(count, 0, sizeof *count * K * V);
	for (int b = 0; b < BATCH; b++) {
		int d = uniform() * D;
		words += first[d + 1] - first[d];
		document(d, scale / SWEEPS);
	}
	for (int v = 0; v < V; v++)
		for (int k = 0; k < K; k++) total[k] += count[(size_t)v * K + k];
	for (int v = 0; v < V; v++)
		for (int k = 0; k < K; k++) {
			size_t i = (size_t)v * K + k;
			count[i] += 0.1 - eta[i] - total[k] * soft[i];
		}
	return words;
}

int main(int argc, char **argv) {
	read_documents();
	size_t n = (size_t)V * K;
	eta = aligned_alloc(64, 8 * n), soft = aligned_alloc(64, 8 * n), count = aligned_alloc(64, 8 * n);
	for (size_t i = 0; i < n; i++) eta[i] = sqrt(-2 * log(1 - uniform())) * cos(6.283185307179586 * uniform());
	const char *text = getenv("PEERS_SECS");
	double seconds = text ? atof(text) : 0.3, begun, spent;
	long words = 0;
	for (int i = 0; i < 20; i++) gradient();
	begun = now();
	do {
		for (int i = 0; i < 20; i++) words += gradient();
		spent = now() - begun;
	} while (spent < seconds);
	if (!isfinite(count[0])) return 1;
	printf("%s %.6g words/s\n", argc > 1 ? argv[1] : "lda_gradient_c", words / spent);
	return 0;
}
