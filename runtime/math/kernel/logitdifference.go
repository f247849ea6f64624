package kernel

// SparseLogitDifference takes rows of a logistic regression on sparse features at two points: the
// coefficients w with an intercept, and those of an anchor. With s = sigmoid(bias[0] + x·w) and
// t = sigmoid(bias[1] + x·anchor) of each row, it writes −(weight·(s − t)) into d, adds Σ d · x to
// g, and returns Σ weight·(s − t). e is scratch, as long as d. The bits are those of functions of
// whole arrays, one after the other: SparseMulVec, an addition and Sigmoid at either point, a
// difference, two products, SparseMulVecT and Dot.
func SparseLogitDifference(
	g []float64, r *Rows, w, anchor []float64, bias [2]float64, weight, d, e []float64,
) float64 {
	n := r.Len()
	anchor, weight, d, e = anchor[:len(w)], weight[:n], d[:n], e[:n]
	var lanes sumLanes
	p := r.Picked
	if p == nil || !p.vector(len(w), len(g)) {
		rows := r.found()
		logitDifferenceParts(g, &rows, w, anchor, bias, weight, d, e, &lanes)
		return lanes.sum()
	}
	for at := 0; at < n; {
		m := min(n-at, rowsChunk)
		done := vectorRecordDifference(g, p, w, anchor, &bias, weight, d, e, &lanes, at, m)
		at += done
		if done == m {
			continue
		}
		// A number of the next eight rows is one that assembly leaves to Go.
		end := min(at+len(lanes), n)
		part := r.found()
		part.Lo, part.Hi = part.Lo[at:end], part.Hi[at:end]
		logitDifferenceParts(g, &part, w, anchor, bias, weight[at:end], d[at:end], e[at:end], &lanes)
		at = end
	}
	return lanes.sum()
}

// logitDifferenceParts is SparseLogitDifference, one pass after the other, which adds to the lanes
// of the sum. The first row is that of the first lane.
func logitDifferenceParts(
	g []float64, r *Rows, w, anchor []float64, bias [2]float64, weight, d, e []float64,
	lanes *sumLanes,
) {
	fill(d, bias[0])
	fill(e, bias[1])
	SparseMulVec(d, *r, w, true)
	SparseMulVec(e, *r, anchor, true)
	sigmoid64(d)
	sigmoid64(e)
	Entrywise(OpSub, e, d, e, nil)
	Entrywise(OpMul, e, weight, e, nil)
	addLanes((*[8]float64)(lanes), e)
	Entrywise(OpNeg, d, e, nil, nil)
	SparseMulVecT(g, *r, d, true)
}

func fill(x []float64, with float64) {
	for i := range x {
		x[i] = with
	}
}
