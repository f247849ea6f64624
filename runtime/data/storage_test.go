package data

import (
	"slices"
	"testing"
)

func TestFromRows(t *testing.T) {
	m := FromRows([][]float64{{0, 1, 0}, {0, 0, 0}, {1, 0, 1}}, 3)
	if m.Rows != 3 || m.Cols != 3 || m.Value != nil || !slices.Equal(m.Index, []int32{1, 0, 2}) || !slices.Equal(m.Indptr, []int{0, 1, 1, 3}) {
		t.Errorf("%+v", m)
	}
	if d := FromRows([][]float64{{0, 2.5}}, 2).Dense(2); !slices.Equal(d, []float64{0, 2.5}) {
		t.Error(d)
	}
	defer func() {
		if recover() == nil {
			t.Error("a short row passed")
		}
	}()
	FromRows([][]float64{{1}}, 2)
}
