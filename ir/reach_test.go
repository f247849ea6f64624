package ir

import (
	"slices"
	"testing"
)

// Reach lists each value once, behind its arguments, whatever the numbers of values are.
func TestReach(t *testing.T) {
	same := func(int) int { return 7 } // values of several builders may have the same numbers
	for name, number := range map[string]func(i int) int{"in a row": func(i int) int { return i },
		"the same": same} {
		var values []*Value
		for i := range 300 {
			v := &Value{ID: number(i)}
			if i > 0 {
				v.Args = []*Value{values[i-1], values[i/2], values[i-1]}
			}
			values = append(values, v)
		}
		last := values[len(values)-1]
		if got := Reach(last, values[5], last); !slices.Equal(got, values) {
			t.Errorf("numbers %s: %d values, in another order or not each once", name, len(got))
		}
	}
}
