package sampler

// flatten takes the curved coordinates out of the moments, each as if it had the
// variance 1 and no correlation with another.
func (c *covariance) flatten(curved []bool) {
	n := len(c.mean)
	for i := range n {
		if !c.dense {
			if curved[i] {
				c.m2[i] = c.n - 1
			}
			continue
		}
		for j := range i + 1 {
			if curved[i] || curved[j] {
				c.m2[i*n+j] = 0
			}
		}
		if curved[i] {
			c.m2[i*n+i] = c.n - 1
		}
	}
}

// divide divides L of flat coordinates, and makes it the identity on curved ones.
func (m *metric) divide(curved []bool, by float64) {
	for i := range m.n {
		if m.l == nil {
			if m.sd[i] /= by; curved[i] {
				m.sd[i] = 1
			}
			continue
		}
		row := m.l[i*m.n : i*m.n+i+1]
		for j := range row {
			row[j] /= by
		}
		if curved[i] {
			row[i] = 1
		}
	}
}
