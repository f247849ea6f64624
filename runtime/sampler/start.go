package sampler

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/manifold"
	"github.com/sgppl/sgppl/runtime/rng"
	"github.com/sgppl/sgppl/runtime/target"
)

// A Start says where chains begin.
type Start struct {
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

// DrawnRows is Drawn of a target.
func DrawnRows(t target.Target) int {
	if len(target.LocalsOf(t)) == 0 {
		return 0
	}
	if block, _, streams := target.StreamOf(t); streams {
		return min(block, t.Rows()) // the first block is there
	}
	return t.Rows()
}

// A starter is an evaluator of a model whose parameters may have laws to start
// from: it overwrites those that have one; any says whether there are any.
type starter interface {
	Start(src *rng.Source, x []float64) (any bool, err error)
}

// maxStarts bounds the tries at a random start with a finite density.
const maxStarts = 100

// Place writes the start of a chain into x, a point of the spaces of finite
// density. Its error is an *InitError.
func (s *Start) Place(spaces []manifold.Factor, eval target.Evaluator, chain int, x []float64) error {
	if n := len(s.Init); n > 0 {
		copy(x, s.Init[chain%n])
		for i := range spaces {
			f := &spaces[i]
			m := f.Space.Ambient()
			for at := f.Offset; at < f.Offset+f.Len; at += m {
				if r := f.Space.Residual(x[at : at+m]); r > 1e-6 {
					return &InitError{chain, fmt.Sprintf("the starting point leaves the space of block %s by %g", f.Name, r), "--init with values inside their support"}
				}
			}
		}
		return s.check(eval, chain, x, "the given starting point", "another --init")
	}
	var err error
	tries := maxStarts
	laws, lawful := eval.(starter)
	lawful = lawful && !s.Plain
	if s.Radius == 0 && !lawful {
		tries = 1
	}
	stream := rng.New(s.Seed, chain, rng.Init)
	for try := 0; try < tries; try++ {
		src := stream.At(uint64(try))
		for i := range spaces {
			f := &spaces[i]
			m := f.Space.Ambient()
			for at := f.Offset; at < f.Offset+f.Len; at += m {
				f.Space.RandomPoint(&src, s.Radius, x[at:at+m])
			}
		}
		if lawful {
			if lawful, err = laws.Start(&src, x); err != nil {
				return &InitError{chain, err.Error(), "another init in the model, or --init"}
			}
			if !lawful && s.Radius == 0 {
				tries = 1
			}
		}
		if tries == 1 {
			return s.check(eval, chain, x, "the origin", "--init with a radius above 0, or a starting point of your own")
		}
		if err = s.check(eval, chain, x, fmt.Sprintf("each of %d random starting points", tries), "--init with a smaller radius, a starting point of your own, or `sgppl test`, which names terms that are not finite"); err == nil {
			return nil
		}
	}
	return err
}

// checkedRows is how many rows a start is checked with where chains draw latent
// values: over all rows that takes as long as a pass of the whole run.
const checkedRows = 32

// check evaluates the density once.
func (s *Start) check(eval target.Evaluator, chain int, x []float64, what, try string) error {
	var rows []int
	if n := s.Drawn; n > checkedRows {
		for i := range checkedRows {
			rows = append(rows, i*n/checkedRows)
		}
	}
	if d := eval.LogDensity(x, rows, 1, s.Jacobian); !finite(d) {
		return &InitError{chain, fmt.Sprintf("the log density of %s is %v", what, d), try}
	}
	return nil
}
