"""The vocabulary that deep topic models are fitted to.

    python3 words.py OUT SHARE MOST TRAIN.ldac[.gz] [OTHER.ldac[.gz] ...]

Of the training corpus, in the format LDA-C: words in more than SHARE of its documents are dropped, and of the others
the MOST that occur most often are kept, ties by number. The folder OUT gets all corpora in the numbers of these words,
by frequency, under their own names without .gz, each document with what is left of it, also where that is nothing; and
words.txt, the old number of each word, a line each.
"""
import collections
import gzip
import os
import sys


def documents(path):
    """The documents of a corpus: pairs of a word and its count."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as f:
        for line in f:
            yield [tuple(map(int, pair.split(":"))) for pair in line.split()[1:]]


def frequent(path, share, most):
    """The words of a corpus that are kept, the most frequent first."""
    within, total, n = collections.Counter(), collections.Counter(), 0
    for doc in documents(path):
        n += 1
        for word, count in doc:
            within[word] += 1
            total[word] += count
    return sorted((w for w in total if within[w] <= share * n), key=lambda w: (-total[w], w))[:most]


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    out, share, most, paths = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    os.makedirs(out, exist_ok=True)
    kept = frequent(paths[0], share, most)
    number = {word: i for i, word in enumerate(kept)}
    with open(os.path.join(out, "words.txt"), "w") as f:
        f.writelines(f"{word}\n" for word in kept)
    for path in paths:
        to = os.path.join(out, os.path.basename(path).removesuffix(".gz"))
        if os.path.exists(to) and os.path.samefile(path, to):
            sys.exit(f"{path} would be overwritten: name another folder")
        with open(to, "w") as f:
            for doc in documents(path):
                pairs = sorted((number[word], count) for word, count in doc if word in number)
                f.write(" ".join([str(len(pairs))] + [f"{word}:{count}" for word, count in pairs]) + "\n")


if __name__ == "__main__":
    main()
