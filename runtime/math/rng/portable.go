package rng

// portableUniforms is Uniforms in Go, given the block of the step.
func portableUniforms(base *[4]uint64, dst []float64) {
	var state [lanes]lane
	for j := range min(lanes, len(dst)) {
		state[j] = newLane(base, uint64(j))
	}
	var words [strip]uint64
	for len(dst) > 0 {
		n := min(strip, len(dst))
		w := words[:n]
		for j := range min(lanes, n) {
			state[j].fill(w[j:])
		}
		d := dst[:len(w)]
		for i, v := range w {
			d[i] = unit(v)
		}
		dst = dst[n:]
	}
}

// portableNormals is Normals in Go, given the block of the step.
func portableNormals(base *[4]uint64, dst []float64) {
	pairs := (len(dst) + 1) / 2
	var state [lanes]lane
	for j := range min(lanes, pairs) {
		state[j] = newLane(base, uint64(j))
	}
	var a, b [strip]uint64
	for len(dst) > 0 {
		n := min(strip, (len(dst)+1)/2)
		for j := range min(lanes, n) {
			state[j].fill2(a[j:n], b[j:n])
		}
		full := min(n, len(dst)/2)
		boxMuller(dst[:2*full], a[:full], b[:full])
		if full < n { // half a pair
			var last [2]float64
			boxMuller(last[:], a[full:n], b[full:n])
			dst[2*full] = last[0]
		}
		dst = dst[min(len(dst), 2*n):]
	}
}

// portableRounds is Sequence.rounds in Go.
func portableRounds(s *states, dst []float64) {
	var a, b [strip]uint64
	for len(dst) > 0 {
		n := min(strip, len(dst)/2)
		for j := range lanes {
			l := lane{s[j], s[lanes+j]}
			l.fill2(a[j:n], b[j:n])
			s[j], s[lanes+j] = l.s0, l.s1
		}
		boxMuller(dst[:2*n], a[:n], b[:n])
		dst = dst[2*n:]
	}
}

// portableRounds32 is Sequence32.rounds in Go.
func portableRounds32(s *states, dst []float32) {
	var a, b [lanes]uint64
	for ; len(dst) > 0; dst = dst[4*lanes:] {
		for j := range lanes {
			l := lane{s[j], s[lanes+j]}
			l.fill2(a[j:], b[j:])
			s[j], s[lanes+j] = l.s0, l.s1
		}
		cos, sin := dst[:2*lanes], dst[2*lanes:4*lanes]
		for j := range lanes {
			cos[2*j], sin[2*j] = boxMuller32(uint32(a[j]), uint32(b[j]))
			cos[2*j+1], sin[2*j+1] = boxMuller32(uint32(a[j]>>32), uint32(b[j]>>32))
		}
	}
}
