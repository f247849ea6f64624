package ir

// A Class says how an op is evaluated, differentiated and emitted: one rule a
// class, and what differs between its ops is data in the table.
type Class int

const (
	Leaf    Class = iota // const, state, data, scalar, size, iota
	Map                  // the same function of every entry, aligned by axis
	Reduce               // takes axes away: sum, max, …
	Move                 // places entries elsewhere: gather, slice, stack, …
	Product              // sum over axes of a product, made from sum and mul
	Random               // a draw for every entry, for simulation
	// a function of the whole array along Over, for every entry of the other axes
	Structured
	Sequential // a recurrence along an axis: scan
)

// An Op is a row of the op table.
type Op struct {
	Name  string
	Class Class
	Arity int // -1: any number
	Doc   string

	// Map: the function of numbers, and how Go code writes it (an expression
	// with %[1]s … for the arguments).
	Eval func(x [3]float64) float64
	Go   string
	// Commutes lets equal operands be found in either order.
	Commutes bool
	// Bool says the result is 0 or 1.
	Bool bool
	// Mode is the variant of the op, other than Plain, that values may have.
	Mode Mode
	// Costly says that a number takes tens of nanoseconds, and that no kernel is faster for many.
	Costly bool
	// SizeArg says that the first argument is a size, which has no derivative.
	SizeArg bool

	// Partial returns ∂v/∂arg i as a value, for maps; a nil value stands for
	// zero, a nil rule for a derivative that is not known.
	Partial func(b *Builder, v *Value, i int) *Value
	// Singular says that the value or a partial derivative may be infinite or
	// NaN. Under a branch that is not taken its product with the zero
	// cotangent is then zero, not NaN.
	Singular bool

	// Adjoint returns the cotangents of the arguments, for the other classes.
	// They may have axes that the argument lacks: the caller sums them away.
	Adjoint func(b *Builder, v, cot *Value) []*Value
	// Shape returns the axes of a value, given those that its arguments have; a nil
	// rule is that of the op's class, in verify.go.
	Shape func(v *Value, all []*Axis) ([]*Axis, error)
	// Reference is the op by its definition, for functions of whole arrays.
	Reference func(e *evaluator, v *Value, args []Array) Array
	// Rebuild makes the value with other arguments, by the op's builder; a nil rule
	// is in Builder.Like.
	Rebuild func(b *Builder, v *Value, args []*Value) *Value
	// NoGradient says why the op has neither rule.
	NoGradient string
}

// Ops lists the whole table in its order; a test walks it.
func Ops() []*Op { return table }

// Lookup finds an op by name.
func Lookup(name string) (*Op, bool) {
	op, ok := byName[name]
	return op, ok
}

var (
	table  []*Op
	byName = map[string]*Op{}
)

// row adds to the table; it is called by the declarations of the ops_ files.
func row(op Op) *Op {
	p := &op
	table = append(table, p)
	byName[op.Name] = p
	return p
}
