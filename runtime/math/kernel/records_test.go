package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// setRows are rows that have up to most of p columns each, in rising order.
func setRows(g *rand.Rand, rows, p, most int) Rows {
	r := Rows{}
	for range rows {
		lo := len(r.Index)
		for _, c := range g.Perm(p)[:g.IntN(min(p, most)+1)] {
			r.Index = append(r.Index, int32(c))
		}
		slices.Sort(r.Index[lo:])
		r.Lo, r.Hi = append(r.Lo, lo), append(r.Hi, len(r.Index))
	}
	return r
}

// laidOut are random places of n rows in memory.
func laidOut(g *rand.Rand, n int) []uint32 {
	places := make([]uint32, n)
	for row, place := range g.Perm(n) {
		places[row] = uint32(place)
	}
	return places
}

// picked chooses n of the rows, some more than once, as records and by their bounds.
// places are those of all rows; nil: each in its own.
func picked(
	g *rand.Rand, all Rows, places []uint32, c *Records, n int,
) (records, bounds Rows) {
	list := make([]int, n)
	bounds = Rows{Index: all.Index}
	for i := range list {
		list[i] = g.IntN(len(all.Lo))
		bounds.Lo, bounds.Hi = append(bounds.Lo, all.Lo[list[i]]), append(bounds.Hi, all.Hi[list[i]])
	}
	place := list
	if places != nil {
		place = make([]int, n)
		for i, r := range list {
			place[i] = int(places[r])
		}
	}
	p := &Picked{}
	p.Coming(list[:g.IntN(n+1)])
	p.Pick(c, list, place, g.IntN(3))
	return Rows{Picked: p, Index: all.Index}, bounds
}

// The pass over records has the bits of its parts in portable Go over the rows by their bounds.
func TestRecordLogit(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for trial := range 200 {
			g := rand.New(rand.NewPCG(uint64(trial), 22))
			p, most, n := 1+g.IntN(128), g.IntN(49), g.IntN(40)
			if trial%10 == 9 {
				n = 1000 + g.IntN(2000)
			}
			if trial%3 == 0 {
				p, most = 1+g.IntN(10), 4
			}
			all := setRows(g, 50, p, most)
			var places []uint32
			var laid func() []uint32
			if trial%2 == 1 {
				places = laidOut(g, len(all.Lo))
				laid = func() []uint32 { return places }
			}
			c := NewRecords(all, laid)
			if c == nil {
				if logitVector() {
					t.Fatalf("%d columns, up to %d a row: no records", p, most)
				}
				return
			}
			r, bounds := picked(g, all, places, c, n)
			r32, bounds32 := Rows32{Picked: r.Picked, Index: r.Index},
				Rows32{Lo: bounds.Lo, Hi: bounds.Hi, Index: bounds.Index}
			bias := g.NormFloat64()
			if trial%5 == 0 {
				bias *= 700
			}
			wild, width := trial%4 == 0, p+g.IntN(2)*g.IntN(100)
			name := fmt.Sprintf("trial %d", trial)
			logitAgrees(t, name, random[float64](g, width, wild), random[float64](g, n, false),
				random[float64](g, width, wild),
				func(grad, w, y, d []float64) wide { return SparseLogit(grad, &r, w, bias, y, d) },
				func(grad, w, y, d []float64) wide {
					logitParts64(grad, bounds, w, bias, y, d)
					return Sum(d)
				})
			logitAgrees(t, name, random[float32](g, width, wild), random[float32](g, n, false),
				random[float32](g, width, wild),
				func(grad, w, y, d []float32) wide { return SparseLogit32(grad, &r32, w, bias, y, d) },
				func(grad, w, y, d []float32) wide {
					logitParts32(grad, bounds32, w, float32(bias), y, d)
					return Sum32(d)
				})
		}
	})
}

// Every function of sparse rows takes rows that are picked among records.
func TestPickedRows(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		const p, h, n = 20, 9, 33
		g := rand.New(rand.NewPCG(3, 22))
		all := setRows(g, 50, p, 12)
		places := laidOut(g, len(all.Lo))
		c := NewRecords(all, func() []uint32 { return places })
		if c == nil {
			return
		}
		r, bounds := picked(g, all, places, c, n)
		if r.Len() != n || bounds.Len() != n {
			t.Errorf("%d and %d rows, want %d", r.Len(), bounds.Len(), n)
		}
		w, d := random[float64](g, p*h, false), random[float64](g, n*h, false)
		for name, f := range map[string]func(out []float64, r Rows){
			"vector":     func(out []float64, r Rows) { SparseMulVec(out[:n], r, w[:p], false) },
			"transposed": func(out []float64, r Rows) { SparseMulVecT(out[:p], r, d[:n], false) },
			"matrix":     func(out []float64, r Rows) { SparseMulMat(out[:n*h], r, w, h, false) },
			"transposed matrix": func(out []float64, r Rows) {
				SparseMulMatT(out[:p*h], r, d, h, false)
			},
			"team": func(out []float64, r Rows) { TeamSparseMulMat(nil, out[:n*h], r, w, h, false) },
			"team, transposed": func(out []float64, r Rows) {
				TeamSparseMulMatT(nil, out[:p*h], r, d, h, false)
			},
		} {
			got, want := make([]float64, n*h), make([]float64, n*h)
			f(got, r)
			f(want, bounds)
			agree(t, name, got, want)
		}
	})
}

// Rows that records cannot hold have none, and a row that is not there is a panic.
func TestRecordsRefuse(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		row := func(columns ...int32) Rows {
			return Rows{Lo: []int{0}, Hi: []int{len(columns)}, Index: columns}
		}
		long := make([]int32, 49)
		for i := range long {
			long[i] = int32(i)
		}
		values := row(1, 2)
		values.Value = []float64{3, 4}
		for name, r := range map[string]Rows{"values": values, "no row": {},
			"a repeated column": row(1, 1), "falling columns": row(2, 1),
			"a large column": row(128), "a long row": row(long...)} {
			if NewRecords(r, nil) != nil {
				t.Errorf("%s: there are records", name)
			}
		}
		c := NewRecords(row(1, 3, 127), nil)
		if c == nil {
			return
		}
		for _, bad := range []int{-1, 1, 1 << 40} {
			p := &Picked{}
			p.Pick(c, []int{0, bad}, []int{0, bad}, 0)
			if !panics(func() {
				x := make([]float64, 128)
				SparseLogit(x, &Rows{Picked: p}, x, 0, make([]float64, 2), make([]float64, 2))
			}) {
				t.Errorf("there is no row %d, and nothing happened", bad)
			}
		}
	})
}
