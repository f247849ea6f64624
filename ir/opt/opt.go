// Package opt improves IR functions. Each pass is in a file of its name, whose header shows the
// code before and after.
package opt

import (
	"fmt"

	"github.com/sgppl/sgppl/ir"
)

// A Pass rebuilds a function in a better form.
type Pass struct {
	Name string
	Doc  string
	Run  func(b *ir.Builder, f *ir.Func) *ir.Func
}

// Passes lists the passes in the order in which they run. Common subexpressions and dead values
// need no pass: the builder makes equal values once, and a function consists of the values that its
// outputs reach.
var Passes = []Pass{
	{"unify", "axes that a rename joins become one", ir.Unify},
	{"algebra", "constants folded, neutral elements and inverse pairs removed", algebra},
	{"stable", "logs of sums of exponentials and their kin in stable forms", stable},
	{"forward", "recurrences over hidden states become forward recursions", forward},
	{"select-down", "entries taken before the arithmetic", entries},
	{"hoist-sums", "what does not depend on a summed axis leaves the sum", hoistSums},
	{"sparse-terms", "log likelihoods of sparse counts read what is stored of them", sparseTerms},
	{"algebra-again", "after hoisting", algebra},
	{"reciprocals", "divisors that are known before, or used again, divide once", reciprocals},
	{"known-terms", "of a sum of numbers, what is known before is added up before", knownTerms},
	{"contract", "sums of products become contractions", contract},
}

// order holds pairs "a before b" with the reason; a test checks the list.
var order = []struct{ Before, After, Why string }{
	{"unify", "contract", "a contraction needs both factors on one axis"},
	{"algebra", "stable", "the stable forms are matched on simplified terms"},
	{"stable", "contract", "Σ exp must still be a sum when log Σ exp is looked for"},
	{"stable", "forward", "a recursion is one of log-sum-exps"},
	{"forward", "select-down", "entries of seen are taken of the recursion as a whole"},
	{"sparse-terms", "contract",
		"a sum over sparse data is a contraction once it is a sum of products"},
	{"algebra-again", "reciprocals", "algebra makes a quotient of a product with a reciprocal"},
	{"hoist-sums", "contract", "a factor that leaves the sum must not become an operand"},
}

// Run applies every pass and verifies the function after each. dump, which may be nil, is called
// with the function after each pass.
func Run(b *ir.Builder, f *ir.Func, dump func(pass string, f *ir.Func)) (*ir.Func, error) {
	return run(b, f, Passes, dump)
}

// StatisticsPass is the name of the pass that RunFull adds.
const StatisticsPass = "statistics"

// RunFull is Run for a function that is only called for all rows together. Before contractions are
// formed, it collapses sums to sufficient statistics (see Statistics). The Collapse is nil where no
// sum collapses.
func RunFull(
	b *ir.Builder, f *ir.Func, full *ir.Axis, dump func(pass string, f *ir.Func),
) (*ir.Func, *Collapse, error) {
	var c *Collapse
	var passes []Pass
	for _, p := range Passes {
		if p.Name == "contract" {
			passes = append(passes, Pass{StatisticsPass, "sums over rows become functions of sums of data",
				func(b *ir.Builder, f *ir.Func) *ir.Func {
					f, c = Statistics(b, f, full)
					return f
				}})
		}
		passes = append(passes, p)
	}
	f, err := run(b, f, passes, dump)
	if c == nil {
		return nil, nil, err
	}
	return f, c, err
}

func run(
	b *ir.Builder, f *ir.Func, passes []Pass, dump func(pass string, f *ir.Func),
) (*ir.Func, error) {
	for _, p := range passes {
		f = p.Run(b, f)
		if err := ir.Verify(f); err != nil {
			return nil, fmt.Errorf("after pass %s: %w", p.Name, err)
		}
		if dump != nil {
			dump(p.Name, f)
		}
	}
	return f, nil
}

// is reports whether v is an application of op.
func is(v *ir.Value, op *ir.Op) bool { return v.Op == op }
