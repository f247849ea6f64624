// Package gibbs draws the unknowns of a model one after another from their full conditionals, whose
// laws the compiler has found and whose numbers the model computes.
package gibbs

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/matrix"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A Sampler takes sweeps over the unknowns of a model. It is not safe for concurrent use.
type Sampler struct {
	eval   target.ConditionalEvaluator
	list   []target.Conditional
	stream rng.Stream
	draws  rng.Stream // of what is drawn for draws alone
	values []float64  // of the params, in the model's coordinates
	out    []float64  // the numbers of a law
	source rng.Source
	square matrix.Square // the precision of a block
	block  []float64     // normals of a block, or its direction
	law    powers
	terms  []float64 // the coefficients of its powers
	topics *topics   // of a topic model, whose other unknowns are integrated out; otherwise nil
}

// New makes a sampler that draws from a stream, and what is needed for draws alone from draws. eval
// is of the target whose conditionals are list.
func New(
	t target.Target, eval target.ConditionalEvaluator, list []target.Conditional,
	stream, draws rng.Stream,
) *Sampler {
	s := &Sampler{eval: eval, list: list, stream: stream, draws: draws,
		values: make([]float64, t.OutputLen()), terms: make([]float64, 16)}
	numbers, size, joint := 0, 0, 0
	for i := range list {
		c := &list[i]
		numbers, size = max(numbers, c.Len(), c.Size), max(size, c.Size)
		if c.Law == target.JointNormalLaw {
			joint = max(joint, c.Size)
		}
	}
	s.out, s.block = make([]float64, numbers), make([]float64, size)
	s.square = matrix.New(joint)
	s.topics = newTopics(eval, list, s.values)
	return s
}

// Hidden are the latent values, a part of the sampler's state.
func (s *Sampler) Hidden() []float64 { return s.eval.Hidden() }

// Start puts latent values inside their support: at random, where they are discrete.
func (s *Sampler) Start(src *rng.Source) {
	for i := range s.list {
		c := &s.list[i]
		if !c.Hidden {
			continue
		}
		z := s.entries(c)
		for k := range z {
			switch c.Law {
			case target.CategoryLaw, target.TopicsLaw:
				z[k] = float64(src.IntN(max(c.Values, 1)))
			case target.NormalLaw, target.JointNormalLaw:
				z[k] = src.Normal()
			case target.BetaLaw:
				z[k] = 0.5
			case target.DirichletLaw, target.TopicsRowLaw, target.TopicsColumnLaw:
				z[k] = 1 / float64(c.Size)
			case target.DirectionLaw:
				if k%c.Size == 0 {
					src.UniformSphere(z[k : k+c.Size])
				}
			default:
				z[k] = 1
			}
		}
	}
}

// entries are the values of an unknown.
func (s *Sampler) entries(c *target.Conditional) []float64 {
	from := s.values
	if c.Hidden {
		from = s.eval.Hidden()
	}
	return from[c.Offset : c.Offset+c.Blocks*c.Size]
}

// Sweep draws every unknown from its full conditional, given the present values of all others. x is
// the state before and after. The draws are a function of the stream, the number of the sweep, the
// state and the latent values. An error leaves the state as it was.
func (s *Sampler) Sweep(number int64, x []float64) error {
	if s.topics != nil {
		return s.sweepTopics(number, x)
	}
	s.eval.Constrain(x, s.values)
	s.source = s.stream.At(uint64(number))
	for i := range s.list {
		c := &s.list[i]
		out := s.out[:c.Len()]
		s.eval.Conditional(i, s.values, out)
		if entry, problem := s.draw(c, s.entries(c), out); problem != "" {
			return &ImproperError{Name: c.Name, Entry: entry, Sweep: number + 1, Problem: problem}
		}
	}
	return s.eval.Unconstrain(s.values, x)
}

// Lazy reports whether the state is drawn by Draw alone, after the sweeps that give a draw.
func (s *Sampler) Lazy() bool { return s.topics != nil }

// sweepTopics draws the topics of all words, with all else integrated out.
func (s *Sampler) sweepTopics(number int64, _ []float64) error {
	s.source = s.stream.At(uint64(number))
	s.topics.sweep(&s.source, s.entries(s.topics.z))
	return nil
}

// Draw draws what sweeps integrate out, given the rest, after sweep number. No later sweep depends
// on it.
func (s *Sampler) Draw(number int64, x []float64) error {
	s.source = s.draws.At(uint64(number))
	if problem := s.topics.draw(s); problem != "" {
		return &ImproperError{Name: s.topics.phi.Name, Sweep: number + 1, Problem: problem}
	}
	return s.eval.Unconstrain(s.values, x)
}

// An ImproperError says that a full conditional is the law of no number.
type ImproperError struct {
	Name    string
	Entry   int // the first entry of the block that is drawn
	Sweep   int64
	Problem string
}

func (e *ImproperError) Error() string {
	return fmt.Sprintf("the full conditional of %s, entry %d, cannot be drawn from in sweep %d: %s; "+
		"a proper prior of %s makes it a law", e.Name, e.Entry, e.Sweep, e.Problem, e.Name)
}

// draw draws the entries of an unknown. Its error is the first entry of a block that has no law,
// and why.
func (s *Sampler) draw(c *target.Conditional, z, out []float64) (entry int, problem string) {
	first := out[:c.Lens[0]]
	var second []float64
	if len(c.Lens) > 1 {
		second = out[c.Lens[0]:]
	}
	for b := range c.Blocks {
		at := b * c.Size
		to := z[at : at+c.Size]
		var why string
		switch c.Law {
		case target.NormalLaw:
			to[0], why = s.normal(first[b], second[b])
		case target.JointNormalLaw:
			why = s.jointNormal(to, first[at:at+c.Size], second[at*c.Size:(at+c.Size)*c.Size])
		case target.PositiveNormalLaw:
			to[0], why = s.positiveNormal(first[b], second[b])
		case target.GammaLaw:
			to[0], why = s.gamma(first[b], second[b], c.Powers[0])
		case target.PowersLaw:
			n := len(c.Lens) - 1
			for j := range n {
				s.terms[j] = second[j*c.Blocks+b]
			}
			to[0], why = s.powers(first[b], s.terms[:n], c.Powers)
		case target.BetaLaw:
			to[0], why = s.beta(first[b], second[b])
		case target.DirichletLaw:
			why = s.dirichlet(to, first[at:at+c.Size])
		case target.DirectionLaw:
			why = s.direction(to, first[at:at+c.Size])
		case target.CategoryLaw:
			to[0], why = s.category(first[b*c.Values : (b+1)*c.Values])
		}
		if why != "" {
			return at, why
		}
	}
	return 0, ""
}

// positive reports whether a number is finite and above 0.
func positive(x float64) bool { return x > 0 && x <= math.MaxFloat64 }

func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }
