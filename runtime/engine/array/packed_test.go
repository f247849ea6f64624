package array

import (
	"bytes"
	"hash/crc32"
	"math"
	"math/rand/v2"
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
		var axes []Axis
		var shape []int
		for k := range head {
			a := Axis{Size: r.IntN(5)}
			if k > 0 && (k == head-1 || r.IntN(2) == 0) {
				a.Of = r.IntN(k)
				a.Lengths = make([]int, shape[a.Of])
				for i := range a.Lengths {
					a.Lengths[i] = r.IntN(a.Size + 1)
				}
			}
			axes, shape = append(axes, a), append(shape, a.Size)
		}
		p := Lay(axes, 1+r.IntN(3))
		shape = append(shape, p.each)
		padded, list := padByHand(p, shape, entries[r.IntN(len(entries))])
		p.Keep(list)
		v := &Value{Shape: shape, Packed: p}
		if text := p.Defect(shape); text != "" || v.Len() != len(padded) {
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
			if Row(p, dst, i); !slices.EqualFunc(dst, want, func(a, b float32) bool {
				return math.Float32bits(a) == math.Float32bits(b)
			}) {
				t.Fatalf("row %d in single precision: %v, want %v", i, dst, want)
			}
		}
		if head == 2 && p.Rows() > 0 { // as many as the longest of the current rows
			own := p.off[1] - p.off[0]
			dst := slices.Repeat([]float64{9}, own+r.IntN(w-own+1))
			if Row(p, dst, 0); !same(dst, padded[:len(dst)]) {
				t.Fatalf("%v of %v", dst, padded[:w])
			}
		}
		var buf bytes.Buffer
		out := NewEncoder(&buf)
		out.Value(v)
		if err := out.Flush(); err != nil {
			t.Fatal(err)
		}
		in := NewDecoder(&buf, crc32.NewIEEE())
		if back := in.Value(); in.Err() != nil || !same(back.Floats(), padded) ||
			!back.Packed.Like(p) {
			t.Fatalf("%v: %+v came back as %+v", in.Err(), p, back.Packed)
		}
	}
}

// padByHand fills an array of a shape entry by entry, and lists what is not a padding.
func padByHand(p *Packed, shape []int, entry func() float64) (padded, list []float64) {
	total, _ := Product(shape)
	padded, list = make([]float64, total), []float64{}
	for i := range total {
		path, rest := make([]int, len(p.axes)), i/p.each
		for k := len(path) - 1; k >= 0; k-- {
			path[k] = rest % shape[k]
			rest /= shape[k]
		}
		there := true
		for k, a := range p.axes {
			there = there && (a.Lengths == nil || path[k] < a.Lengths[path[a.Of]])
		}
		if there {
			padded[i] = entry()
			list = append(list, padded[i])
		}
	}
	return padded, list
}

func same(a, b []float64) bool {
	return slices.EqualFunc(a, b,
		func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// TestLargestOfNone: an array without entries has no largest, whatever it is stored as.
func TestLargestOfNone(t *testing.T) {
	for _, p := range []*Packed{{Int32: []int32{}}, {F64: []float64{}}, {}} {
		if top, some := p.Largest(); some {
			t.Errorf("the largest of none is %g", top)
		}
	}
}
