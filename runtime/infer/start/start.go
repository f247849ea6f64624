// Package start finds the points where chains begin: given ones, random ones, or those of the laws
// that the model says its params start from, where the density and its gradient are finite.
package start

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Law says where chains begin.
type Law struct {
	// Init, if given, is the starting state: one vector for all chains, or one
	// for each. Else it is random, uniform on (−Radius, Radius) in unconstrained
	// coordinates; 0 is the origin.
	Init   [][]float64
	Radius float64
	Seed   uint64
	// Plain starts take no notice of the laws that the model's parameters start
	// from, where it has any: `--init` was given.
	Plain bool
	// Jacobian is the weight of log|J| in the density, which must be finite.
	Jacobian float64
	// Drawn is how many rows have latent values that chains draw; 0 where none are.
	Drawn int
}

// DrawnRows returns what Law.Drawn is for a target.
func DrawnRows(t target.Target) int {
	if len(target.LocalsOf(t)) == 0 {
		return 0
	}
	if block, _, streams := target.StreamOf(t); streams {
		return min(block, t.Rows()) // the first block is there
	}
	return t.Rows()
}

// A Starter is an evaluator of a model whose parameters may have laws to start
// from: it overwrites those that have one; any says whether there are any.
type Starter interface {
	Start(src *rng.Source, x []float64) (any bool, err error)
}

// maxStarts bounds the tries at a random start with a finite density and gradient.
const maxStarts = 100

// Place writes the start of a chain into x, a point of the spaces where the density
// and its gradient are finite. grad is scratch memory of the length of x, and is
// zero afterwards. Its error is an *Error.
func (s *Law) Place(
	spaces []manifold.Factor, eval target.Evaluator, chain int, x, grad []float64,
) error {
	defer clear(grad)
	if len(s.Init) > 0 {
		s.point(spaces, eval, chain, 0, x)
		for i := range spaces {
			f := &spaces[i]
			m := f.Space.Ambient()
			for at := f.Offset; at < f.Offset+f.Len; at += m {
				if r := f.Space.Residual(x[at : at+m]); r > 1e-6 {
					return &Error{chain,
						fmt.Sprintf("the starting point leaves the space of block %s by %g", f.Name,
							r), setting.Text("{init} with values inside their support")}
				}
			}
		}
	}
	tries := maxStarts
	var bad badStart
	for try := 0; try < tries; try++ {
		random, err := s.point(spaces, eval, chain, try, x)
		if err != nil {
			return &Error{chain, err.Error(), setting.Text("another init in the model, or {init}")}
		}
		if !random {
			tries = 1
		}
		if s.check(spaces, eval, x, grad, &bad) {
			return nil
		}
	}
	switch {
	case len(s.Init) > 0:
		return &Error{chain, bad.of("the given starting point", 1),
			setting.Text("another {init}, or `sgppl test`, which names terms that are not finite")}
	case tries == 1:
		return &Error{chain, bad.of("the origin", 1),
			setting.Text("{init} with a radius above 0, or a starting point of your own")}
	}
	return &Error{chain, bad.of(fmt.Sprintf("each of %d random starting points", tries), tries),
		setting.Text("{init} with a smaller radius, a starting point of your own, or `sgppl " +
			"test`, which names terms that are not finite")}
}

// Last writes the last point that Place tries for a chain into x: where it failed,
// if it did.
func (s *Law) Last(spaces []manifold.Factor, eval target.Evaluator, chain int, x []float64) error {
	random, err := s.point(spaces, eval, chain, 0, x)
	if err == nil && random {
		_, err = s.point(spaces, eval, chain, maxStarts-1, x)
	}
	return err
}

// point writes a point to try into x. It says whether another try would give
// another point.
func (s *Law) point(
	spaces []manifold.Factor, eval target.Evaluator, chain, try int, x []float64,
) (random bool, err error) {
	if n := len(s.Init); n > 0 {
		copy(x, s.Init[chain%n])
		return false, nil
	}
	stream := rng.New(s.Seed, chain, rng.Init)
	src := stream.At(uint64(try))
	for i := range spaces {
		f := &spaces[i]
		m := f.Space.Ambient()
		for at := f.Offset; at < f.Offset+f.Len; at += m {
			f.Space.RandomPoint(&src, s.Radius, x[at:at+m])
		}
	}
	if laws, ok := eval.(Starter); ok && !s.Plain {
		if random, err = laws.Start(&src, x); err != nil {
			return false, err
		}
	}
	return random || s.Radius != 0, nil
}

// A badStart is what the last of the points had that was not finite, and how
// often it was the gradient alone.
type badStart struct {
	density   float64
	gradient  float64
	block     string // of the gradient; "" where the density was not finite
	index     int    // in the block
	gradients int
}

// of words what was found at so many points.
func (b *badStart) of(what string, tries int) string {
	switch b.gradients {
	case 0:
		return fmt.Sprintf("the log density of %s is %v", what, b.density)
	case tries:
		return fmt.Sprintf("the gradient of the log density at %s is not finite: of block %s, "+
			"coordinate %d, it is %v", what, b.block, b.index, b.gradient)
	}
	return fmt.Sprintf("the log density of %s, or its gradient, is not finite (the gradient "+
		"alone at %d)", what, b.gradients)
}

// checkedRows is how many rows a start is checked with where chains draw latent
// values: over all rows that takes as long as a pass of the whole run.
const checkedRows = 32

// check reports whether the density and its gradient are finite at x, else what is not.
func (s *Law) check(
	spaces []manifold.Factor, eval target.Evaluator, x, grad []float64, bad *badStart,
) bool {
	var rows []int
	if n := s.Drawn; n > checkedRows {
		for i := range checkedRows {
			rows = append(rows, i*n/checkedRows)
		}
	}
	if d := eval.LogDensity(x, rows, 1, s.Jacobian); !special.Finite(d) {
		bad.density, bad.block = d, ""
		return false
	}
	locals, _ := eval.(target.LocalEvaluator)
	var state []float64
	if s.Drawn > 0 && locals != nil {
		// a gradient begins a visit of these rows; the first step is to begin it
		state = slices.Clone(locals.LocalState())
	}
	eval.Gradient(x, rows, 1, s.Jacobian, grad)
	if state != nil {
		copy(locals.LocalState(), state)
		locals.Visit(1, false) // forgets what was drawn for these rows
		locals.Visit(0, false)
	}
	i := special.FirstNonFinite(grad)
	if i < 0 {
		return true
	}
	bad.gradients++
	bad.gradient, bad.block, bad.index = grad[i], "", i
	for k := range spaces {
		if f := &spaces[k]; i >= f.Offset && i < f.Offset+f.Len {
			bad.block, bad.index = f.Name, i-f.Offset
		}
	}
	return false
}

// An Error is a starting point that cannot be used.
type Error struct {
	Chain   int
	Problem string
	Try     string
}

func (e *Error) Error() string {
	return fmt.Sprintf("chain %d cannot start: %s; try %s", e.Chain, e.Problem, e.Try)
}
