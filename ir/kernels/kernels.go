// Package kernels is the table of kernels: what a plan may call for a whole
// array at once, with one row for each. The planner asks which ops have a kernel
// for every entry, package codegen prints the call, and the VM makes it. A row
// has all three, so that both engines make the same call with the same sizes.
package kernels

import (
	"strings"

	"github.com/sgppl/sgppl/runtime/base/team"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A Float is the precision that a kernel computes in.
type Float interface{ float32 | float64 }

// A Row is a kernel. A result that is an array is written by Emit and Run, a
// result that is a number is returned by Number; most kernels have one of the two.
type Row struct {
	Name string // in plans: of an op, or as planned
	Doc  string

	// Emit is how Go writes the call, a function of package kernel whose name ends
	// in 32 in single precision. What it gets is named by Call: $dst, $x, $along, …
	// An array in braces is the part of it for one entry of the batch, with its
	// shape and, of a matrix, the distance of its rows: ${x m k / lda}.
	Emit  string
	Run64 func(c *Call[float64])
	Run32 func(c *Call[float32]) // nil: the kernel is for functions in double precision alone

	// Number is Emit where the result has no axes.
	Number   string
	Number64 func(c *Call[float64]) float64
	Number32 func(c *Call[float32]) float64
	Wide     bool // the printed call of Number gives float64 in single precision too

	// Each64 and Each32 compute every entry by itself. An elementwise op of the
	// same name is taken out of long loops.
	Each64 func(dst, x []float64)
	Each32 func(dst, x []float32)

	Product bool // a product of matrices, called for every entry of the batch
	Loops   bool // code generation prints its own loops, there is no single call
	Sums    bool // the result is always added
}

// A Call is what a kernel gets: its arrays, as long as they have entries, and
// the number of entries along each group of axes that plan.Kernel names.
type Call[T Float] struct {
	Dst                                []T
	X, Y, Z, W, V, U, S, R, Q          []T
	Number                             float64       // an argument without axes, the last of them
	Sparse                             kernel.Rows   // x, where it is sparse
	Sparse32                           kernel.Rows32 // likewise, in single precision
	Outer, Batch, Along, Inner         int
	M, N, K                            int
	LDA, LDB                           int // how far rows of x and of y are from one another
	Acc, Reverse, TransA, TransB, RowM bool
	Windows                            kernel.Windows
	Rows                               int // of the current block
	Source                             *rng.Source
	Team                               *team.Team // shares large products; nil: there is none
}

// Adds reports whether the kernel can add to its result. What cannot is written
// to a buffer that the caller adds.
func (r *Row) Adds() bool {
	return r.Loops || r.Product || r.Sums || strings.Contains(r.Emit, "$acc")
}

// Run is how the kernel is called in a precision.
func Run[T Float](r *Row) func(c *Call[T]) {
	if f, ok := any(r.Run64).(func(c *Call[T])); ok {
		return f
	}
	f, _ := any(r.Run32).(func(c *Call[T]))
	return f
}

// Number is how the kernel is called where its result is a number.
func Number[T Float](r *Row) func(c *Call[T]) float64 {
	if f, ok := any(r.Number64).(func(c *Call[T]) float64); ok {
		return f
	}
	f, _ := any(r.Number32).(func(c *Call[T]) float64)
	return f
}

// Each is the kernel as a function of every entry; nil where it is none.
func Each[T Float](r *Row) func(dst, x []T) {
	if f, ok := any(r.Each64).(func(dst, x []T)); ok {
		return f
	}
	f, _ := any(r.Each32).(func(dst, x []T))
	return f
}

// All lists the table in its order.
func All() []*Row { return all }

// Lookup finds a kernel by its name; nil where there is none.
func Lookup(name string) *Row { return byName[name] }

// Elementwise reports whether the op of that name has a kernel for every entry.
func Elementwise(op string) bool {
	r := byName[op]
	return r != nil && r.Each64 != nil
}

var (
	all    []*Row
	byName = map[string]*Row{}
)

func row(r Row) {
	all = append(all, &r)
	byName[r.Name] = &r
}
