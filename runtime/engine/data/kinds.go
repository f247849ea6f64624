package data

import "strconv"

// A kindRow has the checks of a kind of input. The table kinds has one row for each Kind.
type kindRow struct {
	name   string
	expect string                              // text on valid entries; %s stands for the range
	whole  bool                                // whole numbers only
	ok     func(v, lo, hi float64) bool        // checks one number; lo and hi end the range
	sums   bool                                // own needs sums alone, so zeros may be left out
	own    func(v []float64, cols int) *defect // checks the entries of a simplex, …, together
}

var kinds = [...]kindRow{
	Real:     {name: "real", expect: "a finite number", ok: anyNumber},
	Positive: {name: "positive", expect: "a number above 0", ok: above0},
	Unit:     {name: "unit", expect: "a number from 0 to 1", ok: within},
	Interval: {name: "interval", expect: "a number from %s", ok: within},
	Int:      {name: "int", expect: "a whole number", whole: true, ok: anyNumber},
	Count: {name: "count", expect: "a whole number of at least 0", whole: true,
		ok: from0},
	Bool:  {name: "bool", expect: "0 or 1, or -1 and +1 throughout", ok: zeroOne},
	Index: {name: "index", expect: "a whole number %s", whole: true, ok: fromTo},
	Simplex: {name: "simplex", expect: "a number of at least 0", ok: from0, own: simplex,
		sums: true},
	Sphere: {name: "sphere", expect: "a finite number", ok: finite, own: sphere,
		sums: true},
	Ordered: {name: "ordered", expect: "a number", ok: anyNumber, own: rising},
	PositiveOrdered: {name: "positive_ordered", expect: "a number above 0", ok: above0,
		own: rising},
	SumToZero: {name: "sum_to_zero", expect: "a finite number", ok: finite, own: sumToZero,
		sums: true},
	Stiefel:     {name: "stiefel", expect: "a finite number", ok: finite, own: stiefel},
	CorrChol:    {name: "corr_chol", expect: "a finite number", ok: finite, own: corrChol},
	Nonnegative: {name: "nonnegative", expect: "a number of at least 0", ok: atLeast0},
	CovChol:     {name: "cov_chol", expect: "a finite number", ok: finite, own: covChol},
	Grassmann:   {name: "grassmann", expect: "a finite number", ok: finite, own: stiefel},
	Hyperbolic:  {name: "hyperbolic", expect: "a finite number", ok: finite, own: hyperbolic},
}

// String returns the name of the kind in the language.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kinds) {
		return "kind " + strconv.Itoa(int(k))
	}
	return kinds[k].name
}
