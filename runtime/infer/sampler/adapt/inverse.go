package adapt

// Inverse returns M⁻¹: its diagonal if the metric is diagonal, otherwise its rows, one after
// another. It returns nil if that is more numbers than most.
func (m *Metric) Inverse(most int) []float64 {
	n := m.N
	if m.Plain() {
		if n > most {
			return nil
		}
		out := make([]float64, n)
		for i, s := range m.SD {
			out[i] = s * s
		}
		return out
	}
	if n > most/n {
		return nil
	}
	out := make([]float64, n*n)
	unit, half := make([]float64, n), make([]float64, n)
	for i := range n { // row i is L Lᵀ of the i-th unit vector
		unit[i] = 1
		m.Transposed(unit, half)
		m.Apply(half, out[i*n:(i+1)*n])
		unit[i] = 0
	}
	return out
}
