package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/cpu"
)

// oneByOne is SparseLogitDifference by functions for whole arrays, in portable Go.
func oneByOne(
	g []float64, r Rows, w, anchor []float64, bias [2]float64, weight, d []float64,
) float64 {
	at := level
	level = cpu.Portable
	defer func() { level = at }()
	var p [2][]float64
	for k, w := range [][]float64{w, anchor} {
		p[k] = make([]float64, len(d))
		SparseMulVec(p[k], r, w, false)
		for i := range d {
			p[k][i] += bias[k]
		}
		Sigmoid(p[k], p[k])
	}
	for i := range d {
		p[0][i] -= p[1][i]
		d[i] = -float64(weight[i] * p[0][i])
	}
	SparseMulVecT(g, r, d, true)
	return Dot(weight, p[0])
}

// The difference at an anchor has the bits of its parts in portable Go, at every level, for rows
// with values and without, by their bounds and in records, also where numbers are so large that
// assembly leaves them to Go.
func TestSparseLogitDifference(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for trial := range 300 {
			g := rand.New(rand.NewPCG(uint64(trial), 23))
			p, most, n := 1+g.IntN(128), g.IntN(49), g.IntN(40)
			if trial%10 == 9 {
				n = 200 + g.IntN(500)
			}
			var r, bounds Rows
			switch trial % 4 {
			case 0, 1:
				all := setRows(g, 50, p, most)
				var places []uint32
				var laid func() []uint32
				if trial%8 > 3 {
					places = laidOut(g, len(all.Lo))
					laid = func() []uint32 { return places }
				}
				if c := NewRecords(all, laid); c != nil {
					r, bounds = picked(g, all, places, c, n)
					break
				}
				fallthrough
			default:
				r = randomRows(g, n, p, most, trial%3 == 0)
				if trial%3 == 1 {
					r.Narrow = narrowColumns(r.Index)
				}
				bounds = r
			}
			bias := [2]float64{g.NormFloat64(), g.NormFloat64()}
			if trial%5 == 0 {
				bias[trial/5%2] *= 700
			}
			wild := trial%3 == 0
			w, anchor := random[float64](g, p, wild), random[float64](g, p, trial%6 == 0)
			grad, weight := random[float64](g, p, wild), random[float64](g, n, false)
			const mark = 42
			got, d := append([]float64{}, grad...), make([]float64, n+1)
			d[n] = mark
			sum := SparseLogitDifference(got, &r, w, anchor, bias, weight, d[:n],
				make([]float64, n))
			want, e := append([]float64{}, grad...), make([]float64, n)
			total := oneByOne(want, bounds, w, anchor, bias, weight, e)
			name := fmt.Sprintf("trial %d", trial)
			agree(t, name+": the sum", []float64{sum}, []float64{total})
			agree(t, name+": the residuals", d[:n], e)
			agree(t, name+": the gradient", got, want)
			if d[n] != mark {
				t.Errorf("%s: wrote beyond the residuals", name)
			}
		}
	})
}

