package target

// A Subset is a target of some of the rows of another, each in place of several. It has no row
// axis.
type Subset struct {
	Target
	rows  []int
	scale float64
}

func (s *Subset) Rows() int { return 0 }

func (s *Subset) NewEvaluator(int) Evaluator {
	return &subsetEvaluator{s.Target.NewEvaluator(len(s.rows)), s}
}

type subsetEvaluator struct {
	Evaluator
	of *Subset
}

func (e *subsetEvaluator) Gradient(x []float64, _ []int, scale, jacobian float64, grad []float64) {
	e.Evaluator.Gradient(x, e.of.rows, scale*e.of.scale, jacobian, grad)
}

func (e *subsetEvaluator) LogDensity(x []float64, _ []int, scale, jacobian float64) float64 {
	return e.Evaluator.LogDensity(x, e.of.rows, scale*e.of.scale, jacobian)
}

func (e *subsetEvaluator) LogDensityGradient(
	x []float64, _ []int, scale, jacobian float64, grad []float64,
) float64 {
	return e.Evaluator.LogDensityGradient(x, e.of.rows, scale*e.of.scale, jacobian, grad)
}

// NewSubset returns the target of some of the rows of t, each in place of so many.
func NewSubset(t Target, rows []int, each float64) *Subset { return &Subset{t, rows, each} }

// Len is how many rows of the other target it has.
func (s *Subset) Len() int { return len(s.rows) }
