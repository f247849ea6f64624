package surrogate

import (
	"context"
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

const (
	transitions = 3   // of a proposal
	pathLength  = 1.5 // of a trajectory, in coordinates in which the surrogate is near N(0, I)
	mostLeaps   = 64
)

// correct moves every draw by a proposal and a test against all rows, a pass a round. A
// proposal is a few transitions of Hamiltonian Monte Carlo on the surrogate, each reversible
// with regard to it, so that it is accepted with probability
//
//	min(1, π(x′) π̂(x) / (π(x) π̂(x′)))
//
// and the posterior stays as it is: delayed acceptance (Christen and Fox 2005, Markov chain
// Monte Carlo using an approximation) with several steps before the test.
func (r *Result) correct(
	ctx context.Context, s *Surrogate, all Passes, set Settings, o loop.Options,
) error {
	x := &r.Exactness
	x.Kind = "corrected"
	r.resample(set.Seed) // the draws begin as near to the posterior as they can
	step := r.step()
	states, lp := r.flat()
	at := make([]float64, len(states)) // of the posterior
	if err := all.LogLik(ctx, states, at); err != nil {
		return err
	}
	for i, v := range s.rest(states) {
		at[i] += v
	}
	x.Passes++
	accepted := 0.0
	for round := range set.Correct {
		tall.Say(ctx, fmt.Sprintf("proposals against all rows, round %d", round+1))
		next, nextLP := make([][]float64, len(states)), make([]float64, len(states))
		const part = 64
		err := loop.Parallel(ctx, (len(states)+part-1)/part, o.Threads, func(_, k int) error {
			m := newMover(s, step)
			for i := k * part; i < min((k+1)*part, len(states)); i++ {
				stream := rng.New(set.Seed, i, purposePropose)
				next[i], nextLP[i] = m.propose(states[i], stream, round)
			}
			return ctx.Err()
		})
		if err != nil {
			return err
		}
		there := make([]float64, len(states))
		if err := all.LogLik(ctx, next, there); err != nil {
			return err
		}
		x.Passes++
		for i, v := range s.rest(next) {
			there[i] += v
			log := there[i] + lp[i] - at[i] - nextLP[i]
			src := rng.New(set.Seed, i, purposeTest).At(uint64(round))
			if u := src.Float64(); special.Log(u) < log {
				states[i], lp[i], at[i] = next[i], nextLP[i], there[i]
			}
			if !math.IsNaN(log) {
				accepted += special.Exp(min(log, 0))
			}
		}
	}
	x.Rounds = set.Correct
	x.Accepted = accepted / float64(len(states)*set.Correct)
	i := 0
	for k := range r.States {
		for j := range r.States[k] {
			r.States[k][j], r.LP[k][j] = states[i], lp[i]
			r.Stats[k][j].LP, r.Stats[k][j].LPEst = at[i], at[i]
			i++
		}
	}
	if x.Accepted < leastAccepted {
		x.Kind = "refused"
		return refuse("refused: of the proposals of the surrogate %.0f %% are accepted, too few to "+
			"come to the posterior in %d rounds; {rows} takes more rows as they are",
			100*x.Accepted, x.Rounds)
	}
	return nil
}

// step is the mean step of the chains.
func (s *Sampled) step() float64 {
	sum := 0.0
	for k := range s.Stats {
		sum += s.Stats[k][len(s.Stats[k])-1].StepSize / float64(len(s.Stats))
	}
	return sum
}

// A mover makes proposals.
type mover struct {
	s       *Surrogate
	e       *evaluator
	step    float64
	z, v, g []float64
	old     []float64
}

func newMover(s *Surrogate, step float64) *mover {
	d := s.Dim()
	return &mover{s, s.NewEvaluator(1).(*evaluator), min(step, pathLength), make([]float64, d),
		make([]float64, d), make([]float64, d), make([]float64, d)}
}

// propose returns a state, and the surrogate's log density there.
func (m *mover) propose(x []float64, stream rng.Stream, round int) ([]float64, float64) {
	m.s.White.Solve(x, m.z)
	f := m.e.LogDensityGradient(m.z, nil, 1, 1, m.g)
	for k := range transitions {
		number := uint64(round*transitions+k) << 8
		stream.Normals(number, m.v)
		src := stream.At(number + 1<<7)
		leaps := 1 + int(src.Float64()*2*pathLength/m.step)
		leaps = min(leaps, mostLeaps)
		copy(m.old, m.z)
		start, energy := f, f-float64(dot(m.v, m.v)/2)
		for range leaps {
			for i := range m.v {
				m.v[i] += float64(m.step / 2 * m.g[i])
				m.z[i] += float64(m.step * m.v[i])
			}
			f = m.e.LogDensityGradient(m.z, nil, 1, 1, m.g)
			for i := range m.v {
				m.v[i] += float64(m.step / 2 * m.g[i])
			}
		}
		if log := f - float64(dot(m.v, m.v)/2) - energy; !(special.Log(src.Float64()) < log) {
			copy(m.z, m.old)
			f = start
			m.e.LogDensityGradient(m.z, nil, 1, 1, m.g)
		}
	}
	out := make([]float64, len(x))
	m.s.White.Point(m.z, out)
	return out, f
}
