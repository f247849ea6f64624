package target

// A Law is the form of a full conditional. The numbers of a law come in outputs of the evaluator,
// one array after another.
type Law string

// The laws of a full conditional f(u), up to a constant, and their arrays.
const (
	// NormalLaw is h u − ½ λ u² for every entry: h, λ.
	NormalLaw Law = "normal"
	// JointNormalLaw is h·u − ½ u·Λu for every block: all h, then all Λ, by rows.
	JointNormalLaw Law = "joint normal"
	// PositiveNormalLaw is a u + b u² on u > 0: a, b.
	PositiveNormalLaw Law = "positive normal"
	// GammaLaw is a log u + b u^p with p = Powers[0], which is gamma for p = 1, inverse gamma for
	// p = −1, and that of a standard deviation for p = −2: a, b.
	GammaLaw Law = "gamma"
	// PowersLaw is a log u + Σ b_j u^{p_j} on u > 0, with p = Powers: a, then each b_j. It can be
	// drawn from where it is concave in u or in log u.
	PowersLaw Law = "powers"
	// BetaLaw is a log u + b log(1 − u): a, b.
	BetaLaw Law = "beta"
	// DirichletLaw is Σ a_k log u_k on a simplex: a.
	DirichletLaw Law = "dirichlet"
	// DirectionLaw is h·u on a sphere: h.
	DirectionLaw Law = "von Mises-Fisher"
	// TopicsLaw is that of all entries of a discrete unknown z together, with the simplexes θ and φ of
	// a topic model integrated out. Its arrays are, for every entry, the row of θ, the column of φ,
	// and 1 where the entry counts; then the coefficients of the logarithms in the priors of θ and φ.
	TopicsLaw Law = "topics"
	// TopicsRowLaw and TopicsColumnLaw are those of θ and φ given all z: Dirichlet, by the counts of
	// the same sweep. They have no arrays.
	TopicsRowLaw    Law = "topics, by row"
	TopicsColumnLaw Law = "topics, by column"
	// CategoryLaw is a table of log weights of the values 0, 1, … of every entry.
	CategoryLaw Law = "category"
)

// A Conditional is the full conditional of an unknown, given all others and the data.
type Conditional struct {
	Name   string
	Law    Law
	Powers []float64 // of GammaLaw and PowersLaw
	Hidden bool      // the unknown is a latent value, which is no output of the model
	Offset int       // of the unknown in the vector of values, or in that of hidden values
	Blocks int       // how many independent laws
	Size   int       // entries of the unknown in each of them
	Values int       // of CategoryLaw and TopicsLaw: how many values an entry may have
	Lens   []int     // the lengths of the arrays of its law
}

// Len is the length of the arrays of the law together.
func (c *Conditional) Len() int {
	n := 0
	for _, k := range c.Lens {
		n += k
	}
	return n
}

// A ConditionalTarget is a model all of whose unknowns have full conditionals.
type ConditionalTarget interface {
	Target
	// Conditionals lists them in the order in which a sweep draws; none where the model was not
	// compiled for them.
	Conditionals() []Conditional
}

// ConditionalsOf are the full conditionals of a target; none where it has none.
func ConditionalsOf(t Target) []Conditional {
	if c, ok := t.(ConditionalTarget); ok {
		return c.Conditionals()
	}
	return nil
}

// A ConditionalEvaluator computes the numbers of full conditionals.
type ConditionalEvaluator interface {
	Evaluator
	// Hidden are the latent values, which the caller writes. All methods read them.
	Hidden() []float64
	// Conditional writes the arrays of the i-th conditional, given the values of the model's outputs
	// as Constrain writes them.
	Conditional(i int, values, out []float64)
}
