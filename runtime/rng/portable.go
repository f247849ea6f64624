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

// portableNormals32 is Normals32 in Go, given the block of the step.
func portableNormals32(base *[4]uint64, dst []float32) {
	pairs := (len(dst) + 1) / 2
	var state [lanes]lane
	for j := range min(lanes, pairs) {
		state[j] = newLane(base, uint64(j))
	}
	var words [strip]uint64
	for len(dst) > 0 {
		n := min(strip, (len(dst)+1)/2)
		w := words[:n]
		for j := range min(lanes, n) {
			state[j].fill(w[j:])
		}
		for _, v := range w {
			x, y := boxMuller32(uint32(v>>32), uint32(v))
			if dst[0] = x; len(dst) > 1 {
				dst[1] = y
			}
			dst = dst[min(2, len(dst)):]
		}
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
	var words [strip]uint64
	for len(dst) > 0 {
		n := min(strip, len(dst)/2)
		for j := range lanes {
			l := lane{s[j], s[lanes+j]}
			l.fill(words[j:n])
			s[j], s[lanes+j] = l.s0, l.s1
		}
		for i, v := range words[:n] {
			dst[2*i], dst[2*i+1] = boxMuller32(uint32(v>>32), uint32(v))
		}
		dst = dst[2*n:]
	}
}
