package column

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// A found is where a buffer points after a call.
type found struct {
	dense    []float64
	dense32  []float32
	sparse   kernel.Rows
	sparse32 kernel.Rows32
}

// buffer makes a buffer that points f, for rows of which width numbers are taken.
func (f *found) buffer(width, rows int, single bool) *Buffer {
	b := &Buffer{Rows: rows, Width: width, Dense: &f.dense, Sparse: &f.sparse}
	if single {
		b.Dense32, b.Sparse32 = &f.dense32, &f.sparse32
	}
	return b
}

// numbers are what a buffer points at, in double precision.
func (f *found) numbers(single bool) []float64 {
	if !single {
		return f.dense
	}
	out := make([]float64, len(f.dense32))
	kernel.Widen(out, f.dense32)
	return out
}

// rounded is x as single precision has it.
func rounded(x []float64, single bool) []float64 {
	out := slices.Clone(x)
	for i := range out {
		if single {
			out[i] = float64(float32(out[i]))
		}
	}
	return out
}

// same reports whether two lists have the same bits.
func same(a, b []float64) bool {
	return slices.EqualFunc(a, b,
		func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// calls are sets of rows as evaluators ask for them: minibatches, with rows twice, single
// rows, rows that follow one another, all but one of them, and blocks of a full pass.
func calls(r *rand.Rand, n, block int) []Rows {
	var out []Rows
	for range 6 {
		list := make([]int, 1+r.IntN(block))
		for i := range list {
			list[i] = r.IntN(n)
		}
		for _, along := range []bool{false, true} {
			if first := r.IntN(max(n-len(list), 0) + 1); along && first+len(list) <= n {
				for i := range list {
					list[i] = first + i
				}
				if k := len(list) / 2; r.IntN(2) == 0 {
					list[k], list[max(k-1, 0)] = list[max(k-1, 0)], list[k]
				}
			}
			rows := Rows{Count: len(list), Block: block}
			rows.Take(slices.Clone(list))
			out = append(out, rows)
		}
	}
	for start := 0; start < n; start += block {
		out = append(out, Rows{Start: start, Count: min(block, n-start), Block: block})
	}
	return out
}

// list are the rows by their numbers.
func (r Rows) list() []int {
	if r.List != nil {
		return r.List
	}
	out := make([]int, r.Count)
	for i := range out {
		out[i] = r.Start + i
	}
	return out
}

// values are odd numbers too, as rows may have them.
func values(r *rand.Rand, n int) []float64 {
	odd := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(-1), 1 << 60, 0.1}
	out := make([]float64, n)
	for i := range out {
		if out[i] = r.NormFloat64(); r.IntN(4) == 0 {
			out[i] = odd[r.IntN(len(odd))]
		}
	}
	return out
}

// A densely is a dense column and all numbers that it stands for, row by row.
type densely struct {
	name   string
	column Column
	all    []float64
	single bool
}

// columnsOf makes every dense column of n rows of some width.
func columnsOf(r *rand.Rand, n, width int) []densely {
	x := values(r, n*width)
	x32 := make([]float32, len(x))
	kernel.Narrow(x32, x)
	level := (*[256]float64)(values(r, 256))
	b := &array.Bytes{Code: make([]uint8, n*width), Level: level}
	coded := make([]float64, n*width)
	for i := range coded {
		b.Code[i] = uint8(r.IntN(256))
		coded[i] = level[b.Code[i]]
	}
	lengths, padded := make([]int, n), make([]float64, n*width)
	for i := range lengths {
		lengths[i] = r.IntN(width + 1)
	}
	p := array.NewPacked(lengths, width, 1)
	for i, m := range lengths {
		copy(padded[i*width:i*width+m], values(r, m))
		p.SetRow(i, padded[i*width:(i+1)*width])
	}
	return []densely{
		{"dense", Dense(x, width), x, false},
		{"dense in single precision", Dense(x32, width), x, true},
		{"widened", Widened(x32, width), rounded(x, true), false},
		{"bytes", Bytes(b, width, false), coded, false},
		{"bytes in single precision", Bytes(b, width, true), coded, true},
		{"packed", Packed(p, false), padded, false},
		{"packed in single precision", Packed(p, true), padded, true},
	}
}

// TestDenseColumns holds every dense column to a loop over its numbers: for minibatches and
// full passes, with all of a row taken, and with the first numbers of it.
func TestDenseColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for range 20 {
		n, block := 1+r.IntN(40), 1+r.IntN(12)
		for _, width := range []int{1, 2, 7, 33} {
			for _, c := range columnsOf(r, n, width) {
				if c.column.Width() != width {
					t.Fatalf("%s: rows of %d, want %d", c.name, c.column.Width(), width)
				}
				var f found
				b := f.buffer(width, block, c.single)
				for _, rows := range calls(r, n, block) {
					if b.Width = width; rows.List != nil && !strings.HasPrefix(c.name, "packed") {
						b.Width = 1 + r.IntN(width)
					}
					var want []float64
					for _, i := range rows.list() {
						want = append(want, c.all[i*width:i*width+b.Width]...)
					}
					c.column.Fill(b, rows)
					if got := f.numbers(c.single); !same(got, rounded(want, c.single)) {
						t.Fatalf("%s, rows %v of %d numbers: %v, want %v", c.name, rows.list(),
							b.Width, got, want)
					}
				}
			}
		}
	}
}

