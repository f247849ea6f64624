package target

// A Scaled target is a target whose rows each have a weight above 1, the same for all.
type Scaled struct {
	Target
	each float64
}

// NewScaled returns the target whose rows are those of t, each in place of so many. It has the
// rows of t in memory.
func NewScaled(t Target, each float64) *Scaled { return &Scaled{t, each} }

// NewEvaluator implements Target.
func (s *Scaled) NewEvaluator(capacity int) Evaluator {
	e := s.Target.NewEvaluator(capacity)
	d, ok := DifferenceOf(e)
	if !ok {
		return &scaledEvaluator{e, s.each}
	}
	return &scaledDifference{scaledEvaluator{e, s.each}, d, nil}
}

type scaledEvaluator struct {
	Evaluator
	each float64
}

func (e *scaledEvaluator) Gradient(x []float64, rows []int, scale, jacobian float64, g []float64) {
	e.Evaluator.Gradient(x, rows, scale*e.each, jacobian, g)
}

func (e *scaledEvaluator) LogDensity(x []float64, rows []int, scale, jacobian float64) float64 {
	return e.Evaluator.LogDensity(x, rows, scale*e.each, jacobian)
}

func (e *scaledEvaluator) LogDensityGradient(
	x []float64, rows []int, scale, jacobian float64, grad []float64,
) float64 {
	return e.Evaluator.LogDensityGradient(x, rows, scale*e.each, jacobian, grad)
}

func (e *scaledEvaluator) LogLik(x []float64, rows []int, out []float64) {
	e.Evaluator.LogLik(x, rows, out)
	for i := range out {
		out[i] *= e.each
	}
}

type scaledDifference struct {
	scaledEvaluator
	of      DifferenceEvaluator
	weights []float64
}

func (e *scaledDifference) HasDifference() bool { return true }

func (e *scaledDifference) Difference(
	x, anchor []float64, rows []int, weights []float64, jacobian float64, grad []float64,
) {
	e.weights = e.weights[:0]
	for _, w := range weights {
		e.weights = append(e.weights, w*e.each)
	}
	e.of.Difference(x, anchor, rows, e.weights, jacobian, grad)
}
