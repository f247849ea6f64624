package tall

// grow estimates how the noise grows with the distance of a state from the anchor, from deviations
// of gradients of minibatches at states, equally many for each.
func (v *Noise) grow(states, deviations [][]float64) {
	for _, z := range states {
		v.Square += dot(z, z) / float64(len(states))
	}
	switch {
	case !(v.Square > 0): // all states are at the anchor
	case v.Matrix != nil:
		v.growRadially(states, deviations)
	default:
		v.growAlone(states, deviations)
	}
}

// growRadially estimates Radial, the excess of the variance along z over that of other directions.
// If the covariates of rows are normal, the excess is two thirds of the variance.
func (v *Noise) growRadially(states, deviations [][]float64) {
	n, each := len(v.Diag), len(deviations)/len(states)
	if n < 2 {
		return
	}
	along, all := 0.0, 0.0
	for k, z := range states {
		square := dot(z, z)
		for _, g := range deviations[k*each : (k+1)*each] {
			x := dot(g, z)
			along += float64(x*x) / square
			all += dot(g, g) / float64(n)
		}
	}
	if along <= all {
		return
	}
	v.Radial = (along - all) / float64(len(states)*(each-1)) / v.Square / (1 - 1/float64(n))
	for _, z := range states { // Matrix does not include Radial
		for i, x := range z {
			for j, y := range z {
				v.Matrix[i*n+j] -= float64(v.Radial*x*y) / float64(len(states))
			}
		}
	}
}

// growAlone estimates Own by least squares over all coordinates and states. It is 1 if each row
// depends on one coordinate, as in a hierarchy.
func (v *Noise) growAlone(states, deviations [][]float64) {
	n, each := float64(len(v.Diag)), len(deviations)/len(states)
	up, down := 0.0, 0.0
	for k, z := range states {
		s := dot(z, z) / v.Square
		for j, x := range z {
			if !(v.Diag[j] > 0) {
				continue
			}
			own := 0.0
			for _, g := range deviations[k*each : (k+1)*each] {
				own += float64(g[j]*g[j]) / float64(each-1)
			}
			t := float64(x*x)*n/v.Square - s
			up += float64((own/v.Diag[j] - s) * t)
			down += float64(t * t)
		}
	}
	if down > 0 {
		v.Own = min(max(up/down, 0), 1)
	}
}
