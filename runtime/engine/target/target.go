// Package target is the border between compiled models and samplers: the methods of a model bound
// to data that samplers call. Generated packages and the VM implement it; samplers use nothing else
// of either.
package target

// Geometry says what space the points of a block live in.
type Geometry struct {
	Kind   string // a row of the manifold table: "euclidean", "sphere", "stiefel"
	Points int    // how many points the block holds
	Dim    int    // ambient dimension of a point (rows of a Stiefel point)
	Cols   int    // columns of a Stiefel point, else 0
}

// A Block is a segment of the state that belongs to one parameter.
type Block struct {
	Name     string // the parameter's
	Offset   int    // in the state vector
	Len      int
	Geometry Geometry
}

// An Output is a named array of a draw: a parameter in the model's own
// coordinates, or a tracked value.
type Output struct {
	Name   string
	Doc    string
	Dims   []string // the names of its axes, as far as they are dims; "" otherwise
	Shape  []int
	Offset int // in the vector that Constrain writes
	Len    int
	Track  bool
}

// A Target is a model bound to data. It is immutable and may be shared.
type Target interface {
	// Name is the model's.
	Name() string
	// Dim is the length of the state x: unconstrained coordinates, or
	// embedded ones for blocks on a curved manifold.
	Dim() int
	Blocks() []Block
	Outputs() []Output
	// OutputLen is the length of the vector that Constrain writes.
	OutputLen() int
	// Rows is the size N of the minibatch axis; 0 when the model has none.
	Rows() int
	// RowAxis is that axis's name.
	RowAxis() string
	// NewEvaluator makes a workspace for one goroutine, for minibatches of at
	// most capacity rows (full passes work in blocks whatever the capacity).
	NewEvaluator(capacity int) Evaluator
}

// An Evaluator computes with a target. It is not safe for concurrent use.
// No method allocates, except as it says.
//
// Everywhere rows == nil means every row, and
//
//	f(x) = scale · Σ_{i in rows} log p(row i | x) + log p(x) + jacobian · log|J(x)|
//
// where log p(x) also holds every term of the likelihood without the row
// axis, and J is the Jacobian of the transform from the state's coordinates
// to the model's.
type Evaluator interface {
	// Gradient writes ∇f(x) into grad.
	Gradient(x []float64, rows []int, scale, jacobian float64, grad []float64)
	// LogDensity returns f(x).
	LogDensity(x []float64, rows []int, scale, jacobian float64) float64
	// LogDensityGradient returns f(x) and writes its gradient, sharing work.
	LogDensityGradient(x []float64, rows []int, scale, jacobian float64, grad []float64) float64
	// Constrain maps the state to the model's coordinates and the tracked values.
	Constrain(x, out []float64)
	// Unconstrain is the inverse of Constrain on the parameters; tracked
	// entries of out are not read. It fails outside the support.
	Unconstrain(out, x []float64) error
	// LogLik writes the log likelihood of each of the rows.
	LogLik(x []float64, rows []int, out []float64)
}

// A Single is a target that may compute in single precision.
type Single interface {
	Target
	// Single reports whether it does. Its evaluators are then SingleEvaluators.
	Single() bool
}

// A Fetcher is an evaluator that can be told which rows the next minibatch has, and the one after
// it, so that they are in the processor's cache when they are read. It changes no result. Either
// list may be empty.
type Fetcher interface {
	// Fetches reports whether there is anything to fetch; the evaluator prepares for it. placed says
	// that Lie will be called for each minibatch.
	Fetches(placed bool) bool
	Coming(next, after []int)
	// Lie tells where the rows of the present minibatch lie in the arrangement of all rows
	// (batch.Arrange), and which places are read soon. rows and places are written to together:
	// whenever a call has these rows, it has these places.
	Lie(rows, places, soon []int)
}

// A SingleEvaluator has gradients for states in single precision.
type SingleEvaluator interface {
	Evaluator
	// GradientSingle writes what Gradient of the same x gives, rounded.
	GradientSingle(x []float32, rows []int, scale, jacobian float64, grad []float32)
}
