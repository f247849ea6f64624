#!/usr/bin/env python3
"""One pass of gensim's online variational Bayes over an LDA-C corpus: seconds of processor time, of documents and words a second.

    zcat corpus.ldac.gz | python3 bench/peers/topics/online.py [K [skip-remainder skip-modulus]]      (Debian: python3-gensim)
    PEERS_DATA=DIR python3 bench/peers/topics/online.py lda_gensim      of DIR/newsgroups.ldac, one seed, for bench/table

Source of the algorithm: Hoffman, Blei & Bach (2010), Online learning for latent Dirichlet allocation.
"""
import os
import statistics
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import gensim

of_table = sys.argv[1:] == ["lda_gensim"]
lines = open(os.path.join(os.environ["PEERS_DATA"], "newsgroups.ldac")) if of_table else sys.stdin
topics = int(sys.argv[1]) if len(sys.argv) > 1 and not of_table else 30
rest, modulus = (int(sys.argv[2]), int(sys.argv[3])) if len(sys.argv) > 3 else (-1, 1)
corpus = []
for i, line in enumerate(lines):
    if i % modulus != rest:
        corpus.append([tuple(map(int, pair.split(":"))) for pair in line.split()[1:]])
names = {w: str(w) for doc in corpus for w, _ in doc}
names.update({w: str(w) for w in range(max(names) + 1)})
words = sum(n for doc in corpus for _, n in doc)
times = []
for seed in range(1, 2 if of_table else 6):
    start = time.process_time()
    gensim.models.LdaModel(corpus, num_topics=topics, id2word=names, passes=1, chunksize=256, iterations=50, alpha=[0.1] * topics, eta=0.1,
                           eval_every=None, random_state=seed)
    times.append(time.process_time() - start)
t = statistics.median(times)
if of_table:
    print(f"lda_gensim {words / t:.6g} words/s")
    sys.exit()
print(f"gensim {gensim.__version__}  {len(corpus)} documents  {words} words  {t:.3f} s a pass  {len(corpus) / t:.0f} documents/s  {words / t:.0f} words/s")
