package data

import (
	"encoding/binary"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// TestIDXBinds: bytes stay bytes where the declaration allows it, are widened
// where it does not, and images flatten.
func TestIDXBinds(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("x-idx3-ubyte", idx(8, "\x00\x33\xff\x00\x66\x00\x00\x00", 2, 2, 2))
	write("y-idx1-ubyte.gz", zipped(idx(8, "\x03\x01", 2)))
	write("one.idx", idx(8, "\x01", 1))
	s := &Schema{Dims: []Dim{{Name: "N"}}, Inputs: []Input{
		{Name: "x", Kind: Real, Shape: shape("N", 4)},
		{Name: "u", Kind: Real, Shape: shape("N", 4)},
		{Name: "s", Kind: Real, Shape: shape("N", 4), Sparse: true},
		{Name: "y", Kind: Index, Below: size.Const(3), From: 1, Shape: shape("N")},
		{Name: "z", Kind: Simplex, Own: 1, Shape: shape(1)},
	}}
	b, _, errs := Bind(s, []string{"x=x-idx3-ubyte", "u=x-idx3-ubyte:unit", "s=x-idx3-ubyte:unit",
		"y=y-idx1-ubyte.gz", "z=one.idx"}, nil, Options{})
	if errs != nil {
		t.Fatal(errs[0])
	}
	x, u, m, y := b.Values["x"], b.Values["u"], b.Values["s"], b.Values["y"]
	if x.Bytes == nil || u.Bytes == nil || y.Bytes == nil || &x.Bytes.Code[0] != &u.Bytes.Code[0] {
		t.Errorf("bytes are copied or widened: %+v %+v %+v", x, u, y)
	}
	if !slices.Equal(x.Shape, []int{2, 4}) ||
		!slices.Equal(x.Floats(), []float64{0, 51, 255, 0, 102, 0, 0, 0}) {
		t.Errorf("x is %v %v", x.Shape, x.Floats())
	}
	if want := []float64{0, 0.2, 1, 0, 0.4, 0, 0, 0}; !slices.Equal(u.Floats(), want) ||
		!slices.Equal(m.CSR.Dense(4), want) || len(m.CSR.Bytes.Code) != 3 {
		t.Errorf("u is %v, s %+v", u.Floats(), m.CSR)
	}
	if !slices.Equal(y.Floats(), []float64{2, 0}) || !y.Canonical {
		t.Errorf("y is %v", y.Floats())
	}
	if z := b.Values["z"]; z.Bytes != nil || z.F64[0] != 1 {
		t.Errorf("z is %+v", z)
	}
	again, _, errs := Validate(s, b.Values, b.Dims, Options{})
	if errs != nil || !reflect.DeepEqual(again.Values["y"], y) {
		t.Errorf("validated again: %v %+v", errs, again)
	}
}

// TestSigns: bools written −1 and +1 become 0 and 1 by their levels.
func TestSigns(t *testing.T) {
	v := &Value{Shape: []int{3},
		Bytes: (&array.Bytes{Code: []uint8{0, 1, 0},
			Level: array.PlainLevels}).Map(func(x float64) float64 { return 2*x - 1 })}
	b, _, errs := Validate(one(Input{Kind: Bool, Shape: shape("N")}), map[string]*Value{"v": v},
		nil, Options{})
	if errs != nil || !slices.Equal(b.Values["v"].Floats(), []float64{0, 1, 0}) {
		t.Errorf("%v %+v", errs, b)
	}
}

// TestMNIST: counts of the canonical files.
func TestMNIST(t *testing.T) {
	images, labels := shared(t, "data", "mnist", "t10k-images-idx3-ubyte.gz"),
		shared(t, "data", "mnist", "t10k-labels-idx1-ubyte.gz")
	s := &Schema{Dims: []Dim{{Name: "N"}}, Inputs: []Input{
		{Name: "x", Kind: Real, Shape: shape("N", 784)},
		{Name: "y", Kind: Index, Below: size.Const(10), Shape: shape("N")}}}
	b, notes, errs := Bind(s, []string{"x=" + images + ":unit", "y=" + labels}, nil, Options{})
	if errs != nil || notes != nil {
		t.Fatal(errs, notes)
	}
	sevens := 0
	for _, y := range b.Values["y"].Floats() {
		if y == 7 {
			sevens++
		}
	}
	x := b.Values["x"]
	_, levels := x.Bytes.Used()
	if b.Dims["N"] != 10000 || sevens != 1028 || len(x.Bytes.Code) != 7840000 ||
		len(levels) != 256 || levels[255] != 1 {
		t.Errorf("N %d, %d sevens, %d pixels, %d levels", b.Dims["N"], sevens, len(x.Bytes.Code),
			len(levels))
	}
}

// idx writes sizes after a magic of a type, then the entries.
func idx(kind byte, entries string, shape ...int) string {
	b := []byte{0, 0, kind, byte(len(shape))}
	for _, n := range shape {
		b = binary.BigEndian.AppendUint32(b, uint32(n))
	}
	return string(b) + entries
}
