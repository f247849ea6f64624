package tall

// CheapPasses says whether full passes cost less than minibatches could, whatever the
// posterior is like: as of models whose rows are in sums that are computed once. Then
// nothing needs to be prepared.
func CheapPasses(rows int, s Settings) bool {
	if s.Anyway {
		return false
	}
	s = s.filled(rows)
	least := &Setup{Plan: Plan{Rows: rows, Friction: s.Friction, Step: longestStep, CurvatureMin: 1, Batch: leastBatch, NoisePlain: 1}}
	least.decide(nil, s)
	return least.Plan.CostDraws > least.Plan.CostNUTS
}