// TestFlags: a column of two values has them with all their bits; three values are numbers.
func TestFlags(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 6))
	zero, nan := 0.0, math.NaN()
	for _, level := range [][]float64{{1, 0}, {zero, nan}, {math.Copysign(0, -1), 0}, {nan, 1},
		{3}, {1, 2, 3}} {
		for range 10 {
			n, block := 1+r.IntN(200), 1+r.IntN(50)
			x, x32 := make([]float64, n), make([]float32, n)
			for i := range x {
				x[i] = level[r.IntN(len(level))]
				x32[i] = float32(x[i])
			}
			for _, c := range []densely{{"double", Dense(x, 1), x, false},
				{"single", Dense(x32, 1), x, true}} {
				var f found
				b := f.buffer(1, block, c.single)
				for _, rows := range calls(r, n, block) {
					var want []float64
					for _, i := range rows.list() {
						want = append(want, x[i])
					}
					c.column.Fill(b, rows)
					if got := f.numbers(c.single); !same(got, rounded(want, c.single)) {
						t.Fatalf("%s of %v, rows %v: %v, want %v", c.name, level, rows.list(), got, want)
					}
				}
			}
		}
	}
	if newFlags([]float64{0, 1, math.SmallestNonzeroFloat64}) != nil {
		t.Error("values without a bit in common")
	}
	if newFlags([]float64{1, 2, 3, 1}) != nil || newFlags([]float32{1, 2, 1}) == nil {
		t.Error("two values are flags, and three are not")
	}
}

// TestPackedWidth: rows at hand are as long as the longest of them.
func TestPackedWidth(t *testing.T) {
	p := array.NewPacked([]int{2, 0, 5, 1}, 5, 1)
	p.SetRow(0, []float64{1, 2, 0, 0, 0})
	p.SetRow(2, []float64{3, 4, 5, 6, 7})
	p.SetRow(3, []float64{8, 9, 9, 9, 9})
	var f found
	b := f.buffer(2, 3, false)
	Packed(p, false).Fill(b, Rows{List: []int{3, 1, 0}, Count: 3, Block: 4})
	if want := []float64{8, 9, 0, 0, 1, 2}; !same(f.dense, want) {
		t.Errorf("%v, want %v", f.dense, want)
	}
	if got := Lengths(Packed(p, true)); !same(got, []float64{2, 0, 5, 1}) {
		t.Errorf("lengths %v", got)
	}
	if Lengths(Dense([]float64{1}, 1)) != nil {
		t.Error("a dense column has lengths")
	}
}

