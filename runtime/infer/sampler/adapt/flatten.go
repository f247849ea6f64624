package adapt

// Flatten sets the moments of curved coordinates to variance 1 and no correlation.
func (c *Covariance) Flatten(curved []bool) {
	n := len(c.Mean)
	for i := range n {
		if !c.Dense {
			if curved[i] {
				c.M2[i] = c.N - 1
			}
			continue
		}
		for j := range i + 1 {
			if curved[i] || curved[j] {
				c.M2[i*n+j] = 0
			}
		}
		if curved[i] {
			c.M2[i*n+i] = c.N - 1
		}
	}
}

// Divide divides L by a number on flat coordinates, and sets it to the identity on curved ones.
func (m *Metric) Divide(curved []bool, by float64) {
	for i := range m.N {
		if m.L == nil {
			if m.SD[i] /= by; curved[i] {
				m.SD[i] = 1
			}
			continue
		}
		row := m.L[i*m.N : i*m.N+i+1]
		for j := range row {
			row[j] /= by
		}
		if curved[i] {
			row[i] = 1
		}
	}
}
