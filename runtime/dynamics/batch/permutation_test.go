package batch

import (
	"fmt"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/rng"
)

// TestManyRows: a pass over rows that are arranged has each of them once, another pass another
// order, and its batches are a function of their numbers.
func TestManyRows(t *testing.T) {
	const n, size = fewRows + 77, 1000
	b := New(n, size, Shuffle, stream())
	var first []int
	for pass := range int64(2) {
		var all []int
		for k := range b.PerPass() {
			rows, _ := b.At(pass*b.PerPass() + k)
			all = append(all, rows...)
		}
		if pass == 0 {
			first = slices.Clone(all)
		} else if slices.Equal(first, all) {
			t.Error("two passes have one order")
		}
		slices.Sort(all)
		for i, r := range all {
			if i != r || len(all) != n {
				t.Fatalf("a pass of %d rows has row %d in place %d", len(all), r, i)
			}
		}
	}
	for _, k := range []int64{130, 3, 0, 60, 7} { // back and forth, also within a pass
		rows, _ := New(n, size, Shuffle, stream()).At(k)
		if again, _ := b.At(k); !slices.Equal(rows, again) {
			t.Errorf("batch %d depends on what was asked before", k)
		}
	}
	k := int64(0)
	if a := testing.AllocsPerRun(100, func() { b.At(k); b.Coming(); k += 3 }); a != 0 {
		t.Errorf("%g allocations a batch", a)
	}
}

// TestManyUniform: where a row is in the pass does not depend on the row, nor on its neighbours.
func TestManyUniform(t *testing.T) {
	const n, parts, passes = fewRows + 512, 16, 40
	p := newPermutation(n, stream())
	row, places := make([]int, n), make([]int, n)
	var count [parts][parts]float64 // rows of a part of all, in a part of the pass
	neighbours, rising := 0, 0
	for pass := range int64(passes) {
		p.many(pass, 0, row, places)
		for at, r := range row {
			count[int(r)*parts/n][at*parts/n]++
			if at > 0 && row[at-1]+1 == r {
				neighbours++
			}
			if at > 0 && row[at-1] < r {
				rising++
			}
		}
	}
	chi := 0.0
	want := float64(n) * passes / (parts * parts)
	for _, list := range count {
		for _, c := range list {
			chi += (c - want) * (c - want) / want
		}
	}
	if chi < 140 || chi > 330 { // 225 degrees of freedom, sd 21
		t.Errorf("rows are in parts of the pass with χ² = %.0f, want 225", chi)
	}
	if neighbours < 12 || neighbours > 75 { // one a pass, sd 6
		t.Errorf("%d rows follow the row before them, want %d", neighbours, passes)
	}
	// Half of the pairs, of variance 1/12 each (runs up; their correlations count).
	if share := float64(rising) / (passes * (n - 1)); share < 0.499 || share > 0.501 {
		t.Errorf("%.4f of the rows are above those before them", share)
	}
}

// TestMixUniform: all orders of a few rows come equally often, also where they are dealt first.
func TestMixUniform(t *testing.T) {
	const passes = 24 * 2000
	for name, order := range map[string]func(pass int64) []uint32{
		"mixed": func(pass int64) []uint32 {
			list := []uint32{0, 1, 2, 3}
			src := stream().At(uint64(pass))
			mix(&src, list)
			return list
		},
		"dealt": func(pass int64) []uint32 {
			return deal(4, rng.New(uint64(pass), 0, rng.Test))
		},
	} {
		count := map[string]int{}
		for pass := range int64(passes) {
			count[fmt.Sprint(order(pass))]++
		}
		for o, c := range count { // sd 44
			if len(count) != 24 || c < 1780 || c > 2220 {
				t.Fatalf("%s: %d orders; %s came %d times, want 2000", name, len(count), o, c)
			}
		}
	}
}

// TestBelow: numbers whose bits would have a bias are drawn again.
func TestBelow(t *testing.T) {
	src := rng.New(1, 0, rng.Test).At(0)
	const n = 3 << 30 // a quarter of all words would come twice
	var count [3]int
	for range 30000 {
		x := below(&src, uint32(src.Uint64()), n)
		if x >= n {
			t.Fatalf("%d is not below %d", x, uint32(n))
		}
		count[x>>30]++
	}
	for i, c := range count { // sd 82
		if c < 9600 || c > 10400 {
			t.Errorf("%d numbers of 30000 are in third %d", c, i)
		}
	}
}

// BenchmarkPass is a batch of 100 rows of a shuffled pass.
func BenchmarkPass(b *testing.B) {
	for _, n := range []int{8000, 64000, 512000, 2000000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := New(n, 100, Shuffle, stream())
			p.At(0)
			b.ResetTimer()
			for i := range b.N {
				p.At(1 + int64(i))
			}
		})
	}
}
