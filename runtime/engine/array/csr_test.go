package array

import (
	"slices"
	"testing"
)

func TestFromRows(t *testing.T) {
	m := FromRows([][]float64{{0, 1, 0}, {0, 0, 0}, {1, 0, 1}}, 3)
	if m.Rows != 3 || m.Cols != 3 || m.Value != nil || !slices.Equal(m.Index, []int32{1, 0, 2}) ||
		!slices.Equal(m.Indptr, []int{0, 1, 1, 3}) {
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

// What is read as bytes and declared sparse keeps its entries as bytes, with the
// numbers that a dense matrix has.
func TestSparseBytes(t *testing.T) {
	code := []uint8{0, 7, 0, 255, 0, 0, 0, 0, 1, 2, 3, 0}
	v := &Value{Shape: []int{3, 4},
		Bytes: (&Bytes{Code: code,
			Level: PlainLevels}).Map(func(x float64) float64 { return x / 255 })}
	want := v.Floats()
	m := Compress(v, 3, 4)
	if m.Bytes == nil || m.Value != nil || len(m.Bytes.Code) != 5 || m.Defect() != "" {
		t.Fatalf("compressed to %+v, %s", m, m.Defect())
	}
	if got := m.Dense(4); !slices.Equal(got, want) {
		t.Errorf("dense again: %v, want %v", got, want)
	}
	if got := m.Take([]int{2, 0}, 1).Dense(4); !slices.Equal(got,
		append(slices.Clone(want[8:]), want[:4]...)) {
		t.Errorf("rows 2 and 0 are %v of %v", got, want)
	}
	p := m.Plain()
	if p.Bytes != nil || !slices.Equal(p.Dense(4), want) || m.Bytes == nil {
		t.Errorf("as numbers: %+v", p)
	}
	if !slices.Equal(m.Columns(), []int32{1, 3, 0, 1, 2}) || m.Longest() != 3 {
		t.Errorf("columns %v, the longest row %d", m.Columns(), m.Longest())
	}
	for name, harm := range map[string]func(m *CSR){
		"a byte too few":     func(m *CSR) { m.Bytes = &Bytes{m.Bytes.Code[1:], PlainLevels} },
		"no mask":            func(m *CSR) { m.Mask = nil },
		"a mask of one row":  func(m *CSR) { m.Mask = &Mask{1, m.Mask.Words[:1]} },
		"another column":     func(m *CSR) { m.Mask = &Mask{1, []uint64{1 << 1, 1 << 3, 7}} },
		"a column too far":   func(m *CSR) { m.Mask = &Mask{1, []uint64{1<<1 | 1<<4, 0, 7}} },
		"columns in a list":  func(m *CSR) { m.Index = m.Columns() },
		"values and bytes":   func(m *CSR) { m.Value = m.Values() },
		"a mask of no bytes": func(m *CSR) { m.Value, m.Bytes = m.Values(), nil },
	} {
		harmed := *m
		if harm(&harmed); harmed.Defect() == "" {
			t.Errorf("%s: no defect", name)
		}
	}
	if m := Compress(&Value{Shape: []int{1, 3},
		Bytes: &Bytes{Code: []uint8{0, 1, 1}, Level: PlainLevels}}, 1, 3); m.Bytes != nil ||
		m.Value != nil {
		t.Errorf("zeros and ones need no values: %+v", m)
	}
}
