package batch

import (
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/rng"
)

func stream() rng.Stream { return rng.New(11, 2, rng.Batch) }

// TestPass: the batches of a pass are all rows once, in sizes that differ by one
// at most and are none above what was asked for, each with its own scale.
func TestPass(t *testing.T) {
	for _, order := range []Order{Shuffle, Sequential} {
		for _, c := range [][2]int{{10, 3}, {9, 3}, {5, 5}, {1, 1}, {7, 1}, {1000, 300},
			{1001, 100}, {101, 100}} {
			n, size := c[0], c[1]
			b := New(n, size, order, stream())
			if want := int64((n + size - 1) / size); b.PerPass() != want {
				t.Errorf("%s %v: a pass has %d batches, want %d", order, c, b.PerPass(), want)
			}
			var first []int
			for pass := range int64(3) {
				var all []int
				for i := range b.PerPass() {
					rows, scale := b.At(pass*b.PerPass() + i)
					if small := n / int(b.PerPass()); len(rows) < small ||
						len(rows) > min(small+1, size) || scale != float64(n)/float64(len(rows)) {
						t.Errorf("%s %v: batch %d has %d rows and scale %g", order, c, i,
							len(rows), scale)
					}
					all = append(all, rows...)
				}
				if pass == 0 {
					first = slices.Clone(all)
				} else if same := slices.Equal(first, all); n > 5 && same != (order == Sequential) {
					t.Errorf("%s %v: pass %d repeats the first: %v", order, c, pass, same)
				}
				slices.Sort(all)
				for i, r := range all {
					if i != r || len(all) != n {
						t.Fatalf("%s %v: a pass has rows %v", order, c, all)
					}
				}
			}
		}
	}
}

// TestFunctionOfIndex: a batch does not depend on which were asked for before.
func TestFunctionOfIndex(t *testing.T) {
	for _, order := range Orders {
		one := New(23, 4, order, stream())
		for k := int64(30); k >= 0; k -= 3 {
			rows, _ := New(23, 4, order, stream()).At(k)
			again, _ := one.At(k)
			if !slices.Equal(rows, again) {
				t.Errorf("%s: batch %d is %v or %v", order, k, rows, again)
			}
		}
	}
}

// TestComing: the rows that are told to come are those of the next batches; of another pass or
// order there are none.
func TestComing(t *testing.T) {
	for _, c := range [][2]int{{23, 4}, {100, 10}, {7, 7}, {5, 1}, {fewRows + 9, 3000}} {
		b := New(c[0], c[1], Shuffle, stream())
		for k := range 2 * b.PerPass() {
			rows, _ := b.At(k)
			now := slices.Clone(rows)
			next, after := b.Coming()
			if !slices.Equal(rows, now) {
				t.Fatalf("%v: batch %d changed as others were told", c, k)
			}
			told := [][]int{slices.Clone(next), slices.Clone(after)}
			for i, want := range told {
				left := b.PerPass() - 1 - k%b.PerPass() - int64(i)
				if (len(want) > 0) != (left > 0) {
					t.Fatalf("%v: %d batches are left, rows %v come", c, left, want)
				}
				if left > 0 {
					if got, _ := b.At(k + 1 + int64(i)); !slices.Equal(got, want) {
						t.Fatalf("%v: after batch %d come %v, told %v", c, k, got, want)
					}
				}
			}
		}
	}
	for _, order := range []Order{Sequential, Replace} {
		b := New(10, 2, order, stream())
		b.At(0)
		if next, after := b.Coming(); next != nil || after != nil {
			t.Errorf("%s: rows come", order)
		}
	}
}

func TestReplace(t *testing.T) {
	const n, size, batches = 6, 4, 30000
	b := New(n, size, Replace, stream())
	var count [n]int
	repeats := 0
	for k := range int64(batches) {
		rows, scale := b.At(k)
		if len(rows) != size || scale != 1.5 {
			t.Fatalf("%d rows, scale %g", len(rows), scale)
		}
		for i, r := range rows {
			count[r]++
			if slices.Contains(rows[:i], r) {
				repeats++
			}
		}
	}
	for r, c := range count { // sd 129
		if d := c - batches*size/n; d < -600 || d > 600 {
			t.Errorf("row %d came %d times", r, c)
		}
	}
	if repeats == 0 {
		t.Error("no row came twice")
	}
}

func TestShuffleUniform(t *testing.T) {
	// Each row is first in a pass equally often.
	const n, passes = 5, 10000
	b := New(n, n, Shuffle, stream())
	var count [n]int
	for k := range int64(passes) {
		rows, _ := b.At(k)
		count[rows[0]]++
	}
	for r, c := range count { // sd 40
		if c < 1800 || c > 2200 {
			t.Errorf("row %d was first in %d of %d passes", r, c, passes)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	for _, order := range Orders {
		b := New(100, 10, order, stream())
		k := int64(0)
		if a := testing.AllocsPerRun(100, func() { b.At(k); k += 3 }); a != 0 {
			t.Errorf("%s allocates %g times a batch", order, a)
		}
	}
	first := make([]int, 3) // rows that draw gives are those of the batch, of its own source
	b := Drawn(100, 3, func(src *rng.Source, rows []int) {
		for i := range rows {
			rows[i] = 50 + src.IntN(10)
		}
	}, stream())
	rows, scale := b.At(7)
	copy(first, rows)
	b.At(8)
	if again, _ := b.At(7); !slices.Equal(first, again) || first[0] < 50 || scale != 100.0/3 {
		t.Errorf("%v, then %v; scale %g", first, again, scale)
	}
	if a := testing.AllocsPerRun(100, func() { b.At(1) }); a != 0 {
		t.Errorf("drawn batches allocate %g times", a)
	}
}
