package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// held is which documents are scored: those whose number is 4 modulo so many.
const held = 5

// A bag is a document as it is counted.
type bag struct{ word, count []int }

// rows writes a corpus as directions: a word that occurs tf times in a document and in df of the D
// documents has the weight tf log(D/(1 + df)), and rows have length 1. Training and test documents
// are weighted apart, by their own numbers, as Liu, Zhu & Song do.
func rows(corpus, vocabulary, out string) error {
	v, err := strconv.Atoi(vocabulary)
	if err != nil {
		return err
	}
	docs, err := bags(corpus)
	if err != nil {
		return err
	}
	var train, test []bag
	for i, d := range docs {
		if i%held == held-1 {
			test = append(test, d)
		} else {
			train = append(train, d)
		}
	}
	for name, list := range map[string][]bag{"train": train, "test": test} {
		text := weighted(list, v)
		if err := os.WriteFile(filepath.Join(out, name+".libsvm"), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// bags reads a file in LDA-C, compressed or not.
func bags(path string) ([]bag, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(f)
		if err != nil {
			return nil, err
		}
		lines = bufio.NewScanner(z)
	}
	lines.Buffer(nil, 1<<24)
	var docs []bag
	for lines.Scan() {
		var d bag
		for _, pair := range strings.Fields(lines.Text())[1:] {
			word, count := 0, 0
			if _, err := fmt.Sscanf(pair, "%d:%d", &word, &count); err != nil {
				return nil, fmt.Errorf("%s: %q: %v", path, pair, err)
			}
			d.word, d.count = append(d.word, word), append(d.count, count)
		}
		docs = append(docs, d)
	}
	return docs, lines.Err()
}

// weighted are documents in the libsvm format, but for those of which no weight is left.
func weighted(docs []bag, v int) string {
	df := make([]float64, v)
	for _, d := range docs {
		for _, w := range d.word {
			df[w]++
		}
	}
	var b strings.Builder
	for _, d := range docs {
		x := make([]float64, len(d.word))
		square := 0.0
		for i, w := range d.word {
			x[i] = float64(d.count[i]) * math.Log(float64(len(docs))/(1+df[w]))
			square += x[i] * x[i]
		}
		if square == 0 {
			continue
		}
		b.WriteString("1")
		for i, w := range d.word {
			fmt.Fprintf(&b, " %d:%.17g", w+1, x[i]/math.Sqrt(square))
		}
		b.WriteString("\n")
	}
	return b.String()
}
