package tall

import "errors"

const (
	// attempts is how often a run is restarted with less noise and a smaller step, if its draws were
	// off.
	attempts = 2
	// cheapEnough is the largest ratio of the cost of full passes to that of minibatches at which full
	// passes are chosen automatically if the draws of minibatches stay off.
	cheapEnough = 20
)

// A Next says what to do after an attempt.
type Next int

const (
	Ended  Next = iota // the run is over; its error, if any, is final
	Stays              // keep the draws, whose verdict is off
	Anew               // try again, with Setup.Refine
	Passes             // change to full passes
	Fails              // there are no draws, and full passes were not allowed
)

// Next returns what to do after an attempt of Run.Go that ended with err. chosen says that the
// sampler was not given by the user; fixed that the step or the size of minibatches was, so that it
// cannot change.
func (p *Plan) Next(err error, chosen, fixed bool) Next {
	var biased *Biased
	var refusal *Refusal
	off, none := errors.As(err, &biased), errors.As(err, &refusal)
	switch {
	case !off && !none:
		return Ended
	case p.Attempt < attempts && !fixed:
		return Anew
	case none && chosen:
		return Passes
	case none:
		return Fails
	case chosen && !fixed && p.CostNUTS <= cheapEnough*p.CostDraws:
		return Passes
	}
	return Stays
}

// Refined returns the set-up for another attempt after one that ended with err.
func (s *Setup) Refined(err error) *Setup {
	var biased *Biased
	if errors.As(err, &biased) {
		return s.Refine(biased.Times)
	}
	return s.Refine(0)
}
