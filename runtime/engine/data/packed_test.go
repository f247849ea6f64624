package data

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// TestPacked: rows of packed arrays of up to four leading axes, some ragged,
// are those of the padded array that plain loops make, in either precision.
func TestPacked(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 20))
	odd := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), 0.1, 1 << 40}
	entries := []func() float64{
		func() float64 { return float64(r.IntN(256)) },
		func() float64 { return float64(int32(r.Uint32())) },
		func() float64 { return odd[r.IntN(len(odd))] },
	}
	for range 500 {
		head := 2 + r.IntN(3)
		p := &Packed{each: 1 + r.IntN(3)}
		var shape []int
		for k := range head {
			a := packedAxis{size: r.IntN(5)}
			if k > 0 && (k == head-1 || r.IntN(2) == 0) {
				a.of = r.IntN(k)
				a.lengths = make([]int, shape[a.of])
				for i := range a.lengths {
					a.lengths[i] = r.IntN(a.size + 1)
				}
			}
			p.axes, shape = append(p.axes, a), append(shape, a.size)
		}
		shape = append(shape, p.each)
		padded, list := padByHand(p, shape, entries[r.IntN(len(entries))])
		p.offsets()
		p.keep(list)
		v := &Value{Shape: shape, Packed: p}
		if text := p.unsound(shape); text != "" || v.Len() != len(padded) {
			t.Fatal(text, v.Len(), len(padded))
		}
		if !same(v.Floats(), padded) || !same(p.Entries(), list) {
			t.Fatalf("%v, want %v", v.Floats(), padded)
		}
		w := p.Width()
		for i := range p.Rows() {
			dst, want := slices.Repeat([]float32{9}, w), make([]float32, w)
			for k := range want {
				want[k] = float32(padded[i*w+k])
			}
			if Row(p, dst, i); !slices.EqualFunc(dst, want, func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }) {
				t.Fatalf("row %d in single precision: %v, want %v", i, dst, want)
			}
		}
		if head == 2 && p.Rows() > 0 { // as many as the longest of the rows at hand
			own := p.off[1] - p.off[0]
			dst := slices.Repeat([]float64{9}, own+r.IntN(w-own+1))
			if Row(p, dst, 0); !same(dst, padded[:len(dst)]) {
				t.Fatalf("%v of %v", dst, padded[:w])
			}
		}
		var buf bytes.Buffer
		if err := Write(&buf, &Bound{Values: map[string]*Value{"v": v}}); err != nil {
			t.Fatal(err)
		}
		back, err := Read(&buf)
		if err != nil {
			t.Fatal(err)
		}
		if !same(back.Values["v"].Floats(), padded) || !back.Values["v"].Packed.like(p) {
			t.Fatalf("%+v came back as %+v", p, back.Values["v"].Packed)
		}
	}
}

// padByHand fills an array of a shape entry by entry, and lists what is no padding.
func padByHand(p *Packed, shape []int, entry func() float64) (padded, list []float64) {
	total, _ := product(shape)
	padded, list = make([]float64, total), []float64{}
	for i := range total {
		path, rest := make([]int, len(p.axes)), i/p.each
		for k := len(path) - 1; k >= 0; k-- {
			path[k] = rest % shape[k]
			rest /= shape[k]
		}
		there := true
		for k, a := range p.axes {
			there = there && (a.lengths == nil || path[k] < a.lengths[path[a.of]])
		}
		if there {
			padded[i] = entry()
			list = append(list, padded[i])
		}
	}
	return padded, list
}

func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// TestPackedStorage: whole numbers take a byte or four, what is validated again
// with lengths of others is laid out anew, and rows are read without memory.
func TestPackedStorage(t *testing.T) {
	real2 := Input{Name: "x", Shape: shape("S", "T")}
	for text, want := range map[string][3]int{
		`{"x": [[1, 255], [0]]}`:         {0, 0, 3},
		`{"x": [[1, 256], [0]]}`:         {0, 3, 0},
		`{"x": [[-1, 2147483647], [0]]}`: {0, 3, 0},
		`{"x": [[1, 2147483648], [0]]}`:  {3, 0, 0},
		`{"x": [[1, -0.0], [0]]}`:        {3, 0, 0},
		`{"x": [[1, 0.5], [0]]}`:         {3, 0, 0},
	} {
		s := raggedOf(real2)
		b, _, errs := bindText(t, s, text)
		if errs != nil {
			t.Fatal(errs[0])
		}
		p := b.Values["x"].Packed
		got := [3]int{len(p.F64), len(p.Int32), 0}
		if p.Bytes != nil {
			got[2] = len(p.Bytes.Code)
		}
		if got != want {
			t.Errorf("%s takes %v, want %v", text, got, want)
		}
		again, _ := accept(t, s, b.Values, b.Dims, Options{})
		if !reflect.DeepEqual(again.Values["x"].Packed, p) {
			t.Errorf("%s validated again: %+v", text, again.Values["x"].Packed)
		}
		shorter := map[string]*Value{"x": b.Values["x"], LengthsOf("T"): Dense([]float64{1, 1}, 2)}
		other, _ := accept(t, s, shorter, nil, Options{})
		if full := b.Values["x"].Floats(); !same(other.Values["x"].Floats(), []float64{full[0], 0, full[2], 0}) {
			t.Errorf("%s with shorter rows: %v", text, other.Values["x"].Floats())
		}
		row := make([]float64, 2)
		if n := testing.AllocsPerRun(10, func() { Row(p, row, 1) }); n != 0 {
			t.Errorf("a row takes %v allocations", n)
		}
	}
}
