package kernel

import (
	"math/rand/v2"
	"testing"
)

// categories are rows with a one in each of some groups of columns, the first of
// a group the most frequent, and now and then without.
func categories(g *rand.Rand, rows int, sizes []int) (r Rows, columns int) {
	for range rows {
		r.Lo = append(r.Lo, len(r.Index))
		columns = 0
		for _, n := range sizes {
			if g.IntN(20) > 0 {
				r.Index = append(r.Index,
					int32(columns+int(float64(n)*g.Float64()*g.Float64()*g.Float64())))
			}
			columns += n
		}
		r.Hi = append(r.Hi, len(r.Index))
	}
	return r, columns
}

// With whole numbers, which all orders of summation give the same sums of, packed
// rows multiply as they do unpacked, in both precisions.
func TestPacked(t *testing.T) {
	g := source(14)
	for _, c := range []struct{ rows, block int }{{1, 1}, {900, 1000}, {5000, 1024}, {5000, 333}} {
		r, columns := categories(g, c.rows, []int{5, 8, 5, 16, 5, 7, 14, 6, 5, 2, 2, 2, 5, 41})
		p := Pack(r, columns, c.block)
		if (p != nil) != (c.rows > 100) {
			t.Fatalf("%d rows in blocks of %d: packed %v", c.rows, c.block, p != nil)
		}
		if p == nil {
			continue
		}
		n := 0
		for _, b := range p.blocks {
			for _, g := range b.groups {
				n += len(g.symbol)
			}
		}
		if 2*n > len(r.Index) {
			t.Errorf("%d entries are %d symbols still, with %d pairs", len(r.Index), n,
				len(p.pairs))
		}
		whole := func(n int) ([]float64, []float32) {
			x := make([]float64, n)
			for i := range x {
				x[i] = float64(g.IntN(200) - 100)
			}
			return x, single(x)
		}
		pass := p.Pass()
		for _, acc := range []bool{false, true} {
			w, w32 := whole(columns)
			wantT, wantT32 := whole(columns)
			if !acc {
				clear(wantT)
				clear(wantT32)
			}
			gotT, gotT32 := append([]float64{}, wantT...), append([]float32{}, wantT32...)
			for i := 0; i < c.rows; i += c.block {
				e := min(i+c.block, c.rows)
				pass.To(i / c.block)
				own := Rows{Lo: r.Lo[i:e], Hi: r.Hi[i:e], Index: r.Index}
				packed := own
				packed.Packed = pass
				own32, packed32 := Rows32{Lo: own.Lo, Hi: own.Hi, Index: r.Index},
					Rows32{Lo: own.Lo, Hi: own.Hi, Index: r.Index, Packed: pass}

				want, want32 := whole(e - i)
				got, got32 := append([]float64{}, want...), append([]float32{}, want32...)
				SparseMulVec(want, own, w, acc)
				SparseMulVec(got, packed, w, acc)
				agree(t, "SparseMulVec", got, want)
				SparseMulVec32(want32, own32, w32, acc)
				SparseMulVec32(got32, packed32, w32, acc)
				agree(t, "SparseMulVec32", got32, want32)

				d, d32 := whole(e - i)
				SparseMulVecT(wantT, own, d, true)
				SparseMulVecT(gotT, packed, d, true)
				SparseMulVecT32(wantT32, own32, d32, true)
				SparseMulVecT32(gotT32, packed32, d32, true)
			}
			agree(t, "SparseMulVecT", gotT, wantT)
			agree(t, "SparseMulVecT32", gotT32, wantT32)
		}
	}
}

// What has nothing in common, or values, is not packed.
func TestPackRefuses(t *testing.T) {
	g := source(15)
	r := Rows{}
	for range 2000 {
		r.Lo = append(r.Lo, len(r.Index))
		for c := range 3000 {
			if g.IntN(200) == 0 {
				r.Index = append(r.Index, int32(c))
			}
		}
		r.Hi = append(r.Hi, len(r.Index))
	}
	if Pack(r, 3000, 1024) != nil {
		t.Error("rows without pattern are packed")
	}
	r, columns := categories(g, 2000, []int{3, 4, 5, 6})
	if Pack(r, columns, 1024) == nil {
		t.Error("rows of categories are not packed")
	}
	if Pack(r, columns-1, 1024) != nil {
		t.Error("a column beyond the matrix is packed")
	}
	r.Value = normals(g, len(r.Index))
	if Pack(r, columns, 1024) != nil {
		t.Error("rows with values are packed")
	}
}
