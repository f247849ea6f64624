package target

// A MaskTarget is a model with dropout: the gradients of a training drop entries at random, and
// are not those of its density.
type MaskTarget interface {
	// Masks says where its uses of dropout are, as file:line; none where the model has none.
	Masks() []string
}

// A MaskEvaluator is an evaluator of a MaskTarget. Only after Train does Gradient drop
// entries; all else never does.
type MaskEvaluator interface {
	Evaluator
	// Train has Gradient drop entries, by the random numbers of a chain.
	Train(seed uint64, chain int)
	// MaskStep gives the next gradients the number of a step. What is dropped is a function of
	// the seed, the chain, the step and the place of a row among the rows of the call.
	MaskStep(step uint64)
}

// MasksOf says where a target has dropout.
func MasksOf(t Target) []string {
	if m, ok := t.(MaskTarget); ok {
		return m.Masks()
	}
	return nil
}
