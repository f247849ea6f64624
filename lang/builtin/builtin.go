// Package builtin is the one table of the functions that are not written in
// the language: what each takes, what it returns, what it means.
package builtin

import "github.com/sgppl/sgppl/lang/types"

// A Class says how the shape of a call follows from its arguments.
type Class int

const (
	// Elementwise functions take numbers; on arrays they act entry by entry, aligned by the fit
	// rule.
	Elementwise Class = iota
	// Reductions take one array, or an expression with bound indices.
	Reduction
	// Array functions are declared by a signature with size variables.
	Array
	// Special functions have their own shape rule, named by Rule.
	Special
	// Generators draw from the runtime's generator; they stand only in the sample line of a dist.
	Generator
)

// A Rule names the shape rule of a Special function.
type Rule int

const (
	NoRule    Rule = iota
	Fill           // zeros(N, M): its arguments are sizes
	Identity       // identity(N): [N, N]
	Transpose      // [N, M] to [M, N]
	Concat         // along the first axis
	Reshape        // reshape(a, N, P): the entries in order, checked with the data
	Flatten        // all axes into one
	// conv2d(x : [C, A, B], W : [D, C, k, l], stride = 1, pad = 0): [D, A - k + 1, B - l + 1]
	Conv
	Pool // max_pool2d(x : [C, A, B], k, stride = k): [C, A / k, B / k]
	Gp   // gp_exp_quad(x, y, alpha, rho): a covariance of every point of x with every one of y
	Ode  // ode(f, z0, t0, ts, …): ts's axes, then z0's
)

// A Param of a function: its kind says what is expected, its sizes are
// names that are found from the arguments.
type Param struct {
	Name  string
	Kind  types.Kind
	Sizes []string
}

// A Func is a row of the table.
type Func struct {
	Name   string
	Class  Class
	Rule   Rule
	Params []Param
	Result Param  // Kind, and for Array functions Sizes
	Keep   bool   // of an elementwise function or reduction: whole numbers in, whole numbers out
	Op     string // the name of the op that evaluates it where it is not Name
	Doc    string
	Source string // of the formula, where it is not a textbook's
}

// Lookup finds a function by name.
func Lookup(name string) (*Func, bool) {
	f, ok := byName[name]
	return f, ok
}

// Funcs lists the table in its order.
func Funcs() []*Func { return table }

// Names lists every name.
func Names() []string {
	names := make([]string, len(table))
	for i, f := range table {
		names[i] = f.Name
	}
	return names
}

var (
	table  []*Func
	byName = map[string]*Func{}
)

func add(fs ...*Func) {
	for _, f := range fs {
		if _, twice := byName[f.Name]; twice {
			panic("builtin: " + f.Name + " stands twice in the table")
		}
		if f.Op == "" {
			f.Op = f.Name
		}
		table = append(table, f)
		byName[f.Name] = f
	}
}