// matrix is a random sparse matrix: each entry is there with probability p.
func matrix(r *rand.Rand, rows, columns int, value func() float64) (kernel.Rows, []float64) {
	var m kernel.Rows
	dense := make([]float64, rows*columns)
	for i := range rows {
		m.Lo = append(m.Lo, len(m.Index))
		for j := range columns {
			if r.IntN(3) == 0 {
				dense[i*columns+j] = value()
				m.Index, m.Value = append(m.Index, int32(j)), append(m.Value, dense[i*columns+j])
			}
		}
		m.Hi = append(m.Hi, len(m.Index))
	}
	return m, dense
}

// masked is the matrix of rows whose values are bytes.
func masked(m kernel.Rows, columns int, b *array.Bytes) *array.CSR {
	each := (columns + 63) / 64
	out := &array.CSR{Rows: len(m.Lo), Cols: columns, Indptr: append([]int{0}, m.Hi...), Bytes: b,
		Mask: &array.Mask{Each: each, Words: make([]uint64, each*len(m.Lo))}}
	for r, lo := range m.Lo {
		for _, j := range m.Index[lo:m.Hi[r]] {
			out.Mask.Words[r*each+int(j)/64] |= 1 << (j % 64)
		}
	}
	return out
}

// spread is a matrix of rows entry by entry; value is nil where every entry is 1.
func spread[T number](lo, hi []int, index []int32, value []T, columns int) []float64 {
	out := make([]float64, len(lo)*columns)
	for k := range lo {
		for i := lo[k]; i < hi[k]; i++ {
			if out[k*columns+int(index[i])] = 1; value != nil {
				out[k*columns+int(index[i])] = float64(value[i])
			}
		}
	}
	return out
}

// TestSparseColumns holds every sparse column to the rows of the dense matrix.
func TestSparseColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	const columns = 130
	for range 40 {
		n, block := 1+r.IntN(30), 1+r.IntN(9)
		level := (*[256]float64)(values(r, 256))
		var code []uint8
		coded, codedDense := matrix(r, n, columns, func() float64 {
			code = append(code, uint8(r.IntN(256)))
			return level[code[len(code)-1]]
		})
		bytes := masked(coded, columns, &array.Bytes{Code: code, Level: level})
		plain, plainDense := matrix(r, n, columns, r.NormFloat64)
		ones, onesDense := matrix(r, n, columns, func() float64 { return 1 })
		ones.Value = nil
		round := func(m kernel.Rows) *kernel.Rows32 {
			out := &kernel.Rows32{Lo: m.Lo, Hi: m.Hi, Index: m.Index}
			if m.Value != nil {
				out.Value = make([]float32, len(m.Value))
				kernel.Narrow(out.Value, m.Value)
			}
			return out
		}
		for _, c := range []densely{
			{"numbers", Sparse(plain, nil, nil, nil), plainDense, false},
			{"numbers in single precision", Sparse(plain, round(plain), nil, nil), plainDense, true},
			{"ones", Sparse(ones, nil, nil, nil), onesDense, false},
			{"ones in single precision", Sparse(ones, round(ones), nil, nil), onesDense, true},
			{"bytes", SparseBytes(bytes, false), codedDense, false},
			{"bytes in single precision", SparseBytes(bytes, true), codedDense, true},
		} {
			var f found
			b := f.buffer(0, block, c.single)
			for _, rows := range calls(r, n, block) {
				var want []float64
				for _, i := range rows.list() {
					want = append(want, c.all[i*columns:(i+1)*columns]...)
				}
				c.column.Fill(b, rows)
				lo, hi := f.sparse.Bounds()
				got := spread(lo, hi, f.sparse.Index, f.sparse.Value, columns)
				if s := f.sparse32; c.single {
					lo, hi = s.Bounds()
					got = spread(lo, hi, s.Index, s.Value, columns)
				}
				if !same(got, rounded(want, c.single)) {
					t.Fatalf("%s, rows %v: %v, want %v", c.name, rows.list(), got, want)
				}
			}
		}
	}
}

