package tall

import "math"

// longest is how many rounds a run has at most. mostRounds are for the effective draws that
// bound the bias by the default of MaxBias; who asks for more of them, or a smaller
// bias, has as many rounds more, and two to spare.
func (r *Run) longest() int {
	need := max(r.set.TargetESS, reportESS*math.Pow(0.1/r.set.MaxBias, 2))
	return mostRounds + 2 + max(int(math.Ceil(math.Log(need/reportESS)/math.Log(longer))), 0)
}
