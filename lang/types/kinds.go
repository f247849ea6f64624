package types

// A KindInfo is what the language says of one kind.
type KindInfo struct {
	Name     string // as a type expression writes it; empty when it cannot
	Sizes    int    // sizes in [ ] that belong to the type; -1: any number, which are family sizes
	Own      int    // axes of one value
	Discrete bool
	// an open set of R^n, entry by entry: a scalar distribution may stand on an array of it
	Open   bool
	Nonneg bool // every entry is at least 0
	Entry  Kind // what one entry is
	Doc    string
}

// Kinds is the table of kinds, in order of Kind.
var Kinds = []KindInfo{
	Invalid: {Name: "", Sizes: 0},
	Real: {Name: "real", Sizes: -1, Open: true, Entry: Real,
		Doc: "a real number; base measure Lebesgue"},
	Positive: {Name: "positive", Sizes: -1, Open: true, Nonneg: true, Entry: Positive,
		Doc: "a number above 0, reached by exp; Lebesgue"},
	Nonnegative: {Name: "nonnegative", Sizes: -1, Open: true, Nonneg: true, Entry: Nonnegative,
		Doc: "a number from 0; of a param the same as positive, since 0 has no probability; Lebesgue"},
	Unit: {Name: "unit", Sizes: -1, Open: true, Nonneg: true, Entry: Unit,
		Doc: "a number between 0 and 1, which data may also be equal to, reached by the logistic " +
			"function; Lebesgue"},
	Interval: {Name: "interval", Sizes: -1, Open: true, Entry: Interval,
		Doc: "interval(a, b): a number between a and b, which data may also be equal to, reached " +
			"by a scaled logistic function; Lebesgue"},
	Int: {Name: "int", Sizes: -1, Discrete: true, Entry: Int,
		Doc: "a whole number; counting measure"},
	Count: {Name: "count", Sizes: -1, Discrete: true, Nonneg: true, Entry: Count,
		Doc: "a whole number, at least 0; counting measure"},
	Bool: {Name: "bool", Sizes: -1, Discrete: true, Nonneg: true, Entry: Bool,
		Doc: "false or true, as numbers 0 and 1; counting measure"},
	Index: {Name: "index", Sizes: 1, Discrete: true, Nonneg: true, Entry: Index,
		Doc: "index[K]: a whole number from 0 to K - 1; counting measure"},
	Simplex: {Name: "simplex", Sizes: 1, Own: 1, Nonneg: true, Entry: Unit,
		Doc: "simplex[K]: K numbers above 0 with sum 1, reached by the softmax of an isometric " +
			"log-ratio (by ilr; also by sphere, by expanded_mean); Lebesgue on the first K - 1"},
	Sphere: {Name: "sphere", Sizes: 1, Own: 1, Entry: Real,
		Doc: "sphere[D]: a unit vector of R^D, moved along great circles; the surface measure"},
	Ordered: {Name: "ordered", Sizes: 1, Own: 1, Open: true, Entry: Real,
		Doc: "ordered[K]: K increasing numbers; Lebesgue"},
	PositiveOrdered: {Name: "positive_ordered", Sizes: 1, Own: 1, Open: true, Nonneg: true,
		Entry: Positive, Doc: "positive_ordered[K]: K increasing numbers above 0; Lebesgue"},
	Stiefel: {Name: "stiefel", Sizes: 2, Own: 2, Entry: Real,
		Doc: "stiefel[D, K]: K orthonormal columns in R^D, moved along geodesics; the surface " +
			"measure in R^(D K)"},
	Grassmann: {Name: "grassmann", Sizes: 2, Own: 2, Entry: Real,
		Doc: "grassmann[D, K]: a K-dimensional subspace of R^D, as the orthonormal basis whose " +
			"first K rows are a lower triangle with positive diagonal, moved along geodesics; " +
			"the volume of the subspaces"},
	Hyperbolic: {Name: "hyperbolic", Sizes: 1, Own: 1, Entry: Real,
		Doc: "hyperbolic[D]: a point x of the hyperboloid x[0]^2 = 1 + x[1]^2 + … in R^D, x[0] " +
			"above 0, the space of curvature -1, moved along geodesics; its volume"},
	CorrChol: {Name: "corr_chol", Sizes: 1, Own: 2, Entry: Real,
		Doc: "corr_chol[K]: the Cholesky factor of a K by K correlation matrix, a lower triangle " +
			"with rows of length 1 and positive diagonal, reached by the tanh of partial " +
			"correlations; Lebesgue on the entries below the diagonal"},
	CovChol: {Name: "cov_chol", Sizes: 1, Own: 2, Entry: Real,
		Doc: "cov_chol[K]: the Cholesky factor of a K by K covariance matrix, a lower triangle " +
			"with positive diagonal, reached by exp there; Lebesgue on its entries on and below " +
			"the diagonal"},
	SumToZero: {Name: "sum_to_zero", Sizes: 1, Own: 1, Open: true, Entry: Real,
		Doc: "sum_to_zero[K]: K numbers with sum 0; Lebesgue on the hyperplane, on which a " +
			"normal prior with one deviation is conditioned"},
	Bag: {Name: "bag", Sizes: 1, Own: 1, Discrete: true, Open: true, Nonneg: true, Entry: Count,
		Doc: "bag[V]: counts over V, kept sparse; data only"},
	Tuple:   {},
	AnyDist: {},
}

// KindNamed finds the kind that a type expression calls name.
func KindNamed(name string) (Kind, bool) {
	for k, info := range Kinds {
		if info.Name == name && name != "" {
			return Kind(k), true
		}
	}
	return Invalid, false
}

func (k Kind) String() string {
	switch k {
	case Tuple:
		return "tuple"
	case AnyDist:
		return "distribution"
	case Invalid:
		return "invalid"
	}
	return Kinds[k].Name
}

// Info is the row of the table.
func (k Kind) Info() KindInfo { return Kinds[k] }

// Discrete says that values of the kind are whole numbers.
func (k Kind) Discrete() bool { return Kinds[k].Discrete }

// Finite reports whether values of the kind are finitely many: classes and bits.
func (k Kind) Finite() bool { return k == Bool || k == Index }
