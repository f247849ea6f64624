package batch

import (
	"math"
	"runtime"
	"slices"
	"testing"
)

// TestArrange: an arrangement has every row once, and all who ask for it while it is in use get the
// same.
func TestArrange(t *testing.T) {
	const n = fewRows + 77
	if Arrange(fewRows) != nil || Arranges(fewRows) || !Arranges(n) {
		t.Error("few rows have an arrangement, or many have none")
	}
	a := Arrange(n)
	if Arrange(n) != a {
		t.Error("there are two arrangements")
	}
	first := slices.Clone(a.Rows())
	runtime.KeepAlive(a)
	a = nil
	runtime.GC()
	if !slices.Equal(Arrange(n).Rows(), first) {
		t.Error("another time it is another order")
	}
	places := Arrange(n).Places()
	for place, row := range first {
		if int(places[row]) != place {
			t.Fatalf("row %d is in place %d, not in %d", row, place, places[row])
		}
	}
	sorted := slices.Clone(first)
	slices.Sort(sorted)
	for i, r := range sorted {
		if int(r) != i {
			t.Fatalf("row %d is not there once", i)
		}
	}
}

// TestPlaces: places are those of the rows of the batch that was asked for last, whatever was asked
// for before; those that come soon are places of batches one pool later.
func TestPlaces(t *testing.T) {
	for _, size := range []int{10, 700, 9000} {
		const n = 2*fewRows + 1234
		b, a := New(n, size, Shuffle, stream()), Arrange(n)
		count := b.PerPass()
		for _, k := range []int64{0, 1, 2, count - 1, count, 5, 4, 3, 77 % count, count / 2} {
			rows, _ := b.At(k)
			b.Coming()
			places, soon := b.Places()
			if len(places) != len(rows) || len(soon) > len(rows) {
				t.Fatalf("batch %d of %d rows has %d places, %d soon", k, len(rows), len(places),
					len(soon))
			}
			for i, p := range places {
				if int(a.Rows()[p]) != rows[i] {
					t.Fatalf("batch %d: row %d is not in place %d", k, rows[i], p)
				}
			}
		}
		var early, late []int // places of a pool, as they are told and as they come
		p := newPermutation(n, stream())
		early, late = make([]int, poolRows), make([]int, poolRows)
		p.begin(3)
		if m := p.soon(poolRows, early); m != poolRows {
			t.Fatalf("%d places are told", m)
		}
		p.many(3, 2*poolRows, make([]int, poolRows), late)
		slices.Sort(early)
		slices.Sort(late)
		if !slices.Equal(early, late) {
			t.Error("other places come than were told")
		}
		if m := p.soon(n-poolRows-3, early); m != 3 {
			t.Errorf("%d places are told at the end of a pass, want 3", m)
		}
	}
	for _, order := range Orders {
		b := New(10, 2, order, stream())
		b.At(0)
		if places, soon := b.Places(); places != nil || soon != nil {
			t.Errorf("%s: few rows have places", order)
		}
	}
}

// TestSortedFile: where the rows are sorted, means of batches vary as those of simple random
// samples, and two batches of a pass that follow one another are as independent as those.
func TestSortedFile(t *testing.T) {
	const n = 100_000
	label := func(row int) float64 { // the last fifth is 1
		if row >= n/5*4 {
			return 1
		}
		return 0
	}
	drift := func(row int) float64 { return float64(row) / n }
	for name, of := range map[string]func(row int) float64{"label": label, "drift": drift} {
		mean, variance := 0.0, 0.0
		for i := range n {
			mean += of(i) / n
		}
		for i := range n {
			variance += (of(i) - mean) * (of(i) - mean) / (n - 1)
		}
		for _, size := range []int{10, 100, 1000, 25_000} {
			passes := max(2, min(size/100, 200))
			b := New(n, size, Shuffle, stream())
			square, product, last := 0.0, 0.0, 0.0
			batches := int64(passes) * b.PerPass()
			for k := range batches {
				rows, _ := b.At(k)
				x := -mean
				for _, r := range rows {
					x += of(r) / float64(len(rows))
				}
				square += x * x
				if k%b.PerPass() > 0 {
					product += x * last
				}
				last = x
			}
			m := float64(batches)
			want := variance * (1/float64(size) - 1.0/n)
			ratio, sd := square/m/want, math.Sqrt(2/m)
			// Chunks are few where rows are: their own means have a sample of variances.
			if math.Abs(ratio-1) > 5*sd+0.02 {
				t.Errorf("%s: means of %d rows have %.4f times the variance of samples, sd %.4f", name,
					size, ratio, sd)
			}
			pairs := m * (1 - 1/float64(b.PerPass()))
			lag := product / pairs / want
			if fair := -1 / float64(b.PerPass()-1); math.Abs(lag-fair) > 5/math.Sqrt(pairs)+0.02 {
				t.Errorf("%s: batches of %d rows correlate by %.4f with the next, want %.4f", name, size,
					lag, fair)
			}
			t.Logf("%s, %d rows: %.4f of the variance (sd %.4f), lag %.4f", name, size, ratio, sd, lag)
		}
	}
}
