package irtest

import "github.com/sgppl/sgppl/runtime/engine/data"

// Bag is the counts of the words of some documents, a row a document, as sparse data
// hold them.
func Bag(counts [][]float64) *data.Value {
	m := &data.CSR{Rows: len(counts), Cols: len(counts[0]), Indptr: []int{0}}
	for _, row := range counts {
		for v, n := range row {
			if n > 0 {
				m.Index, m.Value = append(m.Index, int32(v)), append(m.Value, n)
			}
		}
		m.Indptr = append(m.Indptr, len(m.Index))
	}
	return &data.Value{Shape: []int{m.Rows, m.Cols}, CSR: m}
}
