package tall

import "errors"

const (
	// attempts is how often a run is begun anew with less noise and a smaller step, where
	// its draws were off.
	attempts = 2
	// cheapEnough is how many times as much as minibatches full passes may cost to be taken
	// by themselves where the draws of minibatches stay off.
	cheapEnough = 20
)

// A Next is what follows an attempt.
type Next int

const (
	Ended  Next = iota // the run ended, with the error if there is one
	Stays              // the draws are off, and are kept with that verdict
	Anew               // once more, from Setup.Refine
	Passes             // full passes
	Fails              // the run has no draws, and full passes were not asked for
)

// Next says what follows an attempt of Run.Go that ended by err. chosen says that the
// sampler was not given, fixed that the step or the size of minibatches was: then a run does
// not change them.
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

// Refined is the set-up for another attempt after one that ended by err.
func (s *Setup) Refined(err error) *Setup {
	var biased *Biased
	if errors.As(err, &biased) {
		return s.Refine(biased.Times)
	}
	return s.Refine(0)
}
