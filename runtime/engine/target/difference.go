package target

// A DifferenceEvaluator has gradients with a control variate: those of
// minibatches whose noise shrinks as the state comes near an anchor.
type DifferenceEvaluator interface {
	Evaluator
	// HasDifference reports whether the model has them. It has none without rows,
	// and none where chains draw latent values of rows: the gradient of a row is a
	// mean over draws then, and not a function of the state.
	HasDifference() bool
	// Difference writes into grad
	//
	// Σ_k weights[k]·(∇ log p(row rows[k] | x) − ∇ log p(row rows[k] | anchor)) + ∇ log p(x) +
	// jacobian·∇ log|J(x)|
	//
	// which is Gradient's with a weight for each row, less the rows' part at the
	// anchor. log p(x) holds the priors, and all terms without the row axis; they and
	// log|J| are of x alone. With Σ_i ∇ log p(row i | anchor) over all rows added to it
	// (a constant: the gradient of all rows with scale 1, less that of no rows) it
	// estimates the gradient of all rows, without bias where the expected weight of
	// every row is 1: weights 1/(n·p) for n rows drawn with replacement with
	// probabilities p. It is the control variate gradient of Baker, Fearnhead, Fox,
	// Nemeth 2019, "Control variates for stochastic gradient MCMC", section 3, with a
	// probability for each row and with charts: x and anchor are states, in the
	// coordinates of Target.Dim, and each row's gradient is pulled back through the
	// chart at its own point. On blocks on curved manifolds the two are gradients in
	// the ambient space, at two points: whoever wants a tangent vector projects the
	// result at x.
	//
	// A row may be listed several times, each with its own weight. No rows, nil
	// too, leave ∇ log p(x) + jacobian·∇ log|J(x)|. Units are those of Gradient: log
	// density by coordinate of the state. All is computed in double precision, of a
	// model in single precision too; its data have been rounded.
	Difference(x, anchor []float64, rows []int, weights []float64, jacobian float64, grad []float64)
}

// DifferenceOf is the evaluator with its gradients with a control variate; false
// where the model has none.
func DifferenceOf(e Evaluator) (DifferenceEvaluator, bool) {
	d, ok := e.(DifferenceEvaluator)
	return d, ok && d.HasDifference()
}
