package format_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data/format"
)

// TestDecimal holds the fast path against strconv, bit for bit.
func TestDecimal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	texts := []string{"0", "-0", "1", "+1", "00012", "1.", ".5", "-.5e3", "9007199254740993",
		"9007199254740992", "1e22", "1e23", "123456789012345678901234567890",
		"0.1", "2.2250738585072014e-308", "4.9e-324", "1e-400", "1e400", "-1e400",
		"1.7976931348623157e308", "18446744073709551616", "0.30000000000000004", "1e+5", "1E-5",
		"8.5e-22", "1e1000000000000", "0e1000000000000", "99999999999999999999e-20"}
	for range 20000 {
		f := math.Float64frombits(r.Uint64())
		texts = append(texts, strconv.FormatFloat(f, 'g', 1+r.IntN(20), 64),
			strconv.FormatFloat(r.NormFloat64()*100, 'f', r.IntN(18), 64), fmt.Sprint(r.Int64()))
	}
	for _, s := range texts {
		if s == "NaN" || s == "+Inf" || s == "-Inf" {
			continue
		}
		want, _ := strconv.ParseFloat(s, 64)
		got, n := format.Decimal([]byte(s + ","))
		if n != len(s) || math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%q: got %v (%d bytes), want %v", s, got, n, want)
		}
	}
	for _, s := range []string{"", "-", "+", ".", "e5", "abc", "-.", "inf", " 1", "_1"} {
		if v, n := format.Decimal([]byte(s)); n != 0 {
			t.Errorf("%q read as %v", s, v)
		}
	}
	for s, length := range map[string]int{"1e": 1, "1e+": 1, "0x1p3": 1, "1_000": 1, "1.5.2": 3,
		"12abc": 2, "1e5e5": 3} {
		if _, n := format.Decimal([]byte(s)); n != length {
			t.Errorf("%q: %d bytes, want %d", s, n, length)
		}
	}
}
