package run

import (
	"reflect"
	"testing"
)

// The chains that are read give most draws together, and of two such sets the one
// with more chains is taken.
func TestChoose(t *testing.T) {
	for _, c := range []struct {
		draws []int
		all   bool
		used  []int
		each  int
		says  string
	}{
		{[]int{500, 500, 500, 500}, false, []int{0, 1, 2, 3}, 500,
			"these are the 500 draws that every chain has"},
		{[]int{500, 0, 500, 500}, false, []int{0, 2, 3}, 500,
			"3 of 4 chains are used, 500 draws of each; left out, as they have fewer: chain 1 with 0"},
		{[]int{0, 7, 0, 0}, false, []int{1}, 7,
			"chain 1 alone of 4 is used, 7 draws of each; left out, as they have fewer: chain 0 " +
				"with 0, chain 2 with 0, chain 3 with 0"},
		{[]int{500, 300, 500, 500}, false, []int{0, 2, 3}, 500,
			"3 of 4 chains are used, 500 draws of each; left out, as they have fewer: chain 1 with 300"},
		{[]int{500, 400, 500, 500}, false, []int{0, 1, 2, 3}, 400,
			"these are the 400 draws that every chain has"},
		{[]int{100, 50}, false, []int{0, 1}, 50, "these are the 50 draws that every chain has"},
		{[]int{100, 49}, false, []int{0}, 100,
			"chain 0 alone of 2 is used, 100 draws of each; left out, as they have fewer: chain 1 with 49"},
		{[]int{0, 0}, false, []int{0, 1}, 0, "these are the 0 draws that every chain has"},
		{[]int{3, 1}, true, []int{0, 1}, 1, "these are the 1 draws that every chain has"},
	} {
		got := &Chosen{Draws: c.draws}
		got.choose(c.all)
		if !reflect.DeepEqual(got.Used, c.used) || got.Each != c.each || got.String() != c.says {
			t.Errorf("%v: %v, %d draws each: %s", c.draws, got.Used, got.Each, got)
		}
	}
}