// TestPasses: a full pass over packed rows is at the block that is asked for, and begins
// anew after Reset.
func TestPasses(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 3))
	var m kernel.Rows // of rows that have much in common, so that packing them pays
	for range 64 {
		m.Lo = append(m.Lo, len(m.Index))
		for j := range int32(40) {
			if j%2 == 0 || r.IntN(9) == 0 {
				m.Index = append(m.Index, j)
			}
		}
		m.Hi = append(m.Hi, len(m.Index))
	}
	if kernel.Pack(m, 40, 16).Pass() == nil {
		t.Fatal("the rows are not packed")
	}
	packs := 0
	c := Sparse(m, nil, func() *kernel.Packed { packs++; return kernel.Pack(m, 40, 16) },
		nil)
	var f found
	b := f.buffer(0, 16, false)
	for pass := range 3 {
		for start := 0; start < 64; start += 16 {
			c.Fill(b, Rows{Start: start, Count: 16, Block: 16})
		}
		if pass == 1 {
			b.Reset()
		}
	}
	if f.sparse.Packed == nil || packs != 2 {
		t.Errorf("the rows are packed %d times", packs)
	}
	if c.Fill(b, Rows{List: []int{3}, Count: 1, Block: 16}); f.sparse.Packed != nil {
		t.Error("a minibatch is packed")
	}
}

// TestNoAllocations: once buffers have grown, rows are given without new memory.
func TestNoAllocations(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 4))
	const n, width, block = 50, 6, 8
	all := columnsOf(r, n, width)
	m, _ := matrix(r, n, width, r.NormFloat64)
	level := (*[256]float64)(values(r, 256))
	bytes := masked(m, width, &array.Bytes{Code: make([]uint8, len(m.Index)), Level: level})
	all = append(all, densely{"sparse", Sparse(m, nil, nil, nil), nil, false},
		densely{"sparse bytes", SparseBytes(bytes, false), nil, false},
		densely{"sparse bytes in single precision", SparseBytes(bytes, true), nil, true})
	for _, c := range all {
		var f found
		b := f.buffer(width, block, c.single)
		rows := Rows{List: []int{4, 40, 7, 7, 0, 31, 22, 9}, Count: block, Block: block}
		pass := Rows{Start: 16, Count: block, Block: block}
		if k := testing.AllocsPerRun(20, func() {
			c.column.Fill(b, rows)
			c.column.Fill(b,
				pass)
		}); k != 0 {
			t.Errorf("%s: %v allocations", c.name, k)
		}
	}
}

// BenchmarkFill is a minibatch of 64 rows of 400 numbers, of 8 MB and more.
func BenchmarkFill(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 5))
	const n, width = 5000, 400
	for _, c := range columnsOf(r, n, width) {
		b.Run(fmt.Sprint(c.name), func(b *testing.B) {
			var f found
			buffer := f.buffer(width, 64, c.single)
			rows := Rows{List: r.Perm(n)[:64], Count: 64, Block: 64}
			b.SetBytes(8 * 64 * width)
			b.ReportAllocs()
			for b.Loop() {
				c.column.Fill(buffer, rows)
			}
		})
	}
}

// TestAlong tells rows that follow one another from rows that do not, wherever one is amiss.
func TestAlong(t *testing.T) {
	for n := range 20 {
		list := make([]int, n)
		for i := range list {
			list[i] = 7 + i
		}
		var rows Rows
		if rows.Take(list); rows.along != (n >= 2) {
			t.Errorf("%d rows one by one: %v", n, rows.along)
		}
		for i := range list {
			for _, by := range []int{-1, 1, 64} {
				off := slices.Clone(list)
				off[i] += by
				if rows.Take(off); rows.along && n > 1 {
					t.Errorf("%v are said to follow one another", off)
				}
			}
		}
	}
}
