package array

import "testing"

// TestKnownFinite: what was noted of numbers holds for these alone.
func TestKnownFinite(t *testing.T) {
	v := Dense([]float64{1, 2}, 2)
	if v.KnownFinite() {
		t.Error("nothing was noted")
	}
	v.NoteFinite()
	other := *v
	if !v.KnownFinite() || !other.KnownFinite() {
		t.Error("what was noted is lost")
	}
	other.F64 = []float64{1, 2}
	if other.KnownFinite() {
		t.Error("other numbers are taken for those that were noted")
	}
}

// TestRoom: memory that was given back is as large as what is asked for and empty, and no two
// values have the same, though copies of a value share its room.
func TestRoom(t *testing.T) {
	for range 3 {
		var all []*Value
		for _, n := range []int{1, 7, 8, 9, 9, 1000, 1000} {
			v := Dense(nil, n)
			v.NewRoom(n)
			if len(v.F64) != 0 || cap(v.F64) < n {
				t.Fatalf("%d numbers: length %d, capacity %d", n, len(v.F64), cap(v.F64))
			}
			for range n {
				v.F64 = append(v.F64, float64(len(all)))
			}
			other := *v
			all = append(all, v, &other)
		}
		for i, v := range all {
			for _, x := range v.F64 {
				if x != float64(i/2*2) {
					t.Fatalf("value %d has %v", i, x)
				}
			}
		}
		for _, v := range all {
			v.GiveBack()
		}
	}
	Dense([]float64{1}, 1).GiveBack()
}