// Neither form allocates.
func TestSparseLogitDifferenceAllocatesNothing(t *testing.T) {
	g := rand.New(rand.NewPCG(4, 23))
	all := setRows(g, 50, 20, 12)
	forms := map[string]Rows{"bounds": all}
	if c := NewRecords(all, nil); c != nil {
		forms["records"], forms["bounds"] = picked(g, all, nil, c, 50)
	}
	x, d := random[float64](g, 20, false), make([]float64, 50)
	for name, r := range forms {
		if n := testing.AllocsPerRun(10, func() {
			SparseLogitDifference(x, &r, x, x, [2]float64{1, 2}, d, d, make([]float64, 50))
		}); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// A column beyond the coefficients is a panic, whatever the row, and so is a row that no record
// has.
func TestSparseLogitDifferenceChecksItsIndices(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		call := func(r *Rows, columns, n int) {
			x := make([]float64, max(columns, n))
			SparseLogitDifference(x[:columns], r, x[:columns], x[:columns], [2]float64{}, x[:n],
				make([]float64, n), make([]float64, n))
		}
		for bad := range 20 {
			for _, narrow := range []bool{false, true} {
				r := Rows{}
				for i := range 20 {
					r.Lo, r.Hi = append(r.Lo, 3*i), append(r.Hi, 3*i+3)
					r.Index = append(r.Index, 0, 1, 2)
				}
				r.Index[3*bad+2] = 3
				if narrow {
					r.Narrow = narrowColumns(r.Index)
				}
				if !panics(func() { call(&r, 3, 20) }) {
					t.Errorf("row %d names a column that is not there, and nothing happened", bad)
				}
			}
		}
		c := NewRecords(Rows{Lo: []int{0}, Hi: []int{3}, Index: []int32{1, 3, 127}}, nil)
		if c == nil {
			return
		}
		for _, bad := range []int{-1, 1, 1 << 40} {
			p := &Picked{}
			p.Pick(c, []int{0, bad}, []int{0, bad}, 0)
			if !panics(func() { call(&Rows{Picked: p}, 128, 2) }) {
				t.Errorf("there is no row %d, and nothing happened", bad)
			}
		}
	})
}

// BenchmarkSparseLogitDifference has rows like those of a9a in minibatches drawn at random: as ones
// in records, as ones by their bounds, and with values.
func BenchmarkSparseLogitDifference(b *testing.B) {
	g := rand.New(rand.NewPCG(1, 1))
	const rows, columns, ones = 32561, 123, 14
	all := Rows{}
	for i := range rows {
		all.Lo, all.Hi = append(all.Lo, i*ones), append(all.Hi, (i+1)*ones)
		for c := range ones {
			all.Index = append(all.Index, int32(c*8+g.IntN(8)))
		}
	}
	all.Narrow = narrowColumns(all.Index)
	values := all
	values.Narrow = nil
	for range all.Index {
		values.Value = append(values.Value, g.NormFloat64())
	}
	records := NewRecords(all, nil)
	for _, n := range []int{10, 100, 1000} {
		list := make([]int, n)
		bounds := Rows{Lo: make([]int, n), Hi: make([]int, n)}
		w, anchor := make([]float64, columns), make([]float64, columns)
		for i := range w {
			w[i], anchor[i] = g.NormFloat64(), g.NormFloat64()
		}
		grad, weight, d := make([]float64, columns), make([]float64, n), make([]float64, n)
		p, q := make([]float64, n), make([]float64, n)
		for _, form := range []string{"records", "bytes", "values"} {
			r := bounds
			switch form {
			case "records":
				r = Rows{Picked: &Picked{}, Index: all.Index, Narrow: all.Narrow}
			case "bytes":
				r.Index, r.Narrow = all.Index, all.Narrow
			default:
				r.Index, r.Value = values.Index, values.Value
			}
			take := func() {
				for i := range list {
					list[i] = g.IntN(rows)
				}
				if r.Picked != nil {
					r.Picked.Pick(records, list, list, 0)
					return
				}
				for i, k := range list {
					r.Lo[i], r.Hi[i] = all.Lo[k], all.Hi[k]
				}
			}
			bias := [2]float64{0.1, 0.2}
			for _, c := range []struct {
				name string
				run  func()
			}{{"fused", func() { SparseLogitDifference(grad, &r, w, anchor, bias, weight, d, p) }},
				{"parts", func() {
					SparseMulVec(p, r, w, false)
					SparseMulVec(q, r, anchor, false)
					for i := range p {
						p[i] += bias[0]
						q[i] += bias[1]
					}
					Sigmoid(p, p)
					Sigmoid(q, q)
					for i := range p {
						p[i] -= q[i]
						d[i] = -float64(weight[i] * p[i])
					}
					SparseMulVecT(grad, r, d, true)
					Dot(weight, p)
				}}, {"rows", func() {}}} {
				b.Run(fmt.Sprintf("%s/%s/%d", form, c.name, n), func(b *testing.B) {
					for b.Loop() {
						take()
						c.run()
					}
				})
			}
		}
	}
}
