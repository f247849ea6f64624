package array

import "testing"

// TestPlausible: axes of more paths than a file can explain are damaged, before memory is
// taken for them; rows without entries are not.
func TestPlausible(t *testing.T) {
	damaged := &Packed{axes: []Axis{{Size: 1 << 40}, {Size: 1},
		{Size: 3, Of: 1, Lengths: []int{0}}}}
	if text := damaged.misshapen([]int{1 << 40, 1, 3}); text != "" {
		t.Fatalf("the shape %s: another check finds it", text)
	}
	if damaged.plausible() {
		t.Error("2^40 rows without an entry are taken")
	}
	empty := &Packed{axes: []Axis{{Size: 1 << 20}, {Size: 3, Lengths: make([]int, 1<<20)}}}
	if !empty.plausible() {
		t.Error("2^20 rows without an entry are refused")
	}
}
