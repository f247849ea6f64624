package data

import (
	"bytes"
	"math"
	"reflect"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
)

func spooled(t testing.TB) (*Bound, []byte) {
	b := &Bound{
		Dims: map[string]int{"N": 2, "P": 300},
		Values: map[string]*Value{
			"s": {F64: []float64{math.Inf(-1)}, Canonical: true},
			"m": {Shape: []int{2, 2}, F64: []float64{1, -0.5, math.Pi, 4}},
			"x": {Shape: []int{2, 300},
				CSR: &CSR{Rows: 2, Cols: 300, Indptr: []int{0, 2, 3}, Index: []int32{0, 299, 7}}},
			"w": {Shape: []int{1, 9},
				CSR: &CSR{Rows: 1, Cols: 9, Indptr: []int{0, 1}, Index: []int32{3},
					Value: []float64{0.25}, Open: true}},
			"b": {Shape: []int{3},
				Bytes: (&array.Bytes{Code: []uint8{0, 7, 255},
					Level: array.PlainLevels}).Map(func(x float64) float64 { return x / 255 }),
				Canonical: true},
			"i": {Shape: []int{2, 5},
				CSR: &CSR{Rows: 2, Cols: 5, Indptr: []int{0, 2, 3},
					Mask:  &array.Mask{Each: 1, Words: []uint64{1<<0 | 1<<4, 1 << 2}},
					Bytes: &array.Bytes{Code: []uint8{9, 255, 1}, Level: array.PlainLevels}}},
			"l": packedAs([]int{1, 0, 3}, 3, []float64{7, 1, 2, 3}),
			"k": packedAs([]int{1, 0, 1}, 2, []float64{7, -300}),
			"r": packedAs([]int{0, 2}, 2, []float64{0.5, math.Inf(1)}),
			"e": {Shape: []int{0}, F64: []float64{}},
		},
		Files: []format.Fingerprint{{Name: "a.csv", Bytes: 12, SHA256: "beef"}},
	}
	var buf bytes.Buffer
	if err := Write(&buf, b); err != nil {
		t.Fatal(err)
	}
	return b, buf.Bytes()
}

// packedAs makes an array of rows of the given lengths, with room for more.
func packedAs(lengths []int, room int, list []float64) *Value {
	p := array.Lay([]array.Axis{{Size: len(lengths)}, {Size: room, Lengths: lengths}}, 1)
	p.Keep(list)
	return &Value{Shape: []int{len(lengths), room}, Packed: p, Canonical: true}
}

func TestSpool(t *testing.T) {
	b, raw := spooled(t)
	got, err := Read(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, b) {
		t.Errorf("got %+v, want %+v", got, b)
	}
	// Larger than every buffer.
	big := &Bound{Dims: map[string]int{},
		Values: map[string]*Value{"v": Dense(make([]float64, 100_003), 100_003)}}
	for i := range big.Values["v"].F64 {
		big.Values["v"].F64[i] = float64(i)
	}
	var buf bytes.Buffer
	Write(&buf, big)
	if got, err = Read(&buf); err != nil || !reflect.DeepEqual(got.Values["v"], big.Values["v"]) {
		t.Errorf("a large array came back otherwise: %v", err)
	}
}

// TestSpoolDamage cuts the spool at every byte and flips every byte.
func TestSpoolDamage(t *testing.T) {
	_, raw := spooled(t)
	for i := range raw {
		if _, err := Read(bytes.NewReader(raw[:i])); err == nil {
			t.Fatalf("cut at %d of %d: no error", i, len(raw))
		}
		flipped := bytes.Clone(raw)
		flipped[i] ^= 0x41
		if _, err := Read(bytes.NewReader(flipped)); err == nil {
			t.Fatalf("byte %d flipped: no error", i)
		}
	}
}

func FuzzSpool(f *testing.F) {
	_, raw := spooled(f)
	f.Add(raw)
	f.Fuzz(func(t *testing.T, raw []byte) {
		if b, err := Read(bytes.NewReader(raw)); (b == nil) == (err == nil) {
			t.Fatal("neither data nor an error")
		}
	})
}
