package diagnose

import (
	"crypto/sha256"
	"math"
	"testing"
)

// TestRecall: what is remembered has the bits of a summary that is computed, and is of these draws
// alone.
func TestRecall(t *testing.T) {
	load := func(i int, dst [][]float64) error {
		for c, x := range series(600, 3) {
			copy(dst[c], x)
			dst[c][i] += float64(i)
		}
		return nil
	}
	const numbers = 20
	first, err := SummarizeMany(numbers, 3, 600, 2, load)
	if err != nil {
		t.Fatal(err)
	}
	again, err := SummarizeMany(numbers, 3, 600, 2, load)
	if err != nil {
		t.Fatal(err)
	}
	for i := range first {
		y := series(600, 3)
		for c := range y {
			y[c][i] += float64(i)
		}
		if want := Summarize(y); first[i] != want || again[i] != want {
			t.Errorf("number %d: %v, then %v, want %v", i, first[i], again[i], want)
		}
	}

	w := new(Workspace)
	seen := map[[sha256.Size]byte]int{}
	for i, draws := range [][][]float64{{{1, 2}, {3, 4}}, {{1, 2, 3}, {4}}, {{1, 2, 3, 4}}, {{1, 2}},
		{{0}}, {{math.Copysign(0, -1)}}, {}, {{}}, {{}, {}}, make([][]float64, 3),
		{make([]float64, 512)}, {make([]float64, 513)}} {
		key := w.digest(draws)
		if j, ok := seen[key]; ok {
			t.Errorf("%d and %d are taken for one another", i, j)
		}
		seen[key] = i
	}
}

// TestForgets: as many summaries are remembered as there may be, and no more.
func TestForgets(t *testing.T) {
	w := new(Workspace)
	for i := range 2*mostRemembered + 10 {
		w.recall([][]float64{{float64(i), 1}})
	}
	if n := len(remembered.of); n > mostRemembered || n == 0 {
		t.Errorf("%d summaries are remembered", n)
	}
}

func BenchmarkDigest(b *testing.B) {
	y, w := series(1000, 4), new(Workspace)
	b.Run("digest", func(b *testing.B) {
		for b.Loop() {
			w.digest(y)
		}
	})
	b.Run("summary", func(b *testing.B) {
		for b.Loop() {
			w.Summarize(y)
		}
	})
}
