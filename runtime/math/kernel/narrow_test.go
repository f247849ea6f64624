package kernel

import (
	"slices"
	"testing"
)

// Columns of a byte each give the bits of those of four, in both precisions and
// at every level, up to 256 columns; one beyond the vector is told.
func TestNarrowColumns(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		g := source(18)
		for trial := range 80 {
			p, n := []int{1, 30, 255, 256}[trial%4], g.IntN(7)
			r := randomRows(g, n, p, g.IntN(40), true)
			r.Value = nil
			narrow := r
			for _, c := range r.Index {
				narrow.Narrow = append(narrow.Narrow, uint8(c))
			}
			r32, narrow32 := Rows32{Lo: r.Lo, Hi: r.Hi, Index: r.Index},
				Rows32{Lo: r.Lo, Hi: r.Hi, Index: r.Index, Narrow: narrow.Narrow}
			for _, acc := range []bool{false, true} {
				w, want := normals(g, p), normals(g, n)
				got, w32, got32 := slices.Clone(want), single(w), single(want)
				want32 := slices.Clone(got32)
				SparseMulVec(want, r, w, acc)
				SparseMulVec(got, narrow, w, acc)
				agree(t, "SparseMulVec", got, want)
				SparseMulVec32(want32, r32, w32, acc)
				SparseMulVec32(got32, narrow32, w32, acc)
				agree(t, "SparseMulVec32", got32, want32)

				d, want := normals(g, n), normals(g, p)
				got, d32, got32 := slices.Clone(want), single(d), single(want)
				want32 = slices.Clone(got32)
				SparseMulVecT(want, r, d, acc)
				SparseMulVecT(got, narrow, d, acc)
				agree(t, "SparseMulVecT", got, want)
				SparseMulVecT32(want32, r32, d32, acc)
				SparseMulVecT32(got32, narrow32, d32, acc)
				agree(t, "SparseMulVecT32", got32, want32)
			}
		}
		for bad := range 9 {
			r := Rows{Lo: []int{0}, Hi: []int{9}, Index: make([]int32, 9), Narrow: make([]uint8, 9)}
			r.Index[bad], r.Narrow[bad] = 3, 3
			for i, f := range []func(){
				func() { SparseMulVec(make([]float64, 1), r, make([]float64, 3), false) },
				func() { SparseMulVecT(make([]float64, 3), r, make([]float64, 1), false) },
			} {
				func() {
					defer func() {
						if recover() == nil {
							t.Errorf("product %d reads column 3 of 3, entry %d", i, bad)
						}
					}()
					f()
				}()
			}
		}
	})
}
