package kernel

// SparseLogit takes rows of a logistic regression on sparse features. It writes the residuals
// y − sigmoid(bias + x·w) of the rows into d, adds Σ residual · x to g, and returns the sum of the
// residuals. The bits are those of SparseMulVec, an addition, Sigmoid, a difference,
// SparseMulVecT and Sum, one after the other.
func SparseLogit(g []float64, r *Rows, w []float64, bias wide, y, d []float64) wide {
	n := r.Len()
	y, d = y[:n], d[:n]
	if p := r.Picked; p != nil && n > 0 && p.vector(len(w), len(g)) {
		return recordLogit64(g, r, w, float64(bias), y, d)
	}
	return entryLogit64(g, r.found(), w, bias, y, d)
}

// entryLogit64 is SparseLogit of rows by their bounds.
func entryLogit64(g []float64, r Rows, w []float64, bias wide, y, d []float64) wide {
	n := len(d)
	if r.Packed != nil || !logitVector() || len(r.Index) == 0 || len(w) == 0 || len(g) < len(w) {
		logitParts64(g, r, w, float64(bias), y, d)
		return sum64(d)
	}
	r.check(r.Lo, r.Hi)
	var lanes sumLanes
	for at := 0; at < n; {
		m := min(n-at, rowsChunk)
		done := vectorLogit64(g, r, w, float64(bias), y, d, &lanes, at, m)
		at += done
		if done == m {
			continue
		}
		// The next eight rows, or the last ones, have an entry beyond w or a number that assembly
		// leaves to Go.
		end := min(at+len(lanes), n)
		part := Rows{Lo: r.Lo[at:end], Hi: r.Hi[at:end], Index: r.Index, Value: r.Value,
			Narrow: r.Narrow}
		logitParts64(g, part, w, float64(bias), y[at:end], d[at:end])
		for i, v := range d[at:end] {
			lanes[i] += wide(v)
		}
		at = end
	}
	return lanes.sum()
}

// recordLogit64 is SparseLogit of rows in records.
func recordLogit64(g []float64, r *Rows, w []float64, bias float64, y, d []float64) wide {
	var lanes sumLanes
	for at, n := 0, len(d); at < n; {
		m := min(n-at, rowsChunk)
		done := vectorRecordLogit64(g, r.Picked, w, bias, y, d, &lanes, at, m)
		at += done
		if done == m {
			continue
		}
		// A number of the next eight rows is one that assembly leaves to Go.
		end := min(at+len(lanes), n)
		part := r.found()
		part.Lo, part.Hi = part.Lo[at:end], part.Hi[at:end]
		logitParts64(g, part, w, bias, y[at:end], d[at:end])
		for i, v := range d[at:end] {
			lanes[i] += wide(v)
		}
		at = end
	}
	return lanes.sum()
}

// logitParts64 is SparseLogit, one pass after the other, without the sum.
func logitParts64(g []float64, r Rows, w []float64, bias float64, y, d []float64) {
	SparseMulVec(d, r, w, false)
	for i := range d {
		d[i] += bias
	}
	sigmoid64(d)
	for i, v := range y {
		d[i] = v - d[i]
	}
	SparseMulVecT(g, r, d, true)
}
